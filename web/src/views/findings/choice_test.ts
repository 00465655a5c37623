import { describe, expect, it } from 'vitest';

import type { JsonObject, Store } from '../../public/index.ts';
import { firedRules } from '../../public/rules.ts';
import { storeOf as storeOfEngines } from '../../public/test_engine.ts';
import { byWorth, choiceOf, findingsOf, rulesOf, severityCounts } from './choice.ts';
import { findingsConclusion } from './conclusion.ts';

const rule = (id: string, status: string, count: number, ms: number | null, more = {}) => ({
  id,
  severity: 'warning',
  summary: `about ${id}`,
  status,
  count,
  suppressed_count: 0,
  estimated_ms: ms,
  ...more,
});

const finding = (of: string, layer: number | null, ms: number | null, more = {}) => ({
  rule: of,
  severity: 'info',
  layer_id: layer,
  message: 'm',
  estimated_ms: ms,
  fingerprint: `${of}${String(layer)}`,
  ...more,
});

const kEngine: JsonObject = {
  summary: { engine: { name: 'e' }, time: { layers_median_ms: 2 } },
  strings: ['Convolution', 'Pooling'],
  tables: {
    layers: {
      row_count: 4,
      columns: {
        layer_id: { type: 'int64', unit: '', values: [0, 1, 2, 3] },
        type: { type: 'text', unit: '', values: [0, 0, 1, 1] },
        median_ms: { type: 'double', unit: '', values: [1, 0.5, 0.25, 0.25] },
      },
    },
  },
  rules: [
    rule('small', 'fired', 1, 0.1),
    rule('unknown', 'fired', 1, null),
    rule('large', 'fired', 3, 0.4),
    rule('quiet', 'silent', 0, null),
    rule('blind', 'skipped', 0, null, { reason: 'no layer times' }),
    rule('accepted', 'fired', 0, null, { suppressed_count: 1 }),
  ],
  findings: [
    finding('large', 3, 0.1),
    finding('large', 0, 0.2),
    finding('large', 1, 0.1),
    finding('small', 2, 0.1),
    finding('unknown', null, null),
    finding('accepted', 2, 1, { suppressed: { by: 'waiver', reason: 'we know' } }),
  ],
  actions: [{ saving_low_ms: 0.4, saving_high_ms: 0.5 }] as never,
  lint: { estimated_ms: 0.45, waivers: [] },
};

function storeOf(hash: string, engine: JsonObject = kEngine): Store {
  return storeOfEngines(hash, engine);
}

