// The aligned table with what is chosen of it: which rows, their order, blocks, opened pairs.

import {
  csvOf,
  div,
  equals,
  figureTable,
  fixed,
  integer,
  inUnit,
  linkButton,
  plural,
  timeUnit,
  type Change,
  type Pairs,
  type Unit,
  type ViewContext,
} from '../../public/index.ts';
import { AlignedTable, withMembers } from './aligned.ts';
import { nextSort, onlyOf, setSort, sortOf } from './choice.ts';
import { otherCells } from './other_cells.ts';
import { changeChips, sideFacts } from './pair_facts.ts';
import {
  blocksOfPairs,
  inBlocks,
  isOfSeveral,
  keepOf,
  layersName,
  pairName,
  sorted,
  staysOf,
  type Both,
  type NameOf,
  type Row,
} from './pair_rows.ts';

// With more rows than this, blocks are folded.
const kFoldFrom = 400;
// With fewer pairs than this, those of several layers are open at first.
const kOpenBelow = 200;

// As planex compare --pairs names them; empty without records of both.
const kLossFields = [
  ['a_simulated_db', 'a', 'simulated'],
  ['b_simulated_db', 'b', 'simulated'],
  ['a_engine_db', 'a', 'engine'],
  ['b_engine_db', 'b', 'engine'],
] as const;

export class LayersMode {
  readonly node = div('');
  readonly #context: ViewContext;
  readonly #pairs: Pairs;
  readonly #both: Both;
  readonly #table: AlignedTable;
  readonly #unsubscribe: () => void;
  readonly #unit: Unit;
  readonly #maxMs: number;
  readonly #maxDeltaMs: number;
  // Turned by the reader: pairs that are the other way than at first, blocks that are open.
  readonly #turned = new Set<number>();
  readonly #openBlocks = new Set<number>();
  #blockOf: Int32Array | null = null;
  #chosen: readonly number[] = [];
  #rows: readonly Row[] = [];
  #drawnWidth = -1;

