// The columns of the aligned table: one row per pair in execution order, one column per engine, the
// differences between A and B. Rows can also be layers of an opened pair, and heads of blocks.

import {
  bar,
  bodyFont,
  column,
  deltaMark,
  dimsText,
  divergingBar,
  el,
  familySwatch,
  fitName,
  fixed,
  integer,
  inUnit,
  joined,
  kMissing,
  lossDeltaMark,
  nameTitle,
  numbers,
  plural,
  precisionKey,
  ratioClass,
  ratioText,
  span,
  visible,
  type Column,
  type ColumnOptions,
  type Columns,
  type Content,
  type Pairs,
  type DeltaScale,
  type Side,
  type Store,
} from '../../public/index.ts';
import { columnWidths, hasPrecision, kEngineBar, type ColumnWidths } from './aligned_columns.ts';
import { kByView } from './choice.ts';
import { engineHead, sideOf } from './engine_table.ts';
import type { OtherCell } from './other_cells.ts';
import { changeChips, fittingChips, ioText, sideFacts, type SideFacts } from './pair_facts.ts';
import {
  isOfSeveral,
  lossDelta,
  lossOf,
  pairName,
  sideName,
  speedUp,
  type NameOf,
  type Row,
} from './pair_rows.ts';

// Of the table, at both ends.
const kPadding = 32;

export interface AlignedContent {
  readonly store: Store;
  readonly pairs: Pairs;
  readonly rows: readonly Row[];
  readonly scale: DeltaScale;
  readonly nameOf: NameOf;
  // Whether a pair's layers are shown one by one.
  isOpened(pair: number): boolean;
  // The cell of an engine other than A and B in the row of a pair.
  other(engine: number, pair: number): OtherCell;
}

interface Shown extends AlignedContent {
  readonly widths: ColumnWidths;
}

type Member = Extract<Row, { kind: 'member' }>;

export function alignedColumns(content: AlignedContent, width: number): Columns<Row> {
  const { store, pairs, rows, scale } = content;
  const { unit, maxMs, maxDeltaMs } = scale;
  const { engines, comparison } = store.report;
  const hasTimes = maxMs > 0;
  const widths = columnWidths(width - kPadding, engines.length, hasTimes, pairs.loss !== null);
  const shown: Shown = { ...content, widths };
  const listed = rows.flatMap((row) => {
    if (row.kind === 'block') return row.isOpen ? [] : row.pairs;
    return row.kind === 'pair' ? [row.pair] : [];
  });
  const deltaOf = (of: readonly number[]): HTMLElement =>
    deltaMark(
      sumOf(of, (pair) => pairs.deltaMs(pair)),
      unit,
      null,
    );
  const deltaCell = (row: Row): Content => {
    if (row.kind === 'block') return deltaOf(row.pairs);
    if (row.kind === 'member') return null;
    return deltaMark(pairs.deltaMs(row.pair), unit, pairs.exceedsNoise(row.pair));
  };
  // After the difference columns, a block's text takes one cell.
  const ofPair = (cell: (pair: number) => Content) => (row: Row) =>
    row.kind === 'pair' ? cell(row.pair) : row.kind === 'block' ? blockEnd(row, shown) : null;
  const ratioTone = (row: Row): string => {
    if (row.kind !== 'pair') return '';
    const beyond = pairs.exceedsNoise(row.pair);
    return ratioClass(speedUp(pairs, row.pair), comparison?.threshold_ratio ?? 0, beyond);
  };
  const barCell = (pair: number): Content => {
    const half = widths.bar / 2 - 6;
    return divergingBar(pairs.deltaMs(pair), maxDeltaMs, half, pairs.exceedsNoise(pair));
  };
  const ratioCell = (pair: number): Content => ratioText(speedUp(pairs, pair));
  const lossDeltaCell = (pair: number): Content => lossDeltaMark(lossDelta(pairs, pair));
  const number = (
    id: string,
    head: string,
    cell: (row: Row) => Content,
    options: ColumnOptions<Row> & { readonly width: number },
  ): Column<Row> | false =>
    options.width > 0 && numbers(head, cell, { id, sortBy: kByView, ...options });
  const where = pairs.loss === 'engine' ? 'the engine' : 'the quantized model’s own arithmetic';
  const lossColumn = (side: Side): Column<Row> | false => {
    const name = side.toUpperCase();
    const cell = (pair: number): Content => fixed(lossOf(pairs, side, pair), 1);
    return number(`${side}_db`, `${name} dB`, ofPair(cell), {
      help: `SQNR of the output of ${name} against the float model, in ${where}, dB`,
      width: widths.loss,
      startsUp: true,
    });
  };
  return [
    nameColumn(shown, () => [
      `${hasTimes ? 'Σ of ' : ''}${plural(listed.length, 'row')}`,
      listed.length < pairs.count ? span('dim', ` of ${integer(pairs.count)}`) : null,
    ]),
    ...engines.map((_, i) =>
      widths.others === 'hidden' && sideOf(store, i) === null
        ? null
        : engineColumn(i, shown, listed),
    ),
    number('delta', `B − A, ${unit.unit}`, deltaCell, {
      help: 'size of change, then sign',
      width: widths.delta,
      foot: () => deltaOf(listed),
    }),
    widths.bar > 0 && column(span('offscreen', 'bar'), ofPair(barCell), { width: widths.bar }),
    number('ratio', 'A ÷ B', ofPair(ratioCell), {
      help: 'speed-up of B over A',
      cellClass: ratioTone,
      width: widths.ratio,
    }),
    lossColumn('a'),
    lossColumn('b'),
    number('db', 'B − A, dB', ofPair(lossDeltaCell), {
      help: 'Below 0, B loses more; worst first',
      width: widths.lossDelta,
      startsUp: true,
    }),
    column('What changed', (row) => changesCell(row, shown), {
      class: 'changes',
      width: widths.changes + kPadding / 2,
    }),
  ];
}

