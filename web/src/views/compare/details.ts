// The panel of a pair: what both sides are, what is the same and what is not.

import {
  bytesText,
  dimsText,
  div,
  el,
  familySwatch,
  fixed,
  iconButton,
  inUnit,
  isNumber,
  kMissing,
  linkButton,
  nameTitle,
  signed,
  span,
  timeUnit,
  visible,
  type Child,
  type Engine,
  type FittedName,
  type LossWhere,
  type Pairs,
  type Side,
  type ViewContext,
} from '../../public/index.ts';
import { deltaMark, ratioText } from './numbers.ts';
import { sideFacts, type SideFacts } from './pair_facts.ts';
import { pairName, rowsNames, speedUp } from './pair_rows.ts';
import { reasonText } from './tactics.ts';

const kMatches: Readonly<Record<string, string>> = {
  source: 'operations of the source model that both share',
  name: 'their names',
  shape: 'type, dims and the layers around them',
  order: 'their position between two other matches',
};

// As the table of layers heads them.
const kLosses: readonly (readonly [LossWhere, string])[] = [
  ['simulated', 'sim. dB'],
  ['engine', 'engine dB'],
];

const kNoises: Readonly<Record<string, string>> = {
  spread: 'the spread of their samples',
  'mean-and-median': 'the gap between mean and median: a lower bound',
  'profiler-step': 'the step of the profiler’s timer',
  'whole-microseconds': 'times truncated to whole microseconds',
  'unchanged-pairs': 'the scatter of layers that nothing else is different about',
};

function word(words: Readonly<Record<string, string>>, key: string): string | null {
  return Object.hasOwn(words, key) ? (words[key] ?? null) : null;
}

export interface Fact {
  readonly label: string;
  readonly a: string | null;
  readonly b: string | null;
}

const bytes = (value: number | null | undefined): string | null =>
  isNumber(value) ? bytesText(value) : null;
const dims = (value: readonly number[] | null | undefined): string | null =>
  value === null || value === undefined ? null : dimsText(value);

// As `planex compare --pair` lists them.
export function factsOf(a: SideFacts | null, b: SideFacts | null): readonly Fact[] {
  const row = (label: string, of: (facts: SideFacts) => string | null): Fact => ({
    label,
    a: a === null ? null : of(a),
    b: b === null ? null : of(b),
  });
  return [
    row('type', (facts) => facts.type),
    row('in', (facts) => facts.input),
    row('out', (facts) => facts.output),
    row('computes in', (facts) => facts.compute),
    row('in dims', (facts) => dims(facts.inputDims)),
    row('out dims', (facts) => dims(facts.outputDims)),
    row('in format', (facts) => facts.inputFormat ?? facts.inputLayout),
    row('out format', (facts) => facts.outputFormat ?? facts.outputLayout),
    row('weights', (facts) => bytes(facts.weightBytes)),
    row('traffic', (facts) => bytes(facts.ioBytes)),
    row('tactic', (facts) => facts.tactic),
  ].filter((fact) => fact.a !== null || fact.b !== null);
}

const kMaxText = 600;

function valueNode(text: string | null, className: string): HTMLElement {
  if (text === null) return el('td', { class: 'dim' }, kMissing);
  const shown = text.length > kMaxText ? `${text.slice(0, kMaxText)}…` : text;
  return el('td', { class: className }, visible(shown));
}

function factRow({ label, a, b }: Fact): HTMLElement {
  const known = a !== null && b !== null;
  const isSame = a === b;
  const className = label === 'tactic' ? 'code-text' : '';
  return el(
    'tr',
    { class: known && !isSame ? 'different' : '' },
    el('th', { attrs: { scope: 'row' } }, label),
    valueNode(a, className),
    valueNode(b, className),
    el('td', { class: 'verdict-cell' }, known ? (isSame ? '=' : '≠') : ''),
  );
}

function layersList(
  context: ViewContext,
  engine: Engine,
  place: number,
  rows: readonly number[],
): HTMLElement {
  const unit = timeUnit(
    Math.max(0, ...rows.map((row) => engine.times(engine.basisOr('median'))[row] ?? 0)),
  );
  const times = engine.times(engine.basisOr('median'));
  return el(
    'td',
    {},
    ...rows.map((row) => {
      const time = times[row];
      return el(
        'button',
        {
          class: 'link pair-layer',
          attrs: { type: 'button', title: nameTitle(engine.layerName(row)) },
          on: { click: () => context.store.selectInEngine(place, row) },
        },
        familySwatch(engine.layers.text('family', row)),
        context.store.layerLabel(row, engine),
        isNumber(time) ? span('dim', ` ${inUnit(time, unit)} ${unit.unit}`) : null,
      );
    }),
    rows.length === 0 ? span('dim', kMissing) : null,
  );
}

