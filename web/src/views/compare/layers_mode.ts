// The aligned table with its settings: which rows, their order, blocks, opened pairs.

import {
  csvOf,
  equals,
  figureTable,
  fixed,
  Grid,
  integer,
  inUnit,
  linkButton,
  plural,
  scaleOf,
  type Change,
  type Columns,
  type Pairs,
  type DeltaScale,
  type Side,
  type ViewContext,
} from '../../public/index.ts';
import { alignedColumns } from './aligned.ts';
import { isOfMarks, onlyOf, orderLink, sorting, type ModePart } from './choice.ts';
import { otherCells, type OtherCell } from './other_cells.ts';
import { changeChips } from './pair_facts.ts';
import {
  blocksOfPairs,
  inBlocks,
  isOfSeveral,
  keepOf,
  pairName,
  sideName,
  sorted,
  staysOf,
  type NameOf,
  type Row,
} from './pair_rows.ts';

// With more rows than this, blocks are folded.
const kFoldFrom = 400;
// With fewer pairs than this, pairs of several layers are open at first.
const kOpenBelow = 200;

const kForward: readonly string[] = ['j', 'ArrowDown'];
const kBack: readonly string[] = ['k', 'ArrowUp'];

export class LayersMode implements ModePart {
  readonly #context: ViewContext;
  readonly #pairs: Pairs;
  readonly #grid: Grid<Row>;
  readonly #unsubscribe: () => void;
  readonly #all: readonly number[];
  readonly #scale: DeltaScale;
  readonly #nameOf: NameOf = (row, engine) => this.#context.store.layerLabel(row, engine);
  // Toggled by the reader: pairs that differ from their initial state, and open blocks.
  readonly #turned = new Set<number>();
  readonly #openBlocks = new Set<number>();
  readonly #others = new Map<number, readonly OtherCell[]>();
  #blockOf: readonly number[] | null = null;
  #folds = false;
  #chosen: readonly number[] = [];
  #rows: readonly Row[] = [];
  #drawnWidth = -1;

