import { describe, expect, it } from 'vitest';

import { engineOf } from '../../public/test_engine.ts';
import { ruleCommand, waiveCommand } from './waive.ts';

const engine = engineOf([['a', null, null]], { path: "run's/it" });

describe('waiveCommand', () => {
  it('quotes what is typed', () => {
    expect(waiveCommand(engine, '9ad15b5bc0c705f8', "the camera's; $(rm -rf /)")).toBe(
      "planex lint 'run'\\''s/it' --waivers waivers.json --waive 9ad15b5bc0c705f8 " +
        "--reason 'the camera'\\''s; $(rm -rf /)'",
    );
  });

  it('asks for a reason where there is none', () => {
    expect(waiveCommand(engine, 'f', '  ')).toContain("--reason 'why it is accepted'");
  });
});

it('ruleCommand names one rule', () => {
  expect(ruleCommand(engine, 'a b', null)).toBe("planex lint 'run'\\''s/it' --rule 'a b' --all");
});
