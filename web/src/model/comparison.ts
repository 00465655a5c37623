// Engines side by side, as docs/reference/report-data.md describes them: figures of all, and for
// any two of them their layers in pairs. Swapping the sides of an enginePair swaps words and signs;
// the only numbers computed here are differences of two times that are whole femtoseconds.

import { kFsPerMs } from '../base/format.ts';
import type { Engine } from './engine.ts';
import { asArray, asNumber, asObject, type Json, type JsonObject, type Key } from './json_value.ts';
import { Ledger } from './ledger.ts';
import { readAs } from './reader.ts';
import {
  readReportComparison,
  readReportDirection,
  type ReportComparison,
  type ReportDirection,
  type ReportWords,
} from './report_types.ts';
import { differences, measures } from './wire_columns.ts';

export type Side = 'a' | 'b';
export type LossWhere = 'engine' | 'simulated';

// One engine (b) against another (a), in words and sums.
export type Way = ReportDirection;

const kMirrored: ReadonlyMap<string, string> = new Map([
  ['added', 'removed'],
  ['removed', 'added'],
  ['fused', 'split'],
  ['split', 'fused'],
  ['reformats-removed', 'reformats-added'],
  ['reformats-added', 'reformats-removed'],
]);

type Layer = 'principal' | 'first' | 'last';

// An engine, and its place in the report's list.
interface Placed {
  readonly place: number;
  readonly engine: Engine;
}

// One side of all pairs: its engine's layers as rows, in execution order, and their measurements.
// `pairs` has the measurements of both sides, prefixed with the side's letter.
type SideColumns = ReturnType<typeof sideColumns>;

function sideColumns(pairs: JsonObject, side: Side, count: number, of: Placed) {
  const o = asObject(pairs[side]);
  const counts = differences(o.count, count, 1);
  const listed = asArray(o.layers).length;
  const all = differences(o.layers, listed, -1).map((id) => of.engine.rowOf(id) ?? -1);
  const starts = new Int32Array(count + 1);
  for (let i = 0; i < count; i += 1) {
    const wanted = Math.max(0, counts[i] ?? 0);
    starts[i + 1] = Math.min(listed, (starts[i] ?? 0) + wanted);
  }
  const listOf = (pair: number): Int32Array =>
    all.subarray(starts[pair] ?? 0, starts[pair + 1] ?? 0);
  const rows = (pair: number): readonly number[] => [...listOf(pair)].filter((row) => row >= 0);
  const measured = (name: Key): Float64Array => measures(pairs[`${side}_${name}`], count);
  const places = (name: Key): Int32Array => differences(o[name], count, 0);
  const layers: Readonly<Record<Layer, Int32Array>> = {
    principal: places('principal'),
    first: places('first'),
    last: places('last'),
  };
  let pairOf: Map<number, number> | null = null;
  return {
    of,
    rows,
    times: measured('time'),
    // SQNR after quantization, in thousandths of a dB.
    loss: { simulated: measured('simulated_mdb'), engine: measured('engine_mdb') },
    // Which of their ports is visible from outside; below 0 if none is.
    ports: { input: places('input'), output: places('output') },
    row: (pair: number, which: Layer): number | null => {
      const row = listOf(pair)[layers[which][pair] ?? 0] ?? -1;
      return row < 0 ? null : row;
    },
    pairOf: (row: number): number | null => {
      if (pairOf === null) {
        pairOf = new Map();
        for (let pair = 0; pair < count; pair += 1) {
          for (const layer of rows(pair)) pairOf.set(layer, pair);
        }
      }
      return pairOf.get(row) ?? null;
    },
  };
}

// What the writer sent for two engines, whichever of them is A.
type Columns = ReturnType<typeof columnsOf>;