function opener(isOpen: boolean, label: string | null): HTMLElement {
  const attrs = { type: 'button', 'aria-expanded': String(isOpen), 'aria-label': label };
  return el('button', { class: 'opener', attrs }, isOpen ? '▾' : '▸');
}

function nameColumn(shown: Shown, foot: () => Content): Column<Row> {
  const { pairs, nameOf, widths } = shown;
  const isReformat = (row: Row): boolean =>
    row.kind === 'pair' && pairs.layers(row.pair).every((at) => at.engine.isReformat(at.row));
  const fit = (name: string, taken: number, weight: number): string =>
    fitName(name, widths.name - taken, bodyFont(12, weight));
  const cell = (row: Row): Content => {
    if (row.kind === 'block') {
      return [opener(row.isOpen, null), fit(visible(row.label), 26, 600)];
    }
    if (row.kind === 'member') {
      const swatch = familySwatch(row.engine.layers.text('family', row.row));
      return [swatch, fit(nameOf(row.row, row.engine), 44, 400)];
    }
    const { pair } = row;
    const isOpened = shown.isOpened(pair);
    const several = isOfSeveral(pairs, pair);
    const taken = 10 + (isReformat(row) ? 22 : 0) + (several ? 14 : 0);
    return [
      isReformat(row) && familySwatch('reformat'),
      several && opener(isOpened, isOpened ? 'Hide the layers' : 'Show the layers'),
      fit(pairName(pairs, pair, nameOf), taken, isReformat(row) ? 400 : 500),
    ];
  };
  const title = (row: Row): string | null => {
    if (row.kind === 'block') return null;
    if (row.kind === 'member') return nameTitle(row.engine.layerName(row.row));
    const full = (side: Side): string =>
      sideName(pairs, side, row.pair, (own, engine) => engine.layerName(own));
    return nameTitle(joined([full('a'), full('b')], '\n'));
  };
  return column('Layer', cell, {
    class: 'name',
    cellClass: (row) => (row.kind === 'member' ? 'member' : isReformat(row) ? 'reformat' : ''),
    title,
    width: widths.name + kPadding / 2,
    foot,
  });
}

