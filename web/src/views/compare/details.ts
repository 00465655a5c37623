// The panel of a pair: what both sides are, what is the same and what is not.

import {
  bytesText,
  column,
  deltaMark,
  dimsText,
  div,
  el,
  familySwatch,
  fixed,
  inUnit,
  isNumber,
  keyFigure,
  kMissing,
  linkButton,
  nameTitle,
  panelHead,
  plainTable,
  ratioText,
  signed,
  span,
  timeUnit,
  visible,
  type Child,
  type Column,
  type Content,
  type FittedName,
  type LossWhere,
  type Pairs,
  type Side,
  type Store,
  type ViewContext,
} from '../../public/index.ts';
import { sideFacts, type SideFacts } from './pair_facts.ts';
import { pairName, rowsNames, speedUp } from './pair_rows.ts';
import { reasonText } from './tactics.ts';

const kMatches: ReadonlyMap<string, string> = new Map([
  ['source', 'operations of the source model that both share'],
  ['name', 'their names'],
  ['shape', 'type, dims and the layers around them'],
  ['order', 'their position between two other matches'],
]);

const kNoises: ReadonlyMap<string, string> = new Map([
  ['spread', 'the spread of their samples'],
  ['mean-and-median', 'the gap between mean and median: a lower bound'],
  ['profiler-step', 'the step of the profiler’s timer'],
  ['whole-microseconds', 'times truncated to whole microseconds'],
  ['unchanged-pairs', 'the scatter of layers that are otherwise identical'],
]);

interface Fact {
  readonly label: string;
  readonly a: Content;
  readonly b: Content;
}

type Value = string | null;

// In the order of `planex compare --pair`.
const kFacts: readonly (readonly [label: string, of: (facts: SideFacts) => Value])[] = [
  ['type', ({ type }) => type],
  ['in', ({ input }) => input],
  ['out', ({ output }) => output],
  ['computes in', ({ compute }) => compute],
  ['in dims', ({ inputDims: dims }) => dims && dimsText(dims)],
  ['out dims', ({ outputDims: dims }) => dims && dimsText(dims)],
  ['in format', ({ inputFormat, inputLayout }) => inputFormat ?? inputLayout],
  ['out format', ({ outputFormat, outputLayout }) => outputFormat ?? outputLayout],
  ['weights', ({ weightBytes }) => (weightBytes === null ? null : bytesText(weightBytes))],
  ['traffic', ({ ioBytes }) => (ioBytes === null ? null : bytesText(ioBytes))],
  ['tactic', ({ tactic }) => tactic],
];

const kMaxText = 600;

// Both sides of each fact that at least one has.
function factsOf(pairs: Pairs, pair: number): readonly Fact[] {
  const facts = { a: sideFacts(pairs, 'a', pair), b: sideFacts(pairs, 'b', pair) };
  const [aMs, bMs] = [pairs.timeMs('a', pair), pairs.timeMs('b', pair)];
  const unit = timeUnit(Math.max(aMs ?? 0, bMs ?? 0));
  const time = (ms: number | null): Value =>
    ms === null ? null : `${inUnit(ms, unit)} ${unit.unit}`;
  // With the heads of the layers table.
  const loss = (label: string, where: LossWhere): Fact => {
    const value = (side: Side): Value => {
      const db = pairs.lossDb(side, where, pair);
      return db === null ? null : fixed(db, 1);
    };
    return { label, a: value('a'), b: value('b') };
  };
  const optional = [
    loss('sim. dB', 'simulated'),
    loss('engine dB', 'engine'),
    ...kFacts.map(([label, of]): Fact => {
      const value = (side: SideFacts | null): Value => (side === null ? null : of(side));
      return { label, a: value(facts.a), b: value(facts.b) };
    }),
  ].filter(({ a, b }) => a !== null || b !== null);
  return [{ label: 'time', a: time(aMs), b: time(bMs) }, ...optional];
}

function factsTable(store: Store, pairs: Pairs, pair: number, names: FittedName[]): HTMLElement {
  const isKnown = ({ a, b }: Fact): boolean => typeof a === 'string' && typeof b === 'string';
  const sideColumn = (side: Side): Column<Fact> => {
    const name = span('');
    names.push({ name: visible(pairs.engine(side).id), node: name });
    const cell = (fact: Fact): Content => {
      const value = fact[side];
      if (value === null) return span('dim', kMissing);
      if (typeof value !== 'string') return value;
      return visible(value.length > kMaxText ? `${value.slice(0, kMaxText)}…` : value);
    };
    return column([span('ab', side.toUpperCase()), name], cell, {
      cellClass: ({ label }) => (label === 'tactic' ? 'code-text' : ''),
    });
  };
  const layers = {
    label: 'layers',
    a: layersList(store, pairs, 'a', pair),
    b: layersList(store, pairs, 'b', pair),
  };
  return plainTable(
    'pair-facts wrapped',
    [layers, ...factsOf(pairs, pair)],
    [
      column('', ({ label }) => label, { isHead: true, width: 74 }),
      sideColumn('a'),
      sideColumn('b'),
      column('', (fact) => (isKnown(fact) ? (fact.a === fact.b ? '=' : '≠') : ''), {
        cellClass: 'dim',
        width: 20,
      }),
    ],
    { row: (fact) => ({ class: isKnown(fact) && fact.a !== fact.b ? 'different' : '' }) },
  );
}