  constructor(context: ViewContext, scroller: HTMLElement, pairs: Pairs) {
    const { store, tooltip } = context;
    this.#context = context;
    this.#pairs = pairs;
    this.#all = Array.from({ length: pairs.count }, (_, pair) => pair);
    this.#scale = scaleOf(
      this.#all,
      (pair) => [pairs.timeMs('a', pair), pairs.timeMs('b', pair)],
      (pair) => pairs.deltaMs(pair),
    );
    this.#grid = new Grid<Row>(context, {
      label: 'Aligned layers',
      class: 'aligned-table',
      scroller,
      columns: (width) => this.#columns(width),
      isOrdered: true,
      ...sorting(store),
      props: (row) => ({
        class: row.kind === 'block' ? 'block-row' : row.kind === 'member' ? 'member' : '',
        attrs: { 'data-pair': row.kind === 'block' ? null : row.pair },
      }),
      isSelected: (row) => row.kind === 'pair' && row.pair === this.#selectedPair,
      click: (row, event, column) => this.#click(row, event, column?.id === 'b' ? 'b' : 'a'),
      open: (row) => {
        if (row.kind !== 'block') store.setOption('compare.mode', 'graphs');
      },
      hover: (row, event, column) => {
        const at = row === null ? null : this.#layerOf(row, column?.id === 'b' ? 'b' : 'a');
        store.hover(at?.row ?? null, at?.engine ?? 0);
        if (at === null) tooltip.hide();
        else tooltip.layer(at.row, event, at.engine);
      },
    });
    this.#unsubscribe = store.onHover(() => {
      const hovered = store.hoveredLayer;
      const lit = hovered === null ? null : store.pairedRows(hovered.engine, hovered.row);
      this.#grid.light((row) => row.kind !== 'block' && row.pair === lit?.pair);
    });
  }

  get node(): HTMLElement {
    return this.#grid.node;
  }

  // --- the layer of a click

  // The layer of the column's side, else of the other side.
  #layerOf(row: Row, wanted: Side): { readonly engine: number; readonly row: number } | null {
    if (row.kind === 'block') return null;
    if (row.kind === 'member') return { engine: this.#pairs[row.side], row: row.row };
    const sides = wanted === 'b' ? (['b', 'a'] as const) : (['a', 'b'] as const);
    for (const side of sides) {
      const layer = this.#pairs.row(side, row.pair);
      if (layer !== null) return { engine: this.#pairs[side], row: layer };
    }
    return null;
  }

  #click(row: Row, event: MouseEvent, side: Side): void {
    const { store } = this.#context;
    const target = event.target instanceof Element ? event.target : null;
    if (row.kind === 'block') {
      this.#toggle(this.#openBlocks, row.block);
      return;
    }
    if (target?.closest('.opener')) {
      this.#toggle(this.#turned, row.pair);
      return;
    }
    const at = this.#layerOf(row, side);
    if (at === null) return;
    if (event.altKey) {
      const type = store.report.engines[at.engine]?.layers.text('type', at.row) ?? null;
      if (type !== null) store.addChip(equals('type', type));
      return;
    }
    const before = target?.closest('tr')?.getBoundingClientRect().top;
    store.selectInEngine(at.engine, at.row);
    // The panel takes room from the elements above the table; the row stays under the pointer.
    if (before !== undefined) this.#grid.keep(row, before);
  }

  #toggle(set: Set<number>, value: number): void {
    if (!set.delete(value)) set.add(value);
    this.#show();
  }

  get #selectedPair(): number | null {
    const { store } = this.#context;
    const { selected, engine } = store.state;
    return selected === null ? null : (store.pairedRows(engine, selected)?.pair ?? null);
  }

  // --- drawing

  draw(change: Change): void {
    if (!isOfMarks(change) || this.node.clientWidth !== this.#drawnWidth) this.#show();
    else this.#grid.mark();
    if (change.has('selected')) this.#revealSelected();
  }

  #revealSelected(): void {
    const selected = this.#selectedPair;
    if (selected === null) return;
    const block = this.#blockOfPair(selected);
    if (this.#folds && !this.#openBlocks.has(block) && this.#chosen.includes(selected)) {
      this.#toggle(this.#openBlocks, block);
    }
    this.#grid.reveal((row) => row.kind === 'pair' && row.pair === selected);
  }

  #blockOfPair(pair: number): number {
    this.#blockOf ??= blocksOfPairs(this.#pairs);
    return this.#blockOf[pair] ?? 0;
  }

  #isOpened(pair: number): boolean {
    const usually = this.#pairs.count <= kOpenBelow;
    return isOfSeveral(this.#pairs, pair) && usually !== this.#turned.has(pair);
  }

  #show(): void {
    const { store } = this.#context;
    const pairs = this.#pairs;
    const keep = keepOf(onlyOf(store), pairs);
    const [a, b] = [store.selectionOf(pairs.a).mask, store.selectionOf(pairs.b).mask];
    const stays = store.state.chips.length === 0 ? () => true : staysOf(pairs, { a, b });
    const chosen = this.#all.filter((pair) => keep(pair) && stays(pair));
    const inOrder = sorted(chosen, pairs, store.option('compare.sort'));
    this.#chosen = inOrder ?? chosen;
    const { blocks } = pairs.engine('a');
    this.#folds = inOrder === null && chosen.length > kFoldFrom && blocks.length > 1;
    const isOpen = (block: number): boolean => this.#openBlocks.has(block);
    const rows = this.#folds
      ? inBlocks(chosen, blocks, (pair) => this.#blockOfPair(pair), isOpen)
      : this.#chosen.map((pair): Row => ({ kind: 'pair', pair }));
    // With the layers of opened pairs below them.
    this.#rows = rows.flatMap((row): readonly Row[] => {
      if (row.kind !== 'pair' || !this.#isOpened(row.pair)) return [row];
      const { pair } = row;
      return [row, ...pairs.layers(pair).map((at): Row => ({ kind: 'member', pair, ...at }))];
    });
    this.#drawnWidth = this.node.clientWidth;
    this.#grid.draw(this.#rows);
  }

  #columns(width: number): Columns<Row> {
    return alignedColumns(
      {
        store: this.#context.store,
        pairs: this.#pairs,
        rows: this.#rows,
        scale: this.#scale,
        nameOf: this.#nameOf,
        isOpened: (pair) => this.#isOpened(pair),
        other: (engine, pair) => this.#otherCells(engine)[pair] ?? { kind: 'none' },
      },
      width,
    );
  }

  #otherCells(engine: number): readonly OtherCell[] {
    let cells = this.#others.get(engine);
    if (cells === undefined) {
      cells = otherCells(this.#context.store.report, this.#pairs, engine);
      this.#others.set(engine, cells);
    }
    return cells;
  }

  // --- next to the title

  explain(): string {
    const { store } = this.#context;
    const { maxMs, unit: of } = this.#scale;
    const { unit, scale, decimals } = of;
    const count = `${integer(this.#chosen.length)} of ${integer(this.#pairs.count)} rows`;
    const only = onlyOf(store) === 'changed' ? ' changed' : '';
    if (maxMs === 0) return `${count}${only} · no times`;
    const most = fixed(maxMs * scale, decimals === 1 ? 0 : 2);
    const folds = this.#folds ? ' · blocks of A' : '';
    const { unchanged } = this.#pairs.way;
    const scatter =
      unchanged === null
        ? ''
        : `: ${plural(unchanged.pairs, 'unchanged pair')} scatter by ${inUnit(unchanged.scatter_ms, of)} ${unit}`;
    return `${count}${only}${folds} · ${unit} · bars to ${most} ${unit}, colored by input precision, reformats hatched · ≈ within the noise${scatter}`;
  }

  actions(): readonly HTMLElement[] {
    const csv = linkButton('CSV', 'Save the rows shown', () => this.#save());
    const { store } = this.#context;
    return this.#scale.maxMs === 0 ? [csv] : [orderLink(store, 'in execution order'), csv];
  }

  #save(): void {
    const pairs = this.#pairs;
    const ids = this.#context.store.report.engines.map(({ id }) => id);
    const [a = '', b = ''] = [ids[pairs.a], ids[pairs.b]];
    const others = [...ids.keys()].filter((i) => i !== pairs.a && i !== pairs.b);
    const raw = (side: Side) => (pair: number) =>
      sideName(pairs, side, pair, (row, engine) => engine.rawName(row));
    const time = (side: Side) => (pair: number) => pairs.timeMs(side, pair);
    // Named like planex compare --pairs does; empty without accuracy records of both.
    const loss = (side: Side, where: 'simulated' | 'engine') =>
      [`${side}_${where}_db`, 1, (pair: number) => pairs.lossDb(side, where, pair)] as const;
    const isBeyond = (pair: number): number | null => {
      const beyond = pairs.exceedsNoise(pair);
      return beyond === null ? null : Number(beyond);
    };
    const table = figureTable<number>(this.#chosen, [
      ['pair', 0, (pair) => pair],
      ['layer', null, (pair) => pairName(pairs, pair, this.#nameOf)],
      ['a', null, raw('a')],
      ['b', null, raw('b')],
      [`${a}_ms`, 4, time('a')],
      [`${b}_ms`, 4, time('b')],
      ...others.map((i) => {
        const ms = (pair: number): number | null => {
          const cell = this.#otherCells(i)[pair];
          return cell?.kind === 'here' ? cell.ms : null;
        };
        return [`${ids[i] ?? ''}_ms`, 4, ms] as const;
      }),
      ['delta_ms', 4, (pair) => pairs.deltaMs(pair)],
      ['exceeds_noise', 0, isBeyond],
      loss('a', 'simulated'),
      loss('b', 'simulated'),
      loss('a', 'engine'),
      loss('b', 'engine'),
      ['cause', null, (pair) => pairs.cause(pair)],
      [
        'changes',
        null,
        (pair) =>
          changeChips(pairs, pair)
            .map(({ text }) => text)
            .join(', '),
      ],
    ]);
    this.#context.download(`${a.slice(0, 60)}-${b.slice(0, 60)}.pairs.csv`, csvOf(table));
  }

  // --- keys

  key(key: string): boolean {
    const selected = this.#selectedPair;
    if (kForward.includes(key) || kBack.includes(key)) {
      this.#step(kForward.includes(key) ? 1 : -1, selected);
      return true;
    }
    if (key !== 'o' || selected === null || !isOfSeveral(this.#pairs, selected)) return false;
    this.#toggle(this.#turned, selected);
    return true;
  }

  #step(by: 1 | -1, selected: number | null): void {
    const { store } = this.#context;
    const last = this.#chosen.length - 1;
    const at = selected === null ? -1 : this.#chosen.indexOf(selected);
    const place = at < 0 ? (by > 0 ? 0 : last) : at + by;
    const pair = this.#chosen[Math.min(last, Math.max(0, place))];
    if (pair === undefined) return;
    // In the engine on screen, if it has the pair.
    const side = store.state.engine === this.#pairs.b ? 'b' : 'a';
    const next = this.#layerOf({ kind: 'pair', pair }, side);
    if (next !== null) store.selectInEngine(next.engine, next.row);
  }

  destroy(): void {
    this.#unsubscribe();
    this.#grid.destroy();
  }
}