function sentences(pairs: Pairs, pair: number): readonly string[] {
  const lines: string[] = [];
  const by = word(kMatches, pairs.match(pair));
  lines.push(
    by === null
      ? 'Only one of the two engines has it.'
      : `Matched by ${by}, certainty ${fixed(pairs.certainty(pair), 2)}.`,
  );
  const interval = pairs.intervalMs(pair);
  const noise = word(kNoises, pairs.noiseSource(pair));
  if (interval !== null) {
    const unit = timeUnit(Math.max(...interval.map(Math.abs)));
    const ends = interval.map((ms) => signed(ms * unit.scale, unit.decimals)).join(' to ');
    lines.push(
      `95 % interval of the difference ${ends} ${unit.unit}${noise === null ? '' : `, from ${noise}`}.`,
    );
  }
  const beyond = pairs.exceedsNoise(pair);
  if (beyond === null) lines.push('The noise is unknown, so no verdict.');
  else if (!beyond) lines.push('Within the noise.');
  return lines;
}

// Where logs of both builds tell: why the kernels differ.
function choices(pairs: Pairs, engine: Engine, rows: readonly number[]): readonly string[] {
  const names = new Set(rows.map((row) => engine.rawName(row)));
  return (pairs.way.tactics?.layers ?? [])
    .filter(({ layer }) => names.has(layer))
    .map((layer) => `The builders chose: ${reasonText(layer)}.`);
}

export function pairDetails(context: ViewContext, names: FittedName[]): readonly Child[] | null {
  const { store } = context;
  const { pairs, state } = store;
  if (pairs === null || state.selected === null) return null;
  const pair = store.pairedRows(state.engine, state.selected)?.pair ?? null;
  const [a, b] = [store.report.engines[pairs.a], store.report.engines[pairs.b]];
  if (pair === null || a === undefined || b === undefined) return null;
  const facts = { a: sideFacts(a, pairs, 'a', pair), b: sideFacts(b, pairs, 'b', pair) };
  const delta = pairs.deltaMs(pair);
  const unit = timeUnit(Math.max(pairs.timeMs('a', pair) ?? 0, pairs.timeMs('b', pair) ?? 0));
  const ratio = speedUp(pairs, pair);
  const head = (side: Side, engine: Engine): HTMLElement => {
    const name = span('');
    names.push({ name: visible(engine.id), node: name });
    return el('th', { attrs: { scope: 'col' } }, span('ab', side.toUpperCase()), name);
  };
  const time = (side: Side): string | null => {
    const ms = pairs.timeMs(side, pair);
    return ms === null ? null : `${inUnit(ms, unit)} ${unit.unit}`;
  };
  const loss = (side: Side, where: LossWhere): string | null => {
    const db = pairs.lossDb(side, where, pair);
    return db === null ? null : fixed(db, 1);
  };
  const both = { a, b };
  return [
    el(
      'div',
      { class: 'panel-head' },
      div(
        'panel-line',
        span(
          'dim',
          `pair ${String(pair)} of ${String(pairs.count)} · ${visible(pairs.cause(pair))}`,
        ),
        span('grow'),
        iconButton('close', 'Close (Esc)', () => store.patch({ selected: null })),
      ),
      div(
        'panel-name',
        pairName(both, pairs, pair, (row, engine) => store.layerLabel(row, engine)),
      ),
      div(
        'panel-line figures',
        delta === null
          ? span('dim', 'not timed in both')
          : span(
              'key-figure',
              deltaMark(delta, unit, pairs.exceedsNoise(pair)),
              el('small', {}, unit.unit),
            ),
        ratio === null ? null : span('soft', `A ÷ B ${ratioText(ratio)} ×`),
      ),
    ),
    el(
      'section',
      {},
      el(
        'table',
        { class: 'plain pair-facts' },
        el(
          'thead',
          {},
          el('tr', {}, el('th', { attrs: { scope: 'col' } }), head('a', a), head('b', b), el('th')),
        ),
        el(
          'tbody',
          {},
          el(
            'tr',
            {},
            el('th', { attrs: { scope: 'row' } }, 'layers'),
            layersList(context, a, pairs.a, facts.a?.rows ?? []),
            layersList(context, b, pairs.b, facts.b?.rows ?? []),
            el('td'),
          ),
          factRow({ label: 'time', a: time('a'), b: time('b') }),
          ...kLosses
            .map(([where, label]) => ({ label, a: loss('a', where), b: loss('b', where) }))
            .filter((fact) => fact.a !== null || fact.b !== null)
            .map(factRow),
          ...factsOf(facts.a, facts.b).map(factRow),
        ),
      ),
    ),
    el(
      'section',
      {},
      ...[...sentences(pairs, pair), ...choices(pairs, a, facts.a?.rows ?? [])].map((line) =>
        el('p', { class: 'soft' }, line),
      ),
    ),
    el('section', {}, ...rowsNames(both, pairs, pair).map((line) => div('soft full-name', line))),
    el(
      'section',
      {},
      el(
        'div',
        { class: 'panel-links' },
        ...(['layers', 'graph'] as const).map((view) =>
          linkButton(
            view === 'layers' ? 'in the table of its engine' : 'in the graph of its engine',
            null,
            () => store.patch({ view }),
          ),
        ),
      ),
    ),
  ];
}
