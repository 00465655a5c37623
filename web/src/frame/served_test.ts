import { describe, expect, it } from 'vitest';

import { stepOf } from './served.ts';

const kOwn = 'a'.repeat(32);
const kOther = 'b'.repeat(32);
const answer = (version: string, state: string) => ({
  schema: 'planex.page-version/1',
  version,
  state,
});

describe('stepOf', () => {
  it('reloads when other files can be read, and not before', () => {
    expect(stepOf(200, answer(kOther, 'ready'), kOwn)).toBe('reload');
    expect(stepOf(200, answer(kOther, 'waiting'), kOwn)).toBe('changed');
    expect(stepOf(200, answer(kOther, 'failed'), kOwn)).toBe('failed');
    expect(stepOf(200, answer(kOther, 'who knows'), kOwn)).toBe('changed');
  });
  it('stays when nothing changed, whatever is being read', () => {
    expect(stepOf(200, answer(kOwn, 'ready'), kOwn)).toBe('same');
    expect(stepOf(200, answer(kOwn, 'waiting'), kOwn)).toBe('same');
  });
  it('never reloads for what it does not understand', () => {
    expect(stepOf(404, null, kOwn)).toBe('gone');
    expect(stepOf(500, null, kOwn)).toBe('silent');
    expect(stepOf(200, { version: kOther, state: 'ready' }, kOwn)).toBe('silent');
    expect(stepOf(200, { ...answer(kOther, 'ready'), version: 7 }, kOwn)).toBe('silent');
    expect(stepOf(200, [], kOwn)).toBe('silent');
  });
});
