import { describe, expect, it } from 'vitest';

import {
  choiceInLink,
  isOff,
  isSameJudging,
  kAsItWas,
  kNoFiles,
  lintWords,
  reportOptions,
  withChoice,
  withFiles,
  type Judging,
  type JudgingChoice,
} from './judging.ts';
import { kNewWaivers } from './waivers.ts';

const kChoice: JudgingChoice = {
  packs: ['generic', 'tensorrt'],
  only: [],
  off: ['a-rule', 'b-rule'],
  severities: { 'c-rule': 'error' },
  device: 'H100 SXM',
};

describe('the choice in the link', () => {
  it('comes back as it was', () => {
    const options = withChoice({ 'findings.rule': 'x', 'rules.off': 'old' }, kChoice);
    expect(options).toEqual({
      'findings.rule': 'x',
      'rules.packs': 'generic,tensorrt',
      'rules.off': 'a-rule,b-rule',
      'rules.severity': 'c-rule=error',
      'work.device': 'H100 SXM',
    });
    expect(choiceInLink(options)).toEqual(kChoice);
  });

  it('leaves nothing of none', () => {
    expect(withChoice({ 'rules.off': 'old' }, kAsItWas.choice)).toEqual({});
    expect(choiceInLink({})).toEqual(kAsItWas.choice);
  });

  it('is read whatever stands there', () => {
    const { off, severities } = choiceInLink({
      'rules.off': ',b,a,,b',
      'rules.severity': 'x=grave,=,y=info,z',
    });
    expect(off).toEqual(['a', 'b']);
    expect(severities).toEqual({ y: 'info' });
  });
});

describe('isOff', () => {
  const rule = { id: 'r', pack: 'generic' };
  const of = (change: Partial<JudgingChoice>): boolean =>
    isOff({ ...kAsItWas.choice, ...change }, rule);
  it('is as the options of the program say', () => {
    expect(of({})).toBe(false);
    expect(of({ off: ['r'] })).toBe(true);
    expect(of({ only: ['r'] })).toBe(false);
    expect(of({ only: ['s'] })).toBe(true);
    expect(of({ only: ['r'], off: ['r'] })).toBe(true);
    expect(of({ packs: ['tensorrt'] })).toBe(true);
  });
});

describe('options', () => {
  const judging: Judging = {
    choice: kChoice,
    files: { ...kNoFiles, waivers: kNewWaivers, rules: { name: "it's.json", text: '{}' } },
  };
  it('are those of the report', () => {
    const place = (kind: string, name: string): string => `${kind}/${name}`;
    expect(reportOptions(judging, place, '2026-10-01')).toEqual([
      ['pack', 'generic'],
      ['pack', 'tensorrt'],
      ['no-rule', 'a-rule'],
      ['no-rule', 'b-rule'],
      ['severity', 'c-rule=error'],
      ['rules-file', "rules/it's.json"],
      ['waivers', 'waivers/waivers.json'],
      ['today', '2026-10-01'],
      ['device', 'H100 SXM'],
    ]);
    // Nothing expires without waivers.
    expect(reportOptions(kAsItWas, place, '2026-10-01')).toEqual([]);
  });

  it('are words of planex lint', () => {
    expect(lintWords(judging)).toBe(
      '--pack generic --pack tensorrt --no-rule a-rule --no-rule b-rule --severity c-rule=error ' +
        "--rules-file 'it'\\''s.json' --waivers waivers.json",
    );
  });
});

describe('withFiles', () => {
  const rules = { name: 'r.json', text: '{"rules": [{"id": "a-rule"}, {"id": "c-rule"}]}' };
  const judging: Judging = { choice: kChoice, files: { ...kNoFiles, rules } };

  it('forgets what was chosen of rules that are gone', () => {
    const { choice } = withFiles(judging, kNoFiles);
    expect(choice.off).toEqual(['b-rule']);
    expect(choice.severities).toEqual({});
    expect(choice.device).toBe('H100 SXM');
    const kept = withFiles(judging, { ...kNoFiles, rules: { ...rules } });
    expect(kept.choice).toEqual(kChoice);
  });

  it('forgets a device of another table', () => {
    const devices = { name: 'd.json', text: '{}' };
    expect(withFiles(judging, { ...judging.files, devices }).choice.device).toBeNull();
  });
});

it('isSameJudging looks at files and at what is chosen, in whatever order', () => {
  const other = { ...kChoice, off: ['b-rule', 'a-rule'] };
  const files = { ...kNoFiles };
  expect(isSameJudging({ choice: kChoice, files }, { choice: other, files: kNoFiles })).toBe(true);
  const waived = { ...kNoFiles, waivers: kNewWaivers };
  expect(isSameJudging({ choice: kChoice, files }, { choice: kChoice, files: waived })).toBe(false);
  const more = { ...kChoice, only: ['x'] };
  expect(isSameJudging({ choice: kChoice, files }, { choice: more, files })).toBe(false);
});
