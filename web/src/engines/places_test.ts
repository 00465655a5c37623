import { describe, expect, it } from 'vitest';

import { placesOf } from './places.ts';

const named = (...names: string[]) => names.map((name) => ({ name, content: new Blob([name]) }));
const paths = (names: string[], taken: readonly string[] = []) =>
  placesOf(named(...names), (root) => taken.includes(root)).map(({ root, files, isNested }) => ({
    root,
    paths: files.map(({ path }) => path),
    isNested,
  }));

describe('placesOf', () => {
  it('leaves folders and a single file where they are', () => {
    expect(paths(['a/x', 'a/b/y'])).toEqual([
      { root: 'a', paths: ['a/x', 'a/b/y'], isNested: true },
    ]);
    expect(paths(['run.planex'])).toEqual([
      { root: 'run.planex', paths: ['run.planex'], isNested: false },
    ]);
  });
  it('keeps files of one drop together', () => {
    expect(paths(['x.graph.json', 'x.profile.json'])[0]?.paths).toEqual([
      'files/x.graph.json',
      'files/x.profile.json',
    ]);
  });
  it('gives another name to what is called as something that is open', () => {
    expect(paths(['a/x'], ['a'])[0]?.paths).toEqual(['a-2/x']);
    expect(paths(['x.graph.json'], ['x.graph.json', 'x-2.graph.json'])[0]?.root).toBe(
      'x-3.graph.json',
    );
  });
  it('follows no names that lead elsewhere, and leaves out what is hidden', () => {
    expect(paths(['../a/../x', 'a/.git/y', '.hidden', 'a//z'])).toEqual([
      { root: 'a', paths: ['a/x', 'a/z'], isNested: false },
    ]);
  });
});