describe('choiceOf', () => {
  it('orders rules and findings by what they are worth', () => {
    const choice = choiceOf(storeOf('#v=findings'));
    expect(choice.rules.map((r) => r.id)).toEqual(['large', 'small', 'unknown']);
    expect(choice.rule?.id).toBe('large');
    expect(choice.findings.map((f) => f.layer_id)).toEqual([0, 1, 3]);
    expect(choice.finding).toBeNull();
  });

  it('lists each rule once over all lists', () => {
    const { engine } = storeOf('');
    const ids = (show: Parameters<typeof rulesOf>[1]) => rulesOf(engine, show).map((r) => r.id);
    expect(ids('silent')).toEqual(['quiet']);
    expect(ids('skipped')).toEqual(['blind']);
    expect(ids('waived')).toEqual(['accepted']);
    const all = (['fired', 'silent', 'skipped', 'waived'] as const).flatMap(ids);
    expect([...all].sort()).toEqual(engine.rules.map((r) => r.id).sort());
  });

  it('takes the finding of the link, or the one of the selected layer', () => {
    expect(choiceOf(storeOf('#findings.rule=large&findings.at=large3')).finding?.layer_id).toBe(3);
    expect(choiceOf(storeOf('#findings.rule=large&sel=1')).finding?.layer_id).toBe(1);
    // The layer has no finding of this rule.
    expect(choiceOf(storeOf('#findings.rule=large&sel=2')).finding).toBeNull();
    expect(choiceOf(storeOf('#findings.rule=unknown&findings.at=unknownnull')).finding?.rule).toBe(
      'unknown',
    );
  });

  it('leaves out layers that the filter leaves out', () => {
    const choice = choiceOf(storeOf('#findings.rule=large&f=type:Convolution'));
    expect(choice.findings.map((f) => f.layer_id)).toEqual([0, 1]);
    expect(choice.count).toBe(3);
    // A finding without a layer stays.
    expect(choiceOf(storeOf('#findings.rule=unknown&f=type:Pooling')).findings).toHaveLength(1);
  });

  it('leaves findings of one severity, and rules that have such', () => {
    const engine = {
      ...kEngine,
      findings: [
        finding('large', 3, 0.1),
        finding('large', 0, 0.2, { severity: 'warning' }),
        finding('small', 2, 0.1),
        finding('accepted', 2, 1, { severity: 'error', suppressed: { by: 'waiver' } }),
      ],
    };
    const choice = (hash: string) => choiceOf(storeOf(`#findings.severity=${hash}`, engine));
    expect(choice('warning').rules.map((r) => r.id)).toEqual(['large']);
    expect(choice('warning').findings.map((f) => f.layer_id)).toEqual([0]);
    expect(choice('warning').count).toBe(2);
    expect(choice('info').rules.map((r) => r.id)).toEqual(['large', 'small']);
    expect(choice('info&f=layer:0-1').findings).toEqual([]);
    // Waived findings count in the list of waived rules.
    expect(choice('error').rules).toEqual([]);
    expect(choice('error&findings.show=waived').findings).toHaveLength(1);
    expect(severityCounts(storeOf('', engine).engine, 'fired')).toEqual(
      new Map([
        ['info', 2],
        ['warning', 1],
      ]),
    );
    // An unknown severity selects nothing.
    expect(choice('grave').severity).toBeNull();
  });

  it('has waived findings apart', () => {
    const choice = choiceOf(storeOf('#findings.show=waived'));
    expect(choice.findings.map((f) => f.rule)).toEqual(['accepted']);
    expect(findingsOf(storeOf('').engine, 'accepted', 'fired')).toEqual([]);
  });

  it('does not fail where nothing was found, or nothing is known', () => {
    const none = storeOf('', { summary: { engine: { name: 'e' } } });
    expect(choiceOf(none)).toMatchObject({ rules: [], rule: null, findings: [], finding: null });
    expect(byWorth([])).toEqual([]);
    expect(findingsConclusion(none.engine, [])).toBeNull();
  });
});

describe('findingsConclusion', () => {
  it('says what all is worth, of what', () => {
    const { engine } = storeOf('');
    const conclusion = findingsConclusion(engine, firedRules(engine));
    expect(conclusion?.headline).toBe('All actions together save 0.400 to 0.500 ms per inference.');
    expect(conclusion?.text).toContain('5 findings of 3 rules.');
    expect(conclusion?.text).toContain('1 rule could not run. 1 finding waived.');
  });

  it('promises nothing where nothing is known', () => {
    const { engine } = storeOf('', { ...kEngine, lint: {}, tables: {} });
    expect(findingsConclusion(engine, firedRules(engine))).toEqual({
      headline: '5 findings of 3 rules.',
      text: 'There are no times, so potential savings are not known. 1 rule could not run. 1 finding waived.',
    });
  });

  it('tells silence from blindness', () => {
    const of = (...rules: readonly object[]) => {
      const { engine } = storeOf('', { ...kEngine, findings: [], rules: rules as never });
      return findingsConclusion(engine, firedRules(engine))?.headline;
    };
    expect(of(rule('a', 'silent', 0, null))).toBe('No rule found anything.');
    expect(of(rule('a', 'skipped', 0, null))).toBe('No rule could run.');
  });
});
