// The ledger: the time of every engine by operation of the source model. Each layer's time is
// spread over its source operations, so the rows add up to the last line exactly, in femtoseconds.

import {
  bar,
  bodyFont,
  column,
  csvOf,
  deltaMark,
  divergingBar,
  el,
  figureTable,
  fitName,
  fixed,
  Grid,
  integer,
  joined,
  kFsPerMs,
  kMissing,
  linkButton,
  nameTitle,
  numbers,
  scaleOf,
  span,
  visible,
  type Column,
  type Columns,
  type Content,
  type EnginePair,
  type Ledger,
  type LedgerCell,
  type DeltaScale,
  type Side,
  type ViewContext,
} from '../../public/index.ts';
import { isBySize, orderLink, sorting, type ModePart } from './choice.ts';
import { engineHead, sideOf } from './engine_table.ts';

const kPadding = 32;
const kEngine = 108;
const kMaxEngine = 170;
const kTimesOnly = 66;
// The part of an engine's column that is not its bar.
const kTime = 70;
const kMaxName = 380;
const kDelta = 76;
const kDiverging = 84;
const kCount = 64;
const kSpread = 104;
const kMinName = 190;

const fsOf = (cell: LedgerCell | null): number => cell?.fs ?? 0;

export class OperationsMode implements ModePart {
  readonly #context: ViewContext;
  readonly #ledger: Ledger;
  readonly #pair: EnginePair;
  readonly #grid: Grid<number>;
  readonly #scale: DeltaScale;
  // Operations that A or B has, in the model's order.
  readonly #rows: readonly number[];
  // Timer steps of the profilers of A and B, µs; null if unknown.
  readonly #steps: readonly (number | null)[];
  #selected: ReadonlySet<number> = new Set();