  constructor(context: ViewContext, scroller: HTMLElement, pairs: Pairs) {
    this.#context = context;
    this.#pairs = pairs;
    const { store } = context;
    const [a, b] = [store.report.engines[pairs.a], store.report.engines[pairs.b]];
    if (a === undefined || b === undefined) throw new Error('a pair has two engines');
    this.#both = { a, b };
    let [maxMs, maxDeltaMs] = [0, 0];
    for (let pair = 0; pair < pairs.count; pair += 1) {
      maxMs = Math.max(maxMs, pairs.timeMs('a', pair) ?? 0, pairs.timeMs('b', pair) ?? 0);
      maxDeltaMs = Math.max(maxDeltaMs, Math.abs(pairs.deltaMs(pair) ?? 0));
    }
    this.#maxMs = maxMs;
    this.#maxDeltaMs = maxDeltaMs;
    this.#unit = timeUnit(maxMs);
    this.#table = new AlignedTable(context, scroller, {
      sort: (column) => setSort(store, nextSort(sortOf(store), column)),
      select: (engine, row) => store.selectInEngine(engine, row),
      hover: (engine, row, event) => {
        store.hover(row, engine);
        if (row !== null) context.tooltip.layer(row, event, engine);
        else context.tooltip.hide();
      },
      toggleBlock: (block) => this.#toggle(this.#openBlocks, block),
      togglePair: (pair) => this.#toggle(this.#turned, pair),
      filterType: (type) => store.addChip(equals('type', type)),
      openGraphs: () => store.setOption('compare.mode', 'graphs'),
    });
    this.node.append(this.#table.node);
    this.#unsubscribe = store.onHover(() => this.#light());
  }

  readonly #nameOf: NameOf = (row, engine) => this.#context.store.layerLabel(row, engine);

  #toggle(set: Set<number>, value: number): void {
    if (!set.delete(value)) set.add(value);
    this.#show();
  }

  #isOpened(pair: number): boolean {
    const usually = this.#pairs.count <= kOpenBelow;
    return isOfSeveral(this.#pairs, pair) && usually !== this.#turned.has(pair);
  }

  #light(): void {
    const { store } = this.#context;
    const hovered = store.hoveredLayer;
    const paired = hovered === null ? null : store.pairedRows(hovered.engine, hovered.row);
    this.#table.light(paired?.pair ?? null);
  }

  get #selectedPair(): number | null {
    const { store } = this.#context;
    const { selected, engine } = store.state;
    return selected === null ? null : (store.pairedRows(engine, selected)?.pair ?? null);
  }

  draw(change: Change): void {
    const isMarkOnly =
      change.size > 0 && [...change].every((key) => ['selected', 'item', 'engine'].includes(key));
    const width = this.#table.node.clientWidth;
    if (!isMarkOnly || width !== this.#drawnWidth) this.#show();
    else this.#table.mark(this.#selectedPair);
    if (change.has('selected')) this.#revealSelected();
  }

  #revealSelected(): void {
    const pair = this.#selectedPair;
    if (pair === null) return;
    const block = this.#folds ? this.#blockOfPair(pair) : null;
    if (block !== null && !this.#openBlocks.has(block) && this.#chosen.includes(pair)) {
      this.#openBlocks.add(block);
      this.#show();
    }
    this.#table.reveal(pair);
  }

  #blockOfPair(pair: number): number {
    this.#blockOf ??= blocksOfPairs(this.#pairs, this.#both.a, this.#both.a.blocks);
    return this.#blockOf[pair] ?? 0;
  }

  get #folds(): boolean {
    const { store } = this.#context;
    return (
      sortOf(store) === null && this.#chosen.length > kFoldFrom && this.#both.a.blocks.length > 1
    );
  }

  #show(): void {
    const { store } = this.#context;
    const pairs = this.#pairs;
    const sort = sortOf(store);
    const keep = keepOf(onlyOf(store), this.#both, pairs);
    const stays =
      store.state.chips.length === 0
        ? () => true
        : staysOf(this.#both, pairs, {
            a: store.selectionOf(pairs.a).mask,
            b: store.selectionOf(pairs.b).mask,
          });
    const all = Array.from({ length: pairs.count }, (_, pair) => pair);
    const chosen = all.filter((pair) => keep(pair) && stays(pair));
    this.#chosen = sort === null ? chosen : sorted(chosen, pairs, sort);
    this.#rows = this.#folds
      ? inBlocks(this.#chosen, {
          blocks: this.#both.a.blocks,
          blockOf: Int32Array.from(all, (pair) => this.#blockOfPair(pair)),
          isOpen: (block) => this.#openBlocks.has(block),
        })
      : this.#chosen.map((pair) => ({ kind: 'pair', pair }));
    const opened = new Set(this.#chosen.filter((pair) => this.#isOpened(pair)));
    this.#drawnWidth = this.#table.node.clientWidth;
    this.#table.show({
      report: store.report,
      pairs,
      both: this.#both,
      rows: withMembers(this.#rows, this.#both, pairs, opened),
      opened,
      unit: this.#unit,
      sort,
      nameOf: this.#nameOf,
      threshold_ratio: store.report.comparison?.threshold_ratio ?? 0,
      selectedPair: this.#selectedPair,
      maxMs: this.#maxMs,
      maxDeltaMs: this.#maxDeltaMs,
    });
  }

  explain(): string {
    const { store } = this.#context;
    const { unit } = this.#unit;
    const count = `${integer(this.#chosen.length)} of ${integer(this.#pairs.count)} rows`;
    const only = onlyOf(store) === 'changed' ? ' changed' : '';
    if (this.#maxMs === 0) return `${count}${only} · no times`;
    const most = fixed(this.#maxMs * this.#unit.scale, this.#unit.decimals === 1 ? 0 : 2);
    const folds = this.#folds ? ' · blocks of A' : '';
    const { unchanged } = this.#pairs.way;
    const scatter =
      unchanged === null
        ? ''
        : `: ${plural(unchanged.pairs, 'unchanged pair')} scatter by ${inUnit(unchanged.scatter_ms, this.#unit)} ${unit}`;
    return `${count}${only}${folds} · ${unit} · bars to ${most} ${unit}, colored by input precision, reformats hatched · ≈ within the noise${scatter}`;
  }

  actions(): readonly HTMLElement[] {
    const { store } = this.#context;
    const sort = sortOf(store);
    return [
      ...(this.#maxMs === 0
        ? []
        : [
            linkButton(
              sort?.column === 'size' ? 'in execution order' : 'by difference',
              'Row order',
              () =>
                setSort(
                  store,
                  sort?.column === 'size' ? null : { column: 'size', descending: true },
                ),
            ),
          ]),
      linkButton('CSV', 'Save the rows shown', () => this.#save()),
    ];
  }

  #save(): void {
    const { store } = this.#context;
    const { engines } = store.report;
    const pairs = this.#pairs;
    const both = this.#both;
    const others = engines
      .map((engine, i) => ({ engine, i }))
      .filter(({ i }) => i !== pairs.a && i !== pairs.b)
      .map(({ engine, i }) => ({ engine, cells: otherCells(store.report, pairs, i) }));
    const raw: NameOf = (row, engine) => engine.rawName(row);
    const changes = (pair: number): string => {
      const [a, b] = [sideFacts(both.a, pairs, 'a', pair), sideFacts(both.b, pairs, 'b', pair)];
      const chips = changeChips(pairs.changes(pair), a, b, both);
      return chips.map((chip) => chip.text).join(', ');
    };
    const isBeyond = (pair: number): number | null => {
      const beyond = pairs.exceedsNoise(pair);
      return beyond === null ? null : Number(beyond);
    };
    const table = figureTable<number>(this.#chosen, [
      ['pair', 0, (pair) => pair],
      ['layer', null, (pair) => pairName(both, pairs, pair, this.#nameOf)],
      ['a', null, (pair) => layersName(both.a, pairs.layers('a', pair), raw)],
      ['b', null, (pair) => layersName(both.b, pairs.layers('b', pair), raw)],
      [`${both.a.id}_ms`, 4, (pair) => pairs.timeMs('a', pair)],
      [`${both.b.id}_ms`, 4, (pair) => pairs.timeMs('b', pair)],
      ...others.map(({ engine, cells }) => {
        const ms = (pair: number): number | null => {
          const cell = cells[pair];
          return cell?.kind === 'here' ? cell.ms : null;
        };
        return [`${engine.id}_ms`, 4, ms] as const;
      }),
      ['delta_ms', 4, (pair) => pairs.deltaMs(pair)],
      ['exceeds_noise', 0, isBeyond],
      ...kLossFields.map(
        ([name, side, where]) =>
          [name, 1, (pair: number) => pairs.lossDb(side, where, pair)] as const,
      ),
      ['cause', null, (pair) => pairs.cause(pair)],
      ['changes', null, changes],
    ]);
    const name = `${both.a.id.slice(0, 60)}-${both.b.id.slice(0, 60)}.pairs.csv`;
    this.#context.download(name, csvOf(table));
  }

  key(key: string): boolean {
    const steps: Readonly<Record<string, 1 | -1>> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 };
    const by = Object.hasOwn(steps, key) ? steps[key] : undefined;
    if (by !== undefined) {
      this.#step(by);
      return true;
    }
    const pair = this.#selectedPair;
    if (key !== 'o' || pair === null || !isOfSeveral(this.#pairs, pair)) return false;
    this.#toggle(this.#turned, pair);
    return true;
  }

  #step(by: 1 | -1): void {
    const selected = this.#selectedPair;
    const at = selected === null ? -1 : this.#chosen.indexOf(selected);
    const place = at < 0 ? (by > 0 ? 0 : this.#chosen.length - 1) : at + by;
    const next = this.#chosen[Math.min(this.#chosen.length - 1, Math.max(0, place))];
    if (next === undefined) return;
    // In the engine that was looked at, where it has the pair.
    const { store } = this.#context;
    const sides =
      store.state.engine === this.#pairs.b ? (['b', 'a'] as const) : (['a', 'b'] as const);
    for (const side of sides) {
      const id = this.#pairs.principal(side, next);
      const row = id === null ? null : this.#both[side].rowOf(id);
      if (row !== null) {
        store.selectInEngine(this.#pairs.engine(side), row);
        return;
      }
    }
  }

  destroy(): void {
    this.#unsubscribe();
    this.#table.destroy();
  }
}
