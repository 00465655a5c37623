import { describe, expect, it } from 'vitest';

import { decodeReport } from './decode.ts';
import type { Json } from './json_value.ts';
import { chipText, parseChip, select, type Chip } from './filter.ts';
import { SearchIndex } from './search.ts';
import { Store, type LinkHost } from './store.ts';
import { formatLink, parseLink } from './url_state.ts';

const text = (values: readonly (number | null)[]): Json => ({ type: 'text', unit: '', values });
const double = (values: readonly (number | null)[]): Json => ({ type: 'double', unit: '', values });

const kStrings = [
  'work',
  'noop',
  'conv1',
  'pool',
  'copy',
  'Convolution',
  'Pooling',
  'Reformat',
  'INT8',
  'FP16',
  't',
];

function engine(name: string): Json {
  return {
    summary: { engine: { name }, layer_count: 3 },
    strings: kStrings,
    tables: {
      layers: {
        row_count: 4,
        columns: {
          layer_id: { type: 'int64', unit: '', values: [10, 11, 12, 13] },
          role: text([0, 0, 0, 1]),
          name: text([2, 3, 4, null]),
          type: text([5, 6, 7, null]),
          precision: text([8, 9, null, null]),
          median_ms: double([0.3, 0.1, null, null]),
          from_the_future: { type: 'matrix', values: [1] },
        },
      },
      ports: {
        row_count: 2,
        columns: {
          layer_id: double([10, 11]),
          direction: text([null, 10]),
          tensor: text([10, 10]),
        },
      },
    },
    findings: [{ rule: 'slow', severity: 'warning', layer_id: 10, message: 'm' }],
    rules: 'not a list',
  };
}

function report(...names: readonly string[]) {
  return decodeReport({ schema: 'planex.report/2', engines: names.map(engine) });
}

function chip(source: string): Chip {
  const parsed = parseChip(source);
  if (parsed.chip === null) throw new Error(parsed.error);
  return parsed.chip;
}

class FakeLink implements LinkHost {
  hash: string;
  readonly history: string[] = [];
  constructor(hash = '') {
    this.hash = hash;
  }
  read(): string {
    return this.hash;
  }
  push(hash: string): void {
    this.history.push(hash);
    this.hash = hash;
  }
  replace(hash: string): void {
    this.hash = hash;
  }
}

describe('decoding', () => {
  it('refuses another schema and nothing else', () => {
    expect(() => decodeReport({ schema: 'planex.report/1' })).toThrow(/planex.report\/1/);
    expect(() => decodeReport(null)).toThrow();
    expect(report('a').engines[0]?.rules).toEqual([]);
  });
  it('keeps missing apart from zero', () => {
    const [first] = report('a').engines;
    expect(first?.layers.number('median_ms', 2)).toBeNull();
    expect(first?.layers.has('mean_ms')).toBe(false);
    expect(first?.summary.time.end_to_end).toBeNull();
    expect(first?.share(2, 'median')).toBeNull();
    expect(first?.share(0, 'median')).toBeCloseTo(0.75);
  });
  it('names engines of one name apart', () => {
    expect(report('a', 'a').engines.map((e) => e.id)).toEqual(['a', 'a~2']);
  });
  it('does not allocate what a count only claims', () => {
    const [first] = decodeReport({
      schema: 'planex.report/2',
      engines: [{ tables: { layers: { row_count: 1e12, columns: {} } } }],
    }).engines;
    expect(first?.layers.rowCount).toBe(0);
  });
});

describe('filter', () => {
  const [first] = report('a').engines;
  if (first === undefined) throw new Error('no engine');
  const rows = (...chips: readonly string[]): readonly number[] => [
    ...select(first, chips.map(chip), 'median').rows,
  ];

  it('leaves out what does no work unless asked', () => {
    expect(rows()).toEqual([0, 1, 2]);
    expect(rows('role:any')).toEqual([0, 1, 2, 3]);
  });
  it('combines chips by and, values by or', () => {
    expect(rows('type:Convolution|pooling')).toEqual([0, 1]);
    expect(rows('type:Convolution|Pooling', 'ms>0.2')).toEqual([0]);
    expect(rows('not type:Convolution')).toEqual([1, 2]);
    expect(rows('precision:–')).toEqual([2]);
  });
  it('knows ranges, parts, patterns and findings', () => {
    expect(rows('layer:11-12')).toEqual([1, 2]);
    expect(rows('layer>=12')).toEqual([2]);
    expect(rows('name~CO')).toEqual([0, 2]);
    expect(rows('name~/^p/')).toEqual([1]);
    expect(rows('pool')).toEqual([1]);
    expect(rows('finding:any')).toEqual([0]);
    expect(rows('share>50')).toEqual([0]);
  });
  it('says what is wrong', () => {
    expect(parseChip('ms:3').error).toMatch(/>/);
    expect(parseChip('ms>x').error).toMatch(/number/);
    expect(parseChip('name~/(/').error).toMatch(/pattern/);
    expect(parseChip('nofield>3').error).toMatch(/fields:/);
  });
  it('writes what it reads', () => {
    for (const source of [
      'type:A|B',
      'not name~x',
      'ms>=0.01',
      'type:"a|b"',
      'type:"say \\"hi\\""',
    ]) {
      const parsed = chip(source);
      expect(chip(chipText(parsed))).toEqual(parsed);
    }
  });
});