  constructor(context: ViewContext, scroller: HTMLElement, ledger: Ledger, pair: EnginePair) {
    const { store } = context;
    this.#context = context;
    this.#ledger = ledger;
    this.#pair = pair;
    this.#rows = this.#all.filter((row) => this.#cells(row).some((cell) => cell !== null));
    this.#scale = scaleOf(
      this.#rows,
      (row) => this.#cells(row).map((own) => fsOf(own) / kFsPerMs),
      (row) => this.#delta(row),
    );
    this.#steps = [pair.a, pair.b].map(
      (i) => store.report.engines[i]?.summary.time.resolution_us ?? null,
    );
    this.#grid = new Grid<number>(context, {
      label: 'Time by operation of the source model',
      class: 'aligned-table ledger-table',
      scroller,
      columns: (width) => this.#columns(width),
      minName: kMinName,
      ...sorting(store),
      isSelected: (row) => this.#selected.has(row),
      props: (row) => ({ attrs: { 'data-operation': row } }),
      click: (row, _, column) => this.#select(row, column?.id === 'b' ? 'b' : 'a'),
      open: () => {
        // An operation has no box in the graph.
      },
    });
  }

  get node(): HTMLElement {
    return this.#grid.node;
  }

  get #all(): readonly number[] {
    return Array.from({ length: this.#ledger.count }, (_, row) => row);
  }

  // --- the ledger's values for an operation

  // For A and for B.
  #cells(row: number): readonly [LedgerCell | null, LedgerCell | null] {
    return [this.#ledger.cell(row, this.#pair.a), this.#ledger.cell(row, this.#pair.b)];
  }

  #name(row: number): string {
    return this.#ledger.label(row, this.#pair.a, this.#pair.b);
  }

  #delta(row: number): number | null {
    return this.#ledger.deltaMs(row, this.#pair.a, this.#pair.b);
  }

  // More than one step of the profiler per side: for parts of layers nothing else is known about
  // noise. An added or removed operation counts as changed whatever the noise; null if the steps
  // are unknown.
  #isBeyondNoise(row: number): boolean | null {
    const deltaMs = this.#delta(row);
    if (deltaMs === null) return null;
    if (this.#cells(row).includes(null)) return true;
    const [a, b] = this.#steps;
    if (a === null || a === undefined || b === null || b === undefined) return null;
    // A little more, because a step is a rounded number.
    return Math.abs(deltaMs) * 1e3 > (a + b) * 1.001;
  }

  // --- the layers of an operation

  // The operation's first layer in the clicked engine, else in the other.
  #select(row: number, side: Side): void {
    const { store } = this.#context;
    const { a, b } = this.#pair;
    for (const index of side === 'a' ? [a, b] : [b, a]) {
      const engine = store.report.engines[index];
      const name = this.#ledger.cell(row, index)?.name ?? null;
      if (engine === undefined || name === null) continue;
      const found = engine.workRows.find((layer) =>
        engine.sourcesOf(layer).some((i) => engine.sources.text('op_name', i) === name),
      );
      if (found !== undefined) {
        store.selectInEngine(index, found);
        return;
      }
    }
    this.#context.note('no layer of these two engines names this operation as its source');
  }

  // The operations of the selected layer.
  #selectedRows(): ReadonlySet<number> {
    const { report, state } = this.#context.store;
    const engine = report.engines[state.engine];
    if (state.selected === null || engine === undefined) return new Set();
    const sources = engine.sourcesOf(state.selected);
    const names = new Set(sources.map((i) => engine.sources.text('op_name', i)));
    names.delete(null);
    const isOne = (row: number): boolean =>
      this.#ledger.kind(row) === 'operation' &&
      names.has(this.#ledger.cell(row, state.engine)?.name ?? null);
    return new Set(this.#rows.filter(isOne));
  }

  // --- drawing

  draw(): void {
    this.#selected = this.#selectedRows();
    this.#grid.draw(this.#rows);
  }

  #columns(width: number): Columns<number> {
    const { store } = this.#context;
    const ledger = this.#ledger;
    const { unit, maxDeltaMs } = this.#scale;
    const available = width - kPadding;
    const count = store.report.engines.length;
    const rest = kDelta + kDiverging + kCount;
    const least = kMinName + 2 * kEngine + rest;
    const hasSpread = available >= least + kSpread;
    const hasOthers = available >= least + kSpread + (count - 2) * kTimesOnly;
    // Whether the engines other than A and B have bars, too.
    const hasBars = available >= least + kSpread + (count - 2) * kEngine;
    const engines = [...store.report.engines.keys()].filter(
      (i) => hasOthers || sideOf(store, i) !== null,
    );
    const room = available - rest - (hasSpread ? kSpread : 0) - kMaxName;
    const perEngine = Math.round(room / (hasBars ? engines.length : 2));
    const engineWidth = Math.min(kMaxEngine, Math.max(kEngine, perEngine));
    const totalDelta = (): number | null => {
      const [a, b] = [this.#sum(this.#pair.a), this.#sum(this.#pair.b)];
      return a === null || b === null ? null : (b - a) / kFsPerMs;
    };
    const isAll = this.#rows.length === ledger.count;
    const nameOf = (row: number): string => visible(this.#name(row));
    const counts = (row: number): string =>
      this.#cells(row)
        .map((own) => (own === null ? kMissing : integer(own.layers)))
        .join(' → ');
    const spread = (row: number): string => {
      if (ledger.kind(row) !== 'operation') return '';
      return [...new Set(this.#cells(row).flatMap((own) => own?.spread ?? []))].join(', ');
    };
    const sortedDelta = (row: number): number => {
      const delta = this.#delta(row) ?? 0;
      return isBySize(store) ? Math.abs(delta) : delta;
    };
    const half = kDiverging / 2 - 6;
    // The table has a margin at both ends.
    const margin = kPadding / 2;
    return [
      column('Operation', (row, _, px) => fitName(nameOf(row), px - margin, bodyFont(12, 500)), {
        class: 'name',
        width: null,
        title: (row) => {
          const type = ledger.type(row);
          return nameTitle(type === null ? nameOf(row) : `${nameOf(row)}\n${visible(type)}`);
        },
        foot: () => [
          'Σ layers',
          isAll
            ? null
            : span(
                'dim',
                ` in ${integer(this.#rows.length)} of ${integer(ledger.count)} operations`,
              ),
        ],
      }),
      ...engines.map((i) => {
        const hasBar = hasBars || sideOf(store, i) !== null;
        return this.#engineColumn(i, hasBar ? engineWidth : kTimesOnly, hasBar);
      }),
      numbers(
        `B − A, ${unit.unit}`,
        (row) => deltaMark(this.#delta(row), unit, this.#isBeyondNoise(row)),
        {
          id: 'delta',
          width: kDelta,
          sortBy: sortedDelta,
          foot: () => deltaMark(totalDelta(), unit, null),
        },
      ),
      column(
        span('offscreen', 'bar'),
        (row) => divergingBar(this.#delta(row), maxDeltaMs, half, this.#isBeyondNoise(row)),
        { width: kDiverging },
      ),
      numbers('layers', counts, {
        cellClass: 'dim',
        help: 'Layers of A and B that contain it',
        width: kCount + (hasSpread ? 0 : margin),
      }),
      hasSpread &&
        column('spread by', spread, {
          class: 'changes',
          cellClass: 'dim',
          help: 'How layer time is divided among operations',
          width: kSpread + margin,
        }),
    ];
  }

  // Over the rows that are shown.
  #sum(engine: number): number | null {
    const total = this.#ledger.totalFs[engine] ?? null;
    if (this.#rows.length === this.#ledger.count || total === null) return total;
    return this.#rows.reduce((sum, row) => sum + fsOf(this.#ledger.cell(row, engine)), 0);
  }

  #engineColumn(i: number, width: number, hasBar: boolean): Column<number> {
    const { store } = this.#context;
    const { maxMs, unit } = this.#scale;
    const side = sideOf(store, i);
    const className = `engine${side === null ? '' : ' chosen'}`;
    const cell = (row: number): Content => {
      const own = this.#ledger.cell(row, i);
      if (own === null) return span('time dim', '·');
      const fs = fsOf(own);
      const ratio = maxMs > 0 ? fs / kFsPerMs / maxMs : 0;
      // The hatched part only reformats for the operation.
      const isReformat = fs > 0 && own.reformatFs / fs > 0.5;
      const fill = isReformat ? 'f-reformat hatched' : 'plain-bar';
      return [span('time', this.#text(own.fs)), hasBar && bar(ratio, width - kTime, fill)];
    };
    const title = (row: number): string | null => {
      const own = this.#ledger.cell(row, i);
      if (own === null) return null;
      const name = visible(own.name ?? '');
      const reformats = `${this.#text(own.reformatFs)} ${unit.unit} of it in reformats`;
      const isOther = own.name !== null && name !== visible(this.#name(row));
      return joined([isOther && `here ${name}`, own.reformatFs > 0 && reformats], '\n');
    };
    const foot = (): HTMLElement => {
      const sum = this.#sum(i);
      const total = this.#ledger.totalFs[i] ?? null;
      const isPart = total !== null && sum !== total;
      const title = isPart
        ? `Σ layers is ${this.#text(total)}: the rest belongs to operations that neither A nor B has`
        : null;
      return el('td', { class: className, attrs: { title } }, span('time', this.#text(sum)));
    };
    return column(engineHead(store, i), cell, {
      id: side ?? `engine${i}`,
      class: className,
      help: nameTitle(visible(store.report.engines[i]?.name ?? '')),
      width,
      title,
      sortBy: side === null ? undefined : (row) => fsOf(this.#ledger.cell(row, i)),
      foot,
    });
  }

  // A nonzero time that rounds to 0 is shown as such.
  #text(fs: number | null): string {
    if (fs === null) return kMissing;
    const { scale, decimals } = this.#scale.unit;
    const value = (fs / kFsPerMs) * scale;
    const least = 0.5 * 10 ** -decimals;
    return value > 0 && value < least ? `<${fixed(2 * least, decimals)}` : fixed(value, decimals);
  }

  // --- next to the title

  explain(): string {
    const { maxMs } = this.#scale;
    const { unit, scale } = this.#scale.unit;
    const rows = integer(this.#rows.length);
    if (maxMs === 0) return `${rows} operations · no times`;
    const [a, b] = this.#steps;
    const step =
      a === null || b === null
        ? 'noise unknown'
        : a === b
          ? `≈ within the profiler’s step, ${fixed(a, 3)} µs per side`
          : `≈ within the profilers’ steps, ${fixed(a, 3)} and ${fixed(b, 3)} µs`;
    return `${rows} of the source model, each layer’s time spread over its operations: rows add up to Σ layers · ${unit} · bars to ${fixed(maxMs * scale, 0)} ${unit} · ${step}`;
  }

  actions(): readonly HTMLElement[] {
    return [
      orderLink(this.#context.store, 'in model order'),
      linkButton('CSV', 'Save all rows', () => this.#save()),
    ];
  }

  #save(): void {
    const { engines } = this.#context.store.report;
    const table = figureTable<number>(this.#all, [
      ['operation', null, (row) => this.#name(row)],
      ['type', null, (row) => this.#ledger.type(row)],
      ...engines.map(({ id }, i) => {
        const ms = (row: number): number =>
          (this.#ledger.cell(row, i)?.fs ?? Number.NaN) / kFsPerMs;
        return [`${visible(id)}, ms`, 4, ms] as const;
      }),
    ]);
    const name = visible(engines[this.#pair.a]?.id ?? 'ledger').slice(0, 80);
    this.#context.download(`${name}.ledger.csv`, csvOf(table));
  }

  destroy(): void {
    this.#grid.destroy();
  }
}