function layersList(store: Store, pairs: Pairs, side: Side, pair: number): Content {
  const engine = pairs.engine(side);
  const rows = pairs.rows(side, pair);
  if (rows.length === 0) return null;
  const times = engine.times(engine.basisOr('median'));
  const unit = timeUnit(Math.max(0, ...rows.map((row) => times[row] ?? 0)));
  return rows.map((row) => {
    const time = times[row];
    return el(
      'button',
      {
        class: 'link pair-layer',
        attrs: { type: 'button', title: nameTitle(engine.layerName(row)) },
        on: { click: () => store.selectInEngine(pairs[side], row) },
      },
      familySwatch(engine.layers.text('family', row)),
      store.layerLabel(row, engine),
      isNumber(time) ? span('dim', ` ${inUnit(time, unit)} ${unit.unit}`) : null,
    );
  });
}

function sentences(pairs: Pairs, pair: number): readonly string[] {
  const by = kMatches.get(pairs.match(pair));
  const lines = [
    by === undefined
      ? 'Only one of the two engines has this layer.'
      : `Matched by ${by}, certainty ${fixed(pairs.certainty(pair), 2)}.`,
  ];
  const interval = pairs.intervalMs(pair);
  const noise = kNoises.get(pairs.noiseSource(pair));
  if (interval !== null) {
    const unit = timeUnit(Math.max(...interval.map(Math.abs)));
    const ends = interval.map((ms) => signed(ms * unit.scale, unit.decimals)).join(' to ');
    const source = noise === undefined ? '' : `, from ${noise}`;
    lines.push(`95 % interval of the difference ${ends} ${unit.unit}${source}.`);
  }
  const beyond = pairs.exceedsNoise(pair);
  if (beyond === null) lines.push('The noise is unknown, so there is no verdict.');
  else if (!beyond) lines.push('Within the noise.');
  // If logs of both builds record it: why the kernels differ.
  const names = new Set(pairs.rows('a', pair).map((row) => pairs.engine('a').rawName(row)));
  const choices = (pairs.way.tactics?.layers ?? []).filter(({ layer }) => names.has(layer));
  return [...lines, ...choices.map((layer) => `The builders chose: ${reasonText(layer)}.`)];
}

export function pairDetails({ store }: ViewContext, names: FittedName[]): readonly Child[] | null {
  const { pairs, state } = store;
  if (pairs === null || state.selected === null) return null;
  const pair = store.pairedRows(state.engine, state.selected)?.pair ?? null;
  if (pair === null) return null;
  const delta = pairs.deltaMs(pair);
  const unit = timeUnit(Math.max(pairs.timeMs('a', pair) ?? 0, pairs.timeMs('b', pair) ?? 0));
  const ratio = speedUp(pairs, pair);
  const figure =
    delta === null
      ? span('dim', 'not timed in both')
      : keyFigure(deltaMark(delta, unit, pairs.exceedsNoise(pair)), unit.unit);
  const link = (text: string, view: string): HTMLElement =>
    linkButton(text, null, () => store.patch({ view }));
  const section = (...children: readonly Child[]): HTMLElement => el('section', {}, ...children);
  return [
    panelHead(
      [span('dim', `pair ${pair} of ${pairs.count} · ${visible(pairs.cause(pair))}`)],
      [],
      () => store.patch({ selected: null }),
      div(
        'panel-name',
        pairName(pairs, pair, (row, engine) => store.layerLabel(row, engine)),
      ),
      div(
        'panel-line figures',
        figure,
        ratio !== null && span('soft', `A ÷ B ${ratioText(ratio)} ×`),
      ),
    ),
    section(factsTable(store, pairs, pair, names)),
    section(...sentences(pairs, pair).map((line) => el('p', { class: 'soft' }, line))),
    section(...rowsNames(pairs, pair).map((line) => div('soft wraps', line))),
    section(
      div(
        'flow',
        link('in the table of its engine', 'layers'),
        link('in the graph of its engine', 'graph'),
      ),
    ),
  ];
}
