// The ledger with what is chosen of it.

import {
  csvOf,
  div,
  fixed,
  integer,
  kFsPerMs,
  linkButton,
  timeUnit,
  visible,
  type Engine,
  type EnginePair,
  type Ledger,
  type Unit,
  type ViewContext,
} from '../../public/index.ts';
import { nextSort, setSort, sortOf } from './choice.ts';
import {
  ledgerData,
  ledgerDelta,
  ledgerOrder,
  LedgerTable,
  type LedgerSort,
} from './ledger_table.ts';

// What layers are sorted by and operations are not stands for the model's order here.
const kLedgerSorts: readonly LedgerSort[] = ['a', 'b', 'size', 'delta'];

export class OperationsMode {
  readonly node = div('');
  readonly #context: ViewContext;
  readonly #ledger: Ledger;
  readonly #enginePair: EnginePair;
  readonly #table: LedgerTable;
  readonly #unit: Unit;
  readonly #maxMs: number;
  readonly #maxDeltaMs: number;
  #rows: readonly number[] = [];
  // Rows of the ledger that each operation's name stands in, by engine.
  readonly #rowsOfName = new Map<number, Map<string, number>>();

  constructor(context: ViewContext, scroller: HTMLElement, ledger: Ledger, enginePair: EnginePair) {
    this.#context = context;
    this.#ledger = ledger;
    this.#enginePair = enginePair;
    const { store } = context;
    let [maxMs, maxDeltaMs] = [0, 0];
    for (let row = 0; row < ledger.count; row += 1) {
      for (const engine of [enginePair.a, enginePair.b]) {
        maxMs = Math.max(maxMs, (ledger.cell(row, engine)?.fs ?? 0) / kFsPerMs);
      }
      const delta = Math.abs(ledgerDelta(ledger, row, enginePair.a, enginePair.b) ?? 0);
      maxDeltaMs = Math.max(maxDeltaMs, delta);
    }
    this.#maxMs = maxMs;
    this.#maxDeltaMs = maxDeltaMs;
    this.#unit = timeUnit(maxMs);
    this.#table = new LedgerTable(context, scroller, {
      sort: (column) => setSort(store, nextSort(sortOf(store), column)),
      select: (row, side) => this.#select(row, side),
    });
    this.node.append(this.#table.node);
  }

  #engine(index: number): Engine | undefined {
    return this.#context.store.report.engines[index];
  }

  // The operation's first layer in the engine that was meant, else in the other.
  #select(row: number, side: 'a' | 'b'): void {
    const { a, b } = this.#enginePair;
    for (const index of side === 'a' ? [a, b] : [b, a]) {
      const engine = this.#engine(index);
      const name = this.#ledger.cell(row, index)?.name ?? null;
      if (engine === undefined || name === null) continue;
      const found = engine.workRows.find((layer) =>
        engine.sourcesOf(layer).some((i) => engine.sources.text('op_name', i) === name),
      );
      if (found !== undefined) {
        this.#context.store.selectInEngine(index, found);
        return;
      }
    }
    this.#context.note('no layer of these two engines names this operation as its source');
  }

  #namesOf(index: number): Map<string, number> {
    let names = this.#rowsOfName.get(index);
    if (names === undefined) {
      names = new Map();
      for (let row = 0; row < this.#ledger.count; row += 1) {
        const name = this.#ledger.cell(row, index)?.name ?? null;
        if (name !== null && this.#ledger.kind(row) === 'operation') names.set(name, row);
      }
      this.#rowsOfName.set(index, names);
    }
    return names;
  }

  // The operations of the selected layer.
  get #selected(): ReadonlySet<number> {
    const { selected, engine: index } = this.#context.store.state;
    const engine = this.#engine(index);
    if (selected === null || engine === undefined) return new Set();
    const names = this.#namesOf(index);
    return new Set(
      engine
        .sourcesOf(selected)
        .map((i) => names.get(engine.sources.text('op_name', i) ?? '') ?? -1)
        .filter((row) => row >= 0),
    );
  }

  #has(row: number): boolean {
    const { a, b } = this.#enginePair;
    return this.#ledger.cell(row, a) !== null || this.#ledger.cell(row, b) !== null;
  }

  draw(): void {
    const { store } = this.#context;
    const chosen = sortOf(store);
    const column = kLedgerSorts.find((one) => one === chosen?.column) ?? null;
    const sort =
      chosen === null || column === null ? null : { column, descending: chosen.descending };
    this.#rows = ledgerOrder(this.#ledger, this.#enginePair, sort, (row) => this.#has(row));
    const steps = [this.#enginePair.a, this.#enginePair.b].map(
      (i) => this.#engine(i)?.summary.time.resolution_us ?? null,
    );
    this.#table.show({
      report: store.report,
      ledger: this.#ledger,
      enginePair: this.#enginePair,
      rows: this.#rows,
      unit: this.#unit,
      sort,
      maxMs: this.#maxMs,
      maxDeltaMs: this.#maxDeltaMs,
      stepsUs: steps,
      selected: this.#selected,
    });
  }

  explain(): string {
    const { unit, scale } = this.#unit;
    const rows = integer(this.#rows.length);
    if (this.#maxMs === 0) return `${rows} operations · no times`;
    const [a, b] = [this.#enginePair.a, this.#enginePair.b].map(
      (i) => this.#engine(i)?.summary.time.resolution_us ?? null,
    );
    const step =
      a === null || b === null || a === undefined || b === undefined
        ? 'noise unknown'
        : a === b
          ? `≈ within the profiler’s step, ${fixed(a, 3)} µs a side`
          : `≈ within the profilers’ steps, ${fixed(a, 3)} and ${fixed(b, 3)} µs`;
    return `${rows} of the source model, each layer’s time spread over its operations: rows add up to Σ layers · ${unit} · bars to ${fixed(this.#maxMs * scale, 0)} ${unit} · ${step}`;
  }

  actions(): readonly HTMLElement[] {
    const { store } = this.#context;
    const sort = sortOf(store);
    return [
      linkButton(sort?.column === 'size' ? 'in model order' : 'by difference', 'Row order', () =>
        setSort(store, sort?.column === 'size' ? null : { column: 'size', descending: true }),
      ),
      linkButton('CSV', 'Save all rows', () => this.#save()),
    ];
  }

  #save(): void {
    const { report } = this.#context.store;
    const table = ledgerData(report, this.#ledger, this.#enginePair);
    const name = visible(this.#engine(this.#enginePair.a)?.id ?? 'ledger').slice(0, 80);
    this.#context.download(`${name}.ledger.csv`, csvOf(table));
  }

  destroy(): void {
    this.#table.destroy();
  }
}
