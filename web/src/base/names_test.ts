import { describe, expect, it } from 'vitest';

import { Names } from './names.ts';

const letters = (text: string): number => text.length;

describe('names that are cut', () => {
  it('stay apart', () => {
    const names = [0, 1].flatMap((layer) =>
      ['query', 'value'].flatMap((part) =>
        ['Multiply', 'Convert'].map(
          (op) =>
            `__module.model.encoder.layer.${String(layer)}.attention.self.${part}/aten::mul/${op}`,
        ),
      ),
    );
    const list = new Names(() => names);
    for (const width of [24, 32, 40]) {
      const cut = names.map((name) => list.fit(name, width, letters));
      expect(new Set(cut).size, String(width)).toBe(names.length);
      for (const text of cut) expect(text.length).toBeLessThanOrEqual(width);
    }
  });
  it('keep both ends where that tells them apart', () => {
    const list = new Names(() => [
      'first.layer.of.the.model.conv1',
      'other.layer.of.the.model.conv2',
    ]);
    expect(list.fit('first.layer.of.the.model.conv1', 15, letters)).toBe('first.la….conv1');
  });
  it('show words, not single figures between dots', () => {
    const names = [1, 2, 3].flatMap((block) =>
      [0, 1].flatMap((part) =>
        [0, 1, 2].map((layer) => {
          const [a, b, c] = [block, part, layer].map(String) as [string, string, string];
          return `/blocks.${a}/blocks.${a}.${b}/in_layers/in_layers.${c}/Conv`;
        }),
      ),
    );
    const list = new Names(() => names);
    const cut = names.map((name) => list.fit(name, 22, letters));
    expect(new Set(cut).size).toBe(names.length);
    for (const text of cut) expect(text).toMatch(/[a-z]{3}/);
  });
  it('stay apart where many parts come twice', () => {
    const names = [...Array(40).keys()].map((i) => {
      const layer = `/layer${String(Math.trunc(i / 8))}.${String(i % 8)}/conv`;
      return i % 8 === 0 ? `${layer}/MaxPool` : `${layer}/Conv + ${layer}/Relu`;
    });
    const list = new Names(() => names);
    expect(new Set(names.map((name) => list.fit(name, 16, letters))).size).toBe(names.length);
  });
  it('are whole where there is room', () => {
    expect(new Names(() => ['a.b', 'a.c']).fit('a.b', 10, letters)).toBe('a.b');
  });
  it('are cut anyhow where nothing fits', () => {
    const a = `${'x'.repeat(30)}a${'y'.repeat(30)}`;
    const b = `${'x'.repeat(30)}b${'y'.repeat(30)}`;
    expect(new Names(() => [a, b]).fit(a, 10, letters)).toHaveLength(10);
  });
});