function columnsOf(json: JsonObject, words: ReportWords, a: Placed, b: Placed) {
  const directions = asArray(json.directions);
  const pairs = asObject(json.pairs);
  // No more than a column contains: a larger count would only allocate memory.
  const most = Math.max(asArray(pairs.match).length, asArray(pairs.cause).length);
  const count = Math.max(0, Math.min(Math.floor(asNumber(pairs.count) ?? 0), most));
  const list = (name: Key, usual: number): Int32Array => differences(pairs[name], count, usual);
  const word = (name: Key, texts: readonly string[], usual: string) => {
    const indices = list(name, -1);
    return (pair: number): string => texts[indices[pair] ?? -1] ?? usual;
  };
  return {
    count,
    words,
    sides: [sideColumns(pairs, 'a', count, a), sideColumns(pairs, 'b', count, b)] as const,
    ways: [0, 1].map((at) => readAs(readReportDirection, directions[at])),
    tickFs: asNumber(pairs.tick_fs) ?? 1,
    match: word('match', words.match, 'none'),
    cause: word('cause', words.cause, ''),
    noise: word('noise', words.noise, 'none'),
    certainty: list('certainty', 100),
    changes: list('changes', 0),
    incomplete: list('incomplete', 0),
    exceedsNoise: list('exceeds_noise', -1),
    lowNs: measures(pairs.low_ns, count),
    highNs: measures(pairs.high_ns, count),
  };
}

// A layer of a pair.
export interface PairLayer {
  readonly side: Side;
  readonly engine: Engine;
  readonly row: number;
}

const numberOrNull = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;

// The layers of two engines in pairs, seen with one of them as A.
export class Pairs {
  // Places in the report's list of engines.
  readonly a: number;
  readonly b: number;
  readonly count: number;
  readonly way: Way;
  // source, name, shape, order, none.
  readonly match: (pair: number) => string;
  readonly noiseSource: (pair: number) => string;
  readonly #columns: Columns;
  readonly #isSwapped: boolean;
  readonly #sides: Readonly<Record<Side, SideColumns>>;
  #loss: LossWhere | 'none' | null = null;

  constructor(columns: Columns, isSwapped: boolean) {
    const [first, second] = columns.sides;
    this.#columns = columns;
    this.#isSwapped = isSwapped;
    this.#sides = isSwapped ? { a: second, b: first } : { a: first, b: second };
    this.a = this.#sides.a.of.place;
    this.b = this.#sides.b.of.place;
    this.count = columns.count;
    this.match = columns.match;
    this.noiseSource = columns.noise;
    this.way = columns.ways[Number(isSwapped)] ?? readAs(readReportDirection, {});
  }

  engine(side: Side): Engine {
    return this.#sides[side].of.engine;
  }

  // Rows of the engine's layers, in execution order; empty if only the other engine has them.
  rows(side: Side, pair: number): readonly number[] {
    return this.#sides[side].rows(pair);
  }

  // Of both sides: A's first.
  layers(pair: number): readonly PairLayer[] {
    return (['a', 'b'] as const).flatMap((side) =>
      this.rows(side, pair).map((row) => ({ side, engine: this.engine(side), row })),
    );
  }

  pairOf(side: Side, row: number): number | null {
    return this.#sides[side].pairOf(row);
  }

  #ms(ticks: number): number {
    return (ticks * this.#columns.tickFs) / kFsPerMs;
  }