function engineColumn(i: number, shown: Shown, listed: readonly number[]): Column<Row> {
  const { store, pairs, scale, widths } = shown;
  const { unit } = scale;
  const side = sideOf(store, i);
  const hasTimes = widths.delta > 0;
  const isWide = side === null ? widths.others === 'full' : hasPrecision(widths);
  const own = store.report.engines[i];
  const msOf = (pair: number): number | null => {
    if (side !== null) return pairs.timeMs(side, pair);
    const other = shown.other(i, pair);
    return other.kind === 'here' ? other.ms : null;
  };
  const sum = (of: readonly number[]): HTMLElement => span('time', inUnit(sumOf(of, msOf), unit));
  const ofFacts = (facts: SideFacts, ms: number | null): Content => [
    hasTimes && span(ms === null ? 'time dim' : 'time', inUnit(ms, unit)),
    hasTimes && (side !== null || isWide) && factsBar(facts, ms, scale.maxMs),
    isWide && span('soft', ioText(facts.input, facts.output) || kMissing),
  ];
  const memberCell = (row: Member): Content => {
    if (side !== row.side) return null;
    const { layers } = row.engine;
    const ms = row.engine.times(row.engine.basisOr('median'))[row.row];
    const io = ioText(layers.text('precision', row.row), layers.text('output_precision', row.row));
    return [
      hasTimes && span('time', inUnit(ms, unit)),
      hasTimes && bar(0, kEngineBar - 6, ''),
      isWide && span('soft', io),
    ];
  };
  const above = (row: Row): string | null => {
    const other = side === null && row.kind === 'pair' ? shown.other(i, row.pair) : null;
    return other?.kind === 'above' ? pairName(pairs, other.pair, shown.nameOf) : null;
  };
  const cell = (row: Row): Content => {
    if (row.kind === 'block') return sum(row.pairs);
    if (row.kind === 'member') return memberCell(row);
    const nothing = span(hasTimes || side === null ? 'time dim' : 'dim', '·');
    if (side !== null) {
      const facts = sideFacts(pairs, side, row.pair);
      return facts === null ? nothing : ofFacts(facts, msOf(row.pair));
    }
    const other = shown.other(i, row.pair);
    if (other.kind === 'none') return nothing;
    if (other.kind === 'above') {
      const name = fitName(above(row) ?? '', 96, bodyFont(11));
      return [span('time dim', '↑'), isWide && span('soft', `in ${name}`)];
    }
    const facts = sideFacts(other.pairs, 'b', other.list[0] ?? -1);
    return facts === null ? null : ofFacts(facts, other.ms);
  };
  return column(engineHead(store, i), cell, {
    id: side ?? `engine${i}`,
    class: `engine${side === null ? '' : ' chosen'}`,
    help: nameTitle(visible(own?.name ?? '')),
    title: (row) => {
      const name = above(row);
      return name === null ? null : `in ${name}`;
    },
    width: side === null ? widths.other : widths.engine,
    sortBy: side !== null && hasTimes ? kByView : undefined,
    foot: () => (hasTimes ? sum(listed) : null),
  });
}

function factsBar(facts: SideFacts, ms: number | null, maxMs: number): HTMLElement {
  const key = precisionKey(facts.input);
  const ofPrecision = key === 'unknown' ? 'unknown' : `p-${key}`;
  const className = facts.family === 'reformat' ? 'f-reformat hatched' : ofPrecision;
  return bar(ms === null || !(maxMs > 0) ? 0 : ms / maxMs, kEngineBar - 6, className);
}

function blockEnd(row: Extract<Row, { kind: 'block' }>, { pairs, widths }: Shown): HTMLElement {
  const { bar: hasBar, ratio, loss, lossDelta: hasLossDelta } = widths;
  const cells = [hasBar, ratio, loss, loss, hasLossDelta].filter((width) => width > 0);
  const beyond = row.pairs.filter((pair) => pairs.exceedsNoise(pair) === true).length;
  return el(
    'td',
    { class: 'changes dim', attrs: { colspan: cells.length + 1 } },
    `${integer(row.pairs.length)} rows, ${integer(beyond)} beyond noise`,
  );
}

function changesCell(row: Row, shown: Shown): Content {
  if (row.kind === 'block') return blockEnd(row, shown);
  if (row.kind === 'member') {
    const { layers, ports } = row.engine;
    const output = row.engine
      .portsOf(row.row)
      .find((port) => ports.text('direction', port) === 'output');
    const type = visible(layers.text('type', row.row) ?? kMissing);
    return output === undefined ? type : `${type} · ${dimsText(ports.list('dims', output))}`;
  }
  const chips = changeChips(shown.pairs, row.pair);
  const title = chips.length > 2 ? chips.map((chip) => chip.text).join('\n') : '';
  return el(
    'td',
    { class: 'changes', attrs: { title } },
    ...fittingChips(chips, shown.widths.changes - 10).map(({ text, title }) =>
      el('span', { class: 'chip', attrs: { title: title === '' ? null : title } }, text),
    ),
  );
}

function sumOf(pairs: readonly number[], value: (pair: number) => number | null): number | null {
  let sum: number | null = null;
  for (const pair of pairs) {
    const own = value(pair);
    if (own !== null) sum = (sum ?? 0) + own;
  }
  return sum;
}
