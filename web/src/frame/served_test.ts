import { describe, expect, it } from 'vitest';

import { stepOf } from './served.ts';

const kPage = 'a'.repeat(32);
const kOther = 'b'.repeat(32);
const answer = (version: string, state: string) => ({
  schema: 'planex.page-version/1',
  version,
  state,
});

describe('stepOf', () => {
  it('reloads when other files can be read, and not before', () => {
    expect(stepOf(200, answer(kOther, 'ready'), kPage)).toBe('reload');
    expect(stepOf(200, answer(kOther, 'waiting'), kPage)).toBe('changed');
    expect(stepOf(200, answer(kOther, 'failed'), kPage)).toBe('failed');
    expect(stepOf(200, answer(kOther, 'who knows'), kPage)).toBe('changed');
  });
  it('stays when nothing changed, whatever is being read', () => {
    expect(stepOf(200, answer(kPage, 'ready'), kPage)).toBe('same');
    expect(stepOf(200, answer(kPage, 'waiting'), kPage)).toBe('same');
  });
  it('never reloads for what it does not understand', () => {
    expect(stepOf(404, null, kPage)).toBe('gone');
    expect(stepOf(500, null, kPage)).toBe('silent');
    expect(stepOf(200, { version: kOther, state: 'ready' }, kPage)).toBe('silent');
    expect(stepOf(200, { ...answer(kOther, 'ready'), version: 7 }, kPage)).toBe('silent');
    expect(stepOf(200, [], kPage)).toBe('silent');
  });
});
