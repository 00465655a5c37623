import { describe, expect, it } from 'vitest';

import {
  broughtWaivers,
  kNewWaivers,
  waiversText,
  withoutWaiver,
  withWaiver,
  type Waiver,
} from './waivers.ts';

const kFirst: Waiver = { rule: 'r', fingerprint: 'f1', reason: 'a "quoted" ä', expires: null };
const kSecond: Waiver = { rule: 'r', fingerprint: 'f2', reason: 'x', expires: '2099-06-30' };

describe('waiversText', () => {
  it('is what planex lint --waive writes', () => {
    const { added, ...file } = withWaiver(withWaiver(null, kFirst), kSecond);
    expect(waiversText({ ...file, added })).toBe(`{
  "schema": "planex.waivers/1",
  "waivers": [
    {
      "rule": "r",
      "fingerprint": "f1",
      "reason": "a \\"quoted\\" ä"
    },
    {
      "rule": "r",
      "fingerprint": "f2",
      "reason": "x",
      "expires": "2099-06-30"
    }
  ]
}
`);
  });

  it('leaves what was there as it is', () => {
    const text =
      '{"note": "[waivers]", "waivers": [ {"rule": "a]\\"", "layer": "["} ],\n  "schema": "planex.waivers/1"}';
    const full = waiversText({ name: 'w', text, added: [kSecond] });
    expect(
      full.startsWith('{"note": "[waivers]", "waivers": [ {"rule": "a]\\"", "layer": "["},'),
    ).toBe(true);
    expect(full.endsWith('\n  ],\n  "schema": "planex.waivers/1"}')).toBe(true);
    const { waivers } = JSON.parse(full) as { waivers: readonly object[] };
    expect(waivers).toEqual([{ rule: 'a]"', layer: '[' }, kSecond]);
  });

  it('finds no other list', () => {
    for (const text of ['', '[', '{"x": {"waivers": []}}', '{"waivers": {"x": []}}']) {
      expect(waiversText({ name: 'w', text, added: [kFirst] })).toBe(text);
    }
  });
});

describe('what is waived here', () => {
  it('is there once, and can be taken back', () => {
    const again = { ...kFirst, reason: 'another' };
    const waivers = withWaiver(withWaiver(null, kFirst), again);
    expect(waivers.added).toEqual([again]);
    expect(withoutWaiver(waivers, kFirst)).toBeNull();
    const brought = { ...waivers, text: '{"waivers": [{}]}' };
    expect(withoutWaiver(brought, kFirst)?.added).toEqual([]);
  });

  it('stays beside a file that is brought, but for what that has', () => {
    const before = withWaiver(withWaiver(kNewWaivers, kFirst), kSecond);
    const text = waiversText(withWaiver(null, kFirst));
    expect(broughtWaivers('w.json', text, before)).toEqual({
      name: 'w.json',
      text,
      added: [kSecond],
    });
    expect(broughtWaivers('w.json', 'not JSON', null).added).toEqual([]);
  });
});
