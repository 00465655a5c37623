import { describe, expect, it } from 'vitest';

import { decodeReport } from './decode.ts';
import { findingState, ruleState } from './finding_state.ts';
import type { Json } from './json_value.ts';
import { Store, type LinkHost } from './store.ts';

// The finding "aa" is about layer 3 in one engine, about layer 1 in the other; "bb" about no layer.
function engine(name: string, layer: number): Json {
  return {
    summary: { engine: { name } },
    strings: [],
    tables: {
      layers: {
        row_count: 4,
        columns: { layer_id: { type: 'int64', unit: '', values: [0, 1, 2, 3] } },
      },
    },
    findings: [
      { rule: 'r', layer_id: layer, message: 'm', fingerprint: 'aa' },
      { rule: 'r', layer_id: null, message: 'm', fingerprint: 'bb' },
      { rule: 's', layer_id: 2, message: 'm', fingerprint: 'cc', suppressed: { by: 'waiver' } },
    ],
  };
}

class Links implements LinkHost {
  hash: string;

  constructor(hash: string) {
    this.hash = hash;
  }
  read(): string {
    return this.hash;
  }
  push(hash: string): void {
    this.hash = hash;
  }
  replace(hash: string): void {
    this.hash = hash;
  }
}

function storeOf(hash: string): { readonly store: Store; readonly links: Links } {
  const links = new Links(hash);
  const report = decodeReport({
    schema: 'planex.report/2',
    engines: [engine('one', 3), engine('two', 1)],
  });
  return { store: new Store(report, ['layers', 'findings'], links), links };
}

describe('a finding in the link', () => {
  it('selects its layer', () => {
    const { store } = storeOf('#v=findings&findings.at=aa');
    expect(store.state.selected).toBe(3);
    expect(store.takeProblems()).toEqual([]);
  });

  it('does not overrule a selection', () => {
    expect(storeOf('#v=findings&findings.at=aa&sel=2').store.state.selected).toBe(2);
  });

  it('is reported where it is gone', () => {
    const { store } = storeOf('#v=findings&findings.at=dd');
    expect(store.state.selected).toBeNull();
    expect(store.takeProblems().join()).toContain('no finding "dd"');
  });

  it('is written and read', () => {
    const { store, links } = storeOf('#v=layers');
    const [finding] = store.engine.findings;
    if (finding === undefined) throw new Error('no finding');
    store.patch(findingState(store, finding));
    expect(links.hash).toContain('findings.rule=r');
    expect(links.hash).toContain('findings.at=aa');
    expect(storeOf(links.hash).store.state).toMatchObject({ view: 'findings', selected: 3 });
    // Another rule: none of its findings yet, and other views' settings stay.
    store.setOption('memory.by', 'type');
    store.patch(ruleState(store, 's'));
    expect(store.state.options).toEqual({ 'memory.by': 'type', 'findings.rule': 's' });
  });

  it('of no layer selects none', () => {
    const { store } = storeOf('#v=findings&sel=1');
    const finding = store.engine.findings[1];
    if (finding === undefined) throw new Error('no finding');
    store.patch(findingState(store, finding));
    expect(store.state.selected).toBeNull();
  });

  it('that is waived is among the waived', () => {
    const { store } = storeOf('');
    const [finding] = store.engine.suppressedFindings;
    if (finding === undefined) throw new Error('no finding');
    store.patch(findingState(store, finding));
    expect(store.state.options['findings.show']).toBe('waived');
    expect(store.engine.findingsOf(2)).toEqual([]);
  });

  it('holds in the next build, by its fingerprint', () => {
    const { store } = storeOf('#v=findings&findings.at=aa');
    store.patch({ engine: 1 });
    expect(store.state.selected).toBe(1);
    store.patch({ view: 'layers', engine: 0 });
    expect(store.state.selected).toBeNull();
  });
});
