// The aligned table: one row a pair in execution order, one column an engine, what is different about
// A and B. The window is the view's.

import {
  bar,
  bodyFont,
  column,
  el,
  familySwatch,
  fitName,
  fixed,
  Grid,
  integer,
  inUnit,
  kMissing,
  nameTitle,
  numbers,
  precisionKey,
  span,
  visible,
  type Column,
  type Columns,
  type Content,
  type Pairs,
  type Report,
  type Side,
  type Unit,
  type ViewContext,
} from '../../public/index.ts';
import { columnWidths, kEngineBar, hasPrecision, type ColumnWidths } from './aligned_columns.ts';
import { alignedSort, kByView, type Sort, type SortableColumn } from './choice.ts';
import { deltaMark, divergingBar, lossDeltaMark, ratioClass, ratioText } from './numbers.ts';
import { otherCells, type OtherCell } from './other_cells.ts';
import { fittingChips } from './chips.ts';
import { changeChips, sideFacts, type SideFacts } from './pair_facts.ts';
import {
  isOfSeveral,
  layersName,
  lossDelta,
  lossOf,
  membersOf,
  onlyReformats,
  pairName,
  speedUp,
  type Both,
  type NameOf,
  type Row,
} from './pair_rows.ts';
import { ioText, memberText, outputDims } from './texts.ts';
import { engineHead } from './totals.ts';

// Of the table, at both ends.
const kPadding = 32;

type Member = Extract<Row, { kind: 'member' }>;

export interface AlignedEvents {
  sort(column: SortableColumn): void;
  // The first of the layers, in the engine that was meant.
  select(engine: number, row: number): void;
  hover(engine: number, row: number | null, event: MouseEvent): void;
  toggleBlock(block: number): void;
  togglePair(pair: number): void;
  filterType(type: string): void;
  openGraphs(): void;
}

export interface AlignedContent {
  readonly report: Report;
  readonly pairs: Pairs;
  readonly both: Both;
  readonly rows: readonly Row[];
  // Pairs whose layers are shown one by one.
  readonly opened: ReadonlySet<number>;
  readonly unit: Unit;
  readonly sort: Sort | null;
  readonly nameOf: NameOf;
  readonly threshold_ratio: number;
  readonly selectedPair: number | null;
  // Of A and B, and of their differences, in all pairs: what is shown does not change the bars.
  readonly maxMs: number;
  readonly maxDeltaMs: number;
}

export class AlignedTable {
  readonly #events: AlignedEvents;
  readonly #grid: Grid<Row>;
  readonly #others = new Map<string, readonly OtherCell[]>();
  #content: AlignedContent | null = null;
  #widths: ColumnWidths = columnWidths(0, 2);
  #engines: readonly number[] = [];