  timeMs(side: Side, pair: number): number | null {
    const ticks = numberOrNull(this.#sides[side].times[pair]);
    return ticks === null ? null : this.#ms(ticks);
  }

  // SQNR of the layers' outputs, dB, in the quantized model's own arithmetic or in the engine.
  lossDb(side: Side, where: LossWhere, pair: number): number | null {
    const thousandths = numberOrNull(this.#sides[side].loss[where][pair]);
    return thousandths === null ? null : thousandths / 1000;
  }

  // The kind of SQNR that both engines have; null: none.
  get loss(): LossWhere | null {
    const has = (where: LossWhere): boolean =>
      this.#columns.sides.every(({ loss }) => loss[where].some((value) => !Number.isNaN(value)));
    this.#loss ??= has('engine') ? 'engine' : has('simulated') ? 'simulated' : 'none';
    return this.#loss === 'none' ? null : this.#loss;
  }

  // B − A, a missing side counting 0; null where a layer has no time.
  deltaMs(pair: number): number | null {
    if (this.#columns.incomplete[pair] !== 0) return null;
    const ticks = (side: Side): number => numberOrNull(this.#sides[side].times[pair]) ?? 0;
    return this.#ms(ticks('b') - ticks('a'));
  }

  // Whether the difference is more than noise; null if unknown.
  exceedsNoise(pair: number): boolean | null {
    const value = this.#columns.exceedsNoise[pair];
    return value === 0 ? false : value === 1 ? true : null;
  }

  // The 95 % interval of the difference.
  intervalMs(pair: number): readonly [number, number] | null {
    const low = numberOrNull(this.#columns.lowNs[pair]);
    const high = numberOrNull(this.#columns.highNs[pair]);
    if (low === null || high === null) return null;
    return this.#isSwapped ? [-high / 1e6, -low / 1e6] : [low / 1e6, high / 1e6];
  }

  // From 0 to 1.
  certainty(pair: number): number {
    return (this.#columns.certainty[pair] ?? 0) / 100;
  }

  #seen(word: string): string {
    return (this.#isSwapped ? kMirrored.get(word) : null) ?? word;
  }

  cause(pair: number): string {
    return this.#seen(this.#columns.cause(pair));
  }

  changes(pair: number): readonly string[] {
    const mask = this.#columns.changes[pair] ?? 0;
    const { change } = this.#columns.words;
    return change.filter((_, bit) => ((mask >> bit) & 1) === 1).map((word) => this.#seen(word));
  }

  hasChanges(pair: number): boolean {
    return (this.#columns.changes[pair] ?? 0) !== 0;
  }

  // The layer that represents a side: the one with the most work; null if the side is empty. Or one
  // of those whose ports are the side's inputs and outputs.
  row(side: Side, pair: number, which: Layer = 'principal'): number | null {
    return this.#sides[side].row(pair, which);
  }

  // Which of the inputs of the first, or of the outputs of the last, is the visible one; below 0:
  // none.
  port(side: Side, pair: number, direction: 'input' | 'output'): number {
    return this.#sides[side].ports[direction][pair] ?? -1;
  }
}

// Figures of all engines; and of any two of them, their layers in pairs.
export interface Comparison extends Pick<
  ReportComparison,
  'totals' | 'by_type' | 'by_precision' | 'by_output_precision' | 'threshold_ratio' | 'summaries'
> {
  readonly ledger: Ledger | null;
  // Null if the report does not have this enginePair.
  pairs(a: number, b: number): Pairs | null;
}

// `places`: the indices of the engines in the report on screen, if that is another report.
export function decodeComparison(
  json: Json | undefined,
  engines: readonly Engine[],
  places: readonly number[] | null = null,
): Comparison | null {
  if (json === null || json === undefined) return null;
  // Pairs are columns.
  const { engine_pairs: pairsJson, ...rest } = asObject(json);
  const comparison = readAs(readReportComparison, rest);
  const { words, strings, ledger } = comparison;
  const placed = (json: Json | undefined): Placed | null => {
    const at = asNumber(json) ?? -1;
    const place = places === null ? at : (places[at] ?? -1);
    const engine = engines[place];
    return engine === undefined ? null : { place, engine };
  };
  const known = new Map<string, Pairs>();
  for (const pair of asArray(pairsJson).map(asObject)) {
    const [a, b] = [placed(pair.a), placed(pair.b)];
    if (a === null || b === null) continue;
    const columns = columnsOf(pair, words, a, b);
    known.set(`${a.place} ${b.place}`, new Pairs(columns, false));
    known.set(`${b.place} ${a.place}`, new Pairs(columns, true));
  }
  return {
    ...comparison,
    ledger:
      ledger === undefined ? null : new Ledger(asObject(ledger as Json), strings, words.spread),
    pairs: (a, b) => known.get(`${a} ${b}`) ?? null,
  };
}