describe('links', () => {
  it('survive a round trip', () => {
    const state = {
      view: 'layers',
      engine: 'a&b=c,#d%',
      a: 'x&a=1',
      b: null,
      selected: 6,
      chips: [chip('type:A|B,C'), chip('name~100%&x=1')],
      sort: { column: 'time', descending: true },
      columns: ['layer_id', 'name'],
      basis: 'mean',
      names: 'original',
      theme: null,
      graph: {
        view: 'memory',
        colour: 'time',
        constants: true,
        folding: 'open',
        toggled: ['layer1.0', 'a,b&c=d#%', '@12'],
      },
      item: 'group:a&b,c',
      more: [3, 9],
      options: { 'memory.by': 'a&b=c', 'timing.phase': '2' },
    } as const;
    expect(parseLink(formatLink(state))).toEqual({ ...state, problems: [] });
  });
  it('read a hand-written one', () => {
    const link = parseLink('#v=layers&f=type:Reformat,ms>0.01&sort=-time&sel=x&nonsense');
    expect(link.chips.map(chipText)).toEqual(['type:Reformat', 'ms>0.01']);
    expect(link.selected).toBeNull();
  });
});

describe('store', () => {
  it('pushes views and filters, replaces selections', () => {
    const link = new FakeLink();
    const store = new Store(report('a', 'b'), ['overview', 'layers'], link);
    store.patch({ selected: 1 });
    expect(link.history).toEqual([]);
    expect(link.hash).toContain('sel=11');
    store.patch({ view: 'layers' });
    store.addChip(chip('type:Pooling'));
    store.addChip(chip('type:Pooling'));
    expect(link.history.length).toBe(2);
    link.hash = link.history[0] ?? '';
    store.followLink();
    expect(store.state.chips).toEqual([]);
    store.patch({ engine: 1 });
    expect(store.state.selected).toBeNull();
  });
  it('takes several options, and what goes with them, as one step', () => {
    const store = new Store(report('a'), ['overview'], new FakeLink());
    store.setOption('sweep.x', 'batch');
    store.patch({ selected: 1 });
    const seen: string[] = [];
    store.subscribe((change) => seen.push([...change].sort().join()));
    store.setOptions({ 'sweep.x': null, 'sweep.y': 'threads' }, { selected: null });
    expect(seen).toEqual(['options,selected']);
    expect([store.option('sweep.x'), store.option('sweep.y')]).toEqual([null, 'threads']);
  });
  it('notes what a link names and is not there', () => {
    const store = new Store(report('a'), ['overview'], new FakeLink('#v=graph&e=z&sel=99'));
    expect(store.state).toMatchObject({ view: 'overview', engine: 0, selected: null });
    expect(store.takeProblems().length).toBe(3);
    expect(store.takeProblems()).toEqual([]);
  });
  it('adds up what stays', () => {
    const store = new Store(report('a'), ['overview'], new FakeLink('#f=type:Pooling'));
    expect(store.tally.shown).toBe(1);
    expect(store.tally.ms).toBeCloseTo(0.1);
    expect(store.tally.allMs).toBeCloseTo(0.4);
  });
});

describe('search', () => {
  const [first] = report('a').engines;
  if (first === undefined) throw new Error('no engine');
  const index = new SearchIndex(first);
  it('puts exact and first-letter hits first', () => {
    expect(index.find('t')[0]).toMatchObject({ kind: 'tensor', text: 't' });
    expect(index.find('co').map((h) => h.text)).toEqual(['conv1', 'Convolution', 'copy']);
    expect(index.find('   ')).toEqual([]);
  });
  it('finds the same however the words were typed', () => {
    for (const query of ['conv', 'c o', 'on c', 'pool', 'zz', 'con', 'INT']) {
      const typed = new SearchIndex(first);
      for (let i = 1; i < query.length; i += 1) typed.find(query.slice(0, i));
      expect(typed.find(query)).toEqual(new SearchIndex(first).find(query));
    }
  });
  it('is built in steps', () => {
    const stepwise = new SearchIndex(first);
    let steps = 0;
    while (!stepwise.advance(() => (steps += 1) % 2 === 1));
    expect(stepwise.find('co')).toEqual(index.find('co'));
  });
});