  constructor(context: ViewContext, scroller: HTMLElement, events: AlignedEvents) {
    this.#events = events;
    this.#grid = new Grid<Row>(context, {
      label: 'Aligned layers',
      class: 'aligned-table',
      scroller,
      columns: (width) => this.#columns(width),
      isOrdered: true,
      sort: () => alignedSort(this.#content?.sort ?? null),
      setSort: (_, column) => events.sort(column.id as SortableColumn),
      props: (row) => ({
        class: row.kind === 'block' ? 'block-row' : row.kind === 'member' ? 'member' : '',
        attrs: { 'data-pair': row.kind === 'block' ? null : row.pair },
      }),
      isSelected: (row) => row.kind === 'pair' && row.pair === this.#content?.selectedPair,
      click: (row, event) => this.#click(row, event),
      open: (row) => {
        if (row.kind !== 'block') events.openGraphs();
      },
      hover: (_, event) => {
        const at = this.#layerAt(event.type === 'mouseleave' ? null : event.target);
        events.hover(at?.engine ?? 0, at?.row ?? null, event);
      },
    });
  }

  get node(): HTMLElement {
    return this.#grid.node;
  }

  // The layer that is meant: of the engine whose column it is, else of A, else of B.
  #layerAt(target: EventTarget | null): { engine: number; row: number } | null {
    const content = this.#content;
    const row = this.#grid.itemAt(target);
    if (content === null || row === null || row.kind === 'block') return null;
    const { pairs, both } = content;
    if (row.kind === 'member') return { engine: pairs.engine(row.side), row: row.row };
    const cell = target instanceof Element ? target.closest('td[data-side]') : null;
    const wanted =
      cell?.getAttribute('data-side') === 'b' ? (['b', 'a'] as const) : (['a', 'b'] as const);
    for (const side of wanted) {
      const id = pairs.principal(side, row.pair);
      const layer = id === null ? null : both[side].rowOf(id);
      if (layer !== null) return { engine: pairs.engine(side), row: layer };
    }
    return null;
  }

  #click(row: Row, event: MouseEvent): void {
    if (row.kind === 'block') {
      this.#events.toggleBlock(row.block);
      return;
    }
    if (event.target instanceof Element && event.target.closest('.opener') !== null) {
      this.#events.togglePair(row.pair);
      return;
    }
    const at = this.#layerAt(event.target);
    if (at === null) return;
    if (event.altKey) {
      const type = this.#content?.report.engines[at.engine]?.layers.text('type', at.row) ?? null;
      if (type !== null) this.#events.filterType(type);
      return;
    }
    const node = event.target instanceof Element ? event.target.closest('tr') : null;
    const before = node?.getBoundingClientRect().top ?? null;
    this.#events.select(at.engine, at.row);
    // The panel takes room from what is above the table; the row stays under the pointer.
    if (before !== null) this.#grid.keep(row, before);
  }

  // --- drawing

  show(content: AlignedContent): void {
    if (content.pairs !== this.#content?.pairs || content.report !== this.#content.report) {
      this.#others.clear();
    }
    this.#content = content;
    this.#grid.draw(content.rows);
  }

  #sideOf(engine: number): Side | null {
    const pairs = this.#content?.pairs;
    return engine === pairs?.a ? 'a' : engine === pairs?.b ? 'b' : null;
  }

  // Rows are pairs, layers of an opened pair, and heads of blocks.
  #columns(width: number): Columns<Row> {
    const content = this.#content;
    if (content === null) return [];
    const { report, pairs, unit } = content;
    const hasLoss = pairs.loss !== null;
    const widths = columnWidths(
      width - kPadding,
      report.engines.length,
      content.maxMs > 0,
      hasLoss,
    );
    this.#widths = widths;
    this.#engines = report.engines
      .map((_, i) => i)
      .filter((i) => i === pairs.a || i === pairs.b || widths.others !== 'hidden');
    const listed = content.rows.flatMap((row) => {
      if (row.kind === 'block') return row.isOpen ? [] : row.pairs;
      return row.kind === 'pair' ? [row.pair] : [];
    });
    const deltaOf = (of: readonly number[]): number | null =>
      sumOf(of, (pair) => pairs.deltaMs(pair));
    const deltaCell = (row: Row): Content => {
      if (row.kind === 'member') return null;
      return row.kind === 'block'
        ? deltaMark(deltaOf(row.pairs), unit, null)
        : deltaMark(pairs.deltaMs(row.pair), unit, pairs.exceedsNoise(row.pair));
    };
    // Behind the differences, what a block says stands in one cell.
    const ofPair = (cell: (pair: number) => Content) => (row: Row) =>
      row.kind === 'pair' ? cell(row.pair) : row.kind === 'block' ? this.#blockEnd(row) : null;
    const ratioCell = (pair: number): Content => {
      const ratio = speedUp(pairs, pair);
      const beyond = pairs.exceedsNoise(pair);
      const className = `right ${ratioClass(ratio, content.threshold_ratio, beyond)}`;
      return el('td', { class: className }, ratioText(ratio));
    };
    const loss = (side: Side) => ofPair((pair) => fixed(lossOf(pairs, side, pair), 1));
    return [
      column('Layer', (row) => this.#nameCell(row, content), {
        width: widths.name + kPadding / 2,
        foot: () => [
          `${widths.delta > 0 ? 'Σ of ' : ''}${integer(listed.length)} ${listed.length === 1 ? 'row' : 'rows'}`,
          listed.length < pairs.count ? span('dim', ` of ${integer(pairs.count)}`) : null,
        ],
      }),
      ...this.#engines.map((i) => this.#engineColumn(i, content, listed)),
      widths.delta > 0 &&
        numbers(`B − A, ${unit.unit}`, deltaCell, {
          id: 'delta',
          help: 'size of change, then sign',
          width: widths.delta,
          sortBy: kByView,
          foot: () => deltaMark(deltaOf(listed), unit, null),
        }),
      widths.bar > 0 &&
        column(
          span('offscreen', 'bar'),
          ofPair((pair) =>
            divergingBar(
              pairs.deltaMs(pair),
              content.maxDeltaMs,
              widths.bar / 2 - 6,
              pairs.exceedsNoise(pair),
            ),
          ),
          { width: widths.bar },
        ),
      widths.ratio > 0 &&
        numbers('A ÷ B', ofPair(ratioCell), {
          id: 'ratio',
          help: 'speed-up of B over A',
          width: widths.ratio,
          sortBy: kByView,
        }),
      ...(['a', 'b'] as const).map(
        (side) =>
          widths.loss > 0 &&
          numbers(`${side.toUpperCase()} dB`, loss(side), {
            id: `${side}_db`,
            help: this.#lossTitle(pairs, side.toUpperCase()),
            width: widths.loss,
            sortBy: kByView,
          }),
      ),
      widths.lossDelta > 0 &&
        numbers(
          'B − A, dB',
          ofPair((pair) => lossDeltaMark(lossDelta(pairs, pair))),
          {
            id: 'db',
            help: 'Below 0 B loses more; the worst first',
            width: widths.lossDelta,
            sortBy: kByView,
          },
        ),
      column('What changed', (row) => this.#changesCell(row, content), {
        class: 'changes',
        width: widths.changes + kPadding / 2,
      }),
    ];
  }

  #lossTitle(pairs: Pairs, side: string): string {
    const where = pairs.loss === 'engine' ? 'the engine' : 'the quantized model’s own arithmetic';
    return `SQNR of what ${side} hands on against the float model, in ${where}, dB`;
  }

  #engineColumn(i: number, content: AlignedContent, listed: readonly number[]): Column<Row> {
    const { report, pairs, unit } = content;
    const side = this.#sideOf(i);
    const className = `engine${side === null ? '' : ' chosen'}`;
    const time = (of: readonly number[]): HTMLElement => {
      const msOf = (pair: number): number | null =>
        side === null ? this.#otherMs(i, pair) : pairs.timeMs(side, pair);
      return span('time', inUnit(sumOf(of, msOf), unit));
    };
    const cell = (row: Row): Content => {
      if (row.kind === 'block') return time(row.pairs);
      if (row.kind === 'member') return this.#memberCell(row, i, content);
      if (side === null) return this.#otherNode(i, row.pair, content);
      const facts = sideFacts(content.both[side], pairs, side, row.pair);
      return this.#sideNode(side, facts, pairs.timeMs(side, row.pair), content);
    };
    const isSorted = side !== null && this.#widths.delta > 0;
    return column(engineHead(report, i, { a: pairs.a, b: pairs.b }), cell, {
      id: side ?? `engine${String(i)}`,
      class: className,
      help: nameTitle(visible(report.engines[i]?.name ?? '')),
      width: side === null ? this.#widths.other : this.#widths.engine,
      sortBy: isSorted ? kByView : undefined,
      foot: () => (this.#widths.delta > 0 ? time(listed) : null),
    });
  }

  #otherMs(engine: number, pair: number): number | null {
    const cell = this.#otherCell(engine, pair);
    return cell.kind === 'here' ? cell.ms : null;
  }

  #otherCell(engine: number, pair: number): OtherCell {
    const content = this.#content;
    if (content === null) return { kind: 'none' };
    const key = String(engine);
    let cells = this.#others.get(key);
    if (cells === undefined) {
      cells = otherCells(content.report, content.pairs, engine);
      this.#others.set(key, cells);
    }
    return cells[pair] ?? { kind: 'none' };
  }

  #nameCell(row: Row, content: AlignedContent): HTMLElement {
    if (row.kind === 'pair') return this.#pairName(row.pair, content);
    if (row.kind === 'block') {
      const attrs = { type: 'button', 'aria-expanded': String(row.isOpen) };
      return el(
        'td',
        { class: 'name' },
        el('button', { class: 'opener', attrs }, row.isOpen ? '▾' : '▸'),
        fitName(visible(row.label), this.#widths.name - 26, bodyFont(12, 600)),
      );
    }
    const engine = content.both[row.side];
    const name = content.nameOf(row.row, engine);
    return el(
      'td',
      { class: 'name member', attrs: { title: nameTitle(engine.layerName(row.row)) } },
      familySwatch(engine.layers.text('family', row.row)),
      fitName(name, this.#widths.name - 44, bodyFont(12)),
    );
  }

  #pairName(pair: number, content: AlignedContent): HTMLElement {
    const { pairs, both, nameOf } = content;
    const name = pairName(both, pairs, pair, nameOf);
    const isReformat = onlyReformats(both, pairs, pair);
    const several = isOfSeveral(pairs, pair);
    const isOpened = content.opened.has(pair);
    const room = this.#widths.name - 10 - (isReformat ? 22 : 0) - (several ? 14 : 0);
    const cell = el(
      'td',
      { class: `name${isReformat ? ' reformat' : ''}` },
      isReformat ? familySwatch('reformat') : null,
      several
        ? el(
            'button',
            {
              class: 'opener',
              attrs: {
                type: 'button',
                'aria-expanded': String(isOpened),
                'aria-label': isOpened ? 'Hide the layers' : 'Show the layers',
              },
            },
            isOpened ? '▾' : '▸',
          )
        : null,
      fitName(name, room, bodyFont(12, isReformat ? 400 : 500)),
    );
    const full = (side: Side): string =>
      layersName(both[side], pairs.layers(side, pair), (row, engine) => engine.layerName(row));
    cell.title = nameTitle([full('a'), full('b')].filter((text) => text !== '').join('\n'));
    return cell;
  }

  #sideNode(
    side: Side,
    facts: SideFacts | null,
    ms: number | null,
    content: AlignedContent,
  ): HTMLElement {
    const cell = el('td', { class: 'engine chosen', attrs: { 'data-side': side } });
    if (facts === null) {
      cell.append(span(this.#widths.delta > 0 ? 'time dim' : 'dim', '·'));
      return cell;
    }
    this.#fill(cell, facts, ms, content, hasPrecision(this.#widths));
    return cell;
  }

  #fill(
    cell: HTMLElement,
    facts: SideFacts,
    ms: number | null,
    content: AlignedContent,
    isWide: boolean,
  ): void {
    if (this.#widths.delta > 0) {
      cell.append(span(ms === null ? 'time dim' : 'time', inUnit(ms, content.unit)));
      cell.append(this.#bar(facts, ms, content.maxMs));
    }
    if (isWide) cell.append(span('io', ioText(facts)));
  }

  #bar(facts: SideFacts, ms: number | null, maxMs: number): HTMLElement {
    const key = precisionKey(facts.input);
    const isReformat = facts.family === 'reformat';
    const className = isReformat
      ? 'f-reformat hatched'
      : key === 'unknown'
        ? 'unknown'
        : `p-${key}`;
    return bar(ms === null || !(maxMs > 0) ? 0 : ms / maxMs, kEngineBar - 6, className);
  }

  #otherNode(engine: number, pair: number, content: AlignedContent): HTMLElement {
    const cell = el('td', { class: 'engine' });
    const found = this.#otherCell(engine, pair);
    if (found.kind === 'none') {
      cell.append(span('time dim', '·'));
      return cell;
    }
    if (found.kind === 'above') {
      const name = pairName(content.both, content.pairs, found.pair, content.nameOf);
      const node = span('time dim', '↑');
      cell.append(node);
      cell.title = `in ${name}`;
      if (this.#widths.others === 'full') {
        cell.append(span('io above', `in ${fitName(name, 96, bodyFont(11))}`));
      }
      return cell;
    }
    const own = content.report.engines[engine];
    const [first] = found.list;
    const facts =
      own === undefined || first === undefined ? null : sideFacts(own, found.pairs, 'b', first);
    if (facts === null) return cell;
    if (this.#widths.others === 'full') this.#fill(cell, facts, found.ms, content, true);
    else cell.append(span('time', inUnit(found.ms, content.unit)));
    return cell;
  }

  #memberCell(row: Member, engine: number, { both, unit }: AlignedContent): HTMLElement {
    const side = this.#sideOf(engine);
    const className = `engine${side === null ? '' : ' chosen'}`;
    const cell = el('td', { class: className, attrs: { 'data-side': side } });
    if (side !== row.side) return cell;
    const own = both[side];
    if (this.#widths.delta > 0) {
      const time = own.times(own.basisOr('median'))[row.row] ?? Number.NaN;
      cell.append(span('time', inUnit(Number.isNaN(time) ? null : time, unit)));
      cell.append(bar(0, kEngineBar - 6, ''));
    }
    if (hasPrecision(this.#widths)) cell.append(span('io', memberText(own, row.row)));
    return cell;
  }

  #blockEnd(row: Extract<Row, { kind: 'block' }>): HTMLElement {
    const { bar: hasBar, ratio, loss, lossDelta: hasLossDelta } = this.#widths;
    const cells = [hasBar, ratio, loss, loss, hasLossDelta].filter((width) => width > 0);
    const pairs = this.#content?.pairs;
    const beyond = row.pairs.filter((pair) => pairs?.exceedsNoise(pair) === true).length;
    return el(
      'td',
      { class: 'changes dim', attrs: { colspan: cells.length + 1 } },
      `${integer(row.pairs.length)} rows, ${integer(beyond)} beyond noise`,
    );
  }

  #changesCell(row: Row, { pairs, both }: AlignedContent): Content {
    if (row.kind === 'block') return this.#blockEnd(row);
    if (row.kind === 'member') {
      const engine = both[row.side];
      const dims = outputDims(engine, row.row);
      const type = visible(engine.layers.text('type', row.row) ?? kMissing);
      return `${type}${dims === '' ? '' : ` · ${dims}`}`;
    }
    const { pair } = row;
    const [a, b] = [sideFacts(both.a, pairs, 'a', pair), sideFacts(both.b, pairs, 'b', pair)];
    const chips = changeChips(pairs.changes(pair), a, b, both);
    const title = chips.length > 2 ? chips.map((chip) => chip.text).join('\n') : '';
    return el(
      'td',
      { class: 'changes', attrs: { title } },
      ...fittingChips(chips, this.#widths.changes - 10).map((chip) => {
        const node = span('chip', chip.text);
        if (chip.title !== '') node.title = chip.title;
        return node;
      }),
    );
  }

  // --- what is lit

  mark(pair: number | null): void {
    if (this.#content === null) return;
    this.#content = { ...this.#content, selectedPair: pair };
    this.#grid.mark();
  }

  light(pair: number | null): void {
    this.#grid.light((row) => row.kind !== 'block' && row.pair === pair);
  }

  reveal(pair: number): void {
    this.#grid.reveal((row) => row.kind === 'pair' && row.pair === pair);
  }

  destroy(): void {
    this.#grid.destroy();
  }
}

function sumOf(pairs: readonly number[], value: (pair: number) => number | null): number | null {
  let sum: number | null = null;
  for (const pair of pairs) {
    const own = value(pair);
    if (own !== null) sum = (sum ?? 0) + own;
  }
  return sum;
}

// Rows with the layers of opened pairs under them.
export function withMembers(
  rows: readonly Row[],
  both: Both,
  pairs: Pairs,
  opened: ReadonlySet<number>,
): readonly Row[] {
  if (opened.size === 0) return rows;
  return rows.flatMap((row) =>
    row.kind === 'pair' && opened.has(row.pair)
      ? [row, ...membersOf(both, pairs, row.pair)]
      : [row],
  );
}
