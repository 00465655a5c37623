// Engines side by side, as docs/reference/report-data.md describes them: figures of all, and of any
// two of them their layers in pairs. Looking at a enginePair from its other side swaps words and signs;
// no number is made here but the differences of two times that are whole femtoseconds.

import { kFsPerMs } from '../base/format.ts';
import { asArray, asNumber, asObject, type Json, type JsonObject } from './json_value.ts';
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

const kMirrored: Readonly<Record<string, string>> = {
  added: 'removed',
  removed: 'added',
  fused: 'split',
  split: 'fused',
  'reformats-removed': 'reformats-added',
  'reformats-added': 'reformats-removed',
};

function mirrored(word: string): string {
  return Object.hasOwn(kMirrored, word) ? (kMirrored[word] ?? word) : word;
}

// One side of all pairs.
class SideColumns {
  readonly #layers: Int32Array;
  readonly #first: Int32Array;
  readonly times: Float64Array;
  // What quantizing left, in thousandths of a dB.
  readonly simulated: Float64Array;
  readonly engine: Float64Array;
  readonly places: Readonly<Record<Place, Int32Array>>;
  #pairOf: Map<number, number> | null = null;

  // `pairs` has the measures of both sides, after the side's letter.
  constructor(pairs: JsonObject, side: Side, count: number) {
    const o = asObject(pairs[side]);
    const counts = differences(o.count, count, 1);
    const listed = asArray(o.layers).length;
    this.#layers = differences(o.layers, listed, -1);
    this.#first = new Int32Array(count + 1);
    for (let i = 0; i < count; i += 1) {
      const wanted = Math.max(0, counts[i] ?? 0);
      this.#first[i + 1] = Math.min(listed, (this.#first[i] ?? 0) + wanted);
    }
    this.times = measures(pairs[`${side}_time`], count);
    this.simulated = measures(pairs[`${side}_simulated_mdb`], count);
    this.engine = measures(pairs[`${side}_engine_mdb`], count);
    const place = (name: Place): Int32Array => differences(o[name], count, 0);
    this.places = {
      principal: place('principal'),
      first: place('first'),
      last: place('last'),
      input: place('input'),
      output: place('output'),
    };
  }

  layers(pair: number): Int32Array {
    return this.#layers.subarray(this.#first[pair] ?? 0, this.#first[pair + 1] ?? 0);
  }

  pairOf(layerId: number): number | null {
    if (this.#pairOf === null) {
      this.#pairOf = new Map();
      for (let pair = 0; pair + 1 < this.#first.length; pair += 1) {
        for (const layer of this.layers(pair)) this.#pairOf.set(layer, pair);
      }
    }
    return this.#pairOf.get(layerId) ?? null;
  }
}

type Place = 'principal' | 'first' | 'last' | 'input' | 'output';

// What the writer sent of two engines, whichever of them is A.
class EnginePair {
  readonly first: number;
  readonly second: number;
  readonly count: number;
  readonly tickFs: number;
  readonly sides: readonly [SideColumns, SideColumns];
  readonly directions: readonly [Way, Way];
  readonly words: ReportWords;
  readonly match: Int32Array;
  readonly certainty: Int32Array;
  readonly cause: Int32Array;
  readonly changes: Int32Array;
  readonly incomplete: Int32Array;
  readonly exceedsNoise: Int32Array;
  readonly noise: Int32Array;
  readonly lowNs: Float64Array;
  readonly highNs: Float64Array;

  constructor(json: JsonObject, words: ReportWords, placeOf: (engine: number) => number) {
    this.words = words;
    this.first = placeOf(asNumber(json.a) ?? -1);
    this.second = placeOf(asNumber(json.b) ?? -1);
    const directions = asArray(json.directions);
    const way = (at: number): Way => readAs(readReportDirection, directions[at]);
    this.directions = [way(0), way(1)];
    const pairs = asObject(json.pairs);
    // No more than a column holds: a count alone would only allocate.
    const most = Math.max(asArray(pairs.match).length, asArray(pairs.cause).length);
    const count = Math.max(0, Math.min(Math.floor(asNumber(pairs.count) ?? 0), most));
    this.count = count;
    this.tickFs = asNumber(pairs.tick_fs) ?? 1;
    this.sides = [new SideColumns(pairs, 'a', count), new SideColumns(pairs, 'b', count)];
    this.match = differences(pairs.match, count, -1);
    this.certainty = differences(pairs.certainty, count, 100);
    this.cause = differences(pairs.cause, count, -1);
    this.changes = differences(pairs.changes, count, 0);
    this.incomplete = differences(pairs.incomplete, count, 0);
    this.exceedsNoise = differences(pairs.exceeds_noise, count, -1);
    this.noise = differences(pairs.noise, count, -1);
    this.lowNs = measures(pairs.low_ns, count);
    this.highNs = measures(pairs.high_ns, count);
  }
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
  readonly #enginePair: EnginePair;
  readonly #isSwapped: boolean;
  #loss: LossWhere | 'none' | null = null;

  constructor(enginePair: EnginePair, isSwapped: boolean) {
    this.#enginePair = enginePair;
    this.#isSwapped = isSwapped;
    this.a = isSwapped ? enginePair.second : enginePair.first;
    this.b = isSwapped ? enginePair.first : enginePair.second;
    this.count = enginePair.count;
    this.way = enginePair.directions[isSwapped ? 1 : 0];
  }

  engine(side: Side): number {
    return side === 'a' ? this.a : this.b;
  }

  #side(side: Side): SideColumns {
    return this.#enginePair.sides[(side === 'a') === this.#isSwapped ? 1 : 0];
  }

  // Ids of layers, in execution order; none where only the other engine has them.
  layers(side: Side, pair: number): Int32Array {
    return this.#side(side).layers(pair);
  }

  pairOf(side: Side, layerId: number): number | null {
    return this.#side(side).pairOf(layerId);
  }

  timeMs(side: Side, pair: number): number | null {
    const ticks = numberOrNull(this.#side(side).times[pair]);
    return ticks === null ? null : (ticks * this.#enginePair.tickFs) / kFsPerMs;
  }

  // SQNR of what the layers hand on, dB, in the quantized model's own arithmetic or in the engine.
  lossDb(side: Side, where: LossWhere, pair: number): number | null {
    const thousandths = numberOrNull(this.#side(side)[where][pair]);
    return thousandths === null ? null : thousandths / 1000;
  }

  // Which of them both engines have; null: none.
  get loss(): LossWhere | null {
    const has = (where: LossWhere): boolean =>
      this.#enginePair.sides.every((side) => side[where].some((value) => !Number.isNaN(value)));
    this.#loss ??= has('engine') ? 'engine' : has('simulated') ? 'simulated' : 'none';
    return this.#loss === 'none' ? null : this.#loss;
  }

  // B − A, a missing side counting 0; null where a layer has no time.
  deltaMs(pair: number): number | null {
    if (this.#enginePair.incomplete[pair] !== 0) return null;
    const ticks = (side: Side): number => numberOrNull(this.#side(side).times[pair]) ?? 0;
    return ((ticks('b') - ticks('a')) * this.#enginePair.tickFs) / kFsPerMs;
  }

  // Whether the difference is more than noise; null where nothing is known of it.
  exceedsNoise(pair: number): boolean | null {
    const value = this.#enginePair.exceedsNoise[pair];
    return value === 0 ? false : value === 1 ? true : null;
  }

  // The 95 % interval of the difference.
  intervalMs(pair: number): readonly [number, number] | null {
    const low = numberOrNull(this.#enginePair.lowNs[pair]);
    const high = numberOrNull(this.#enginePair.highNs[pair]);
    if (low === null || high === null) return null;
    return this.#isSwapped ? [-high / 1e6, -low / 1e6] : [low / 1e6, high / 1e6];
  }

  noiseSource(pair: number): string {
    return this.#enginePair.words.noise[this.#enginePair.noise[pair] ?? -1] ?? 'none';
  }

  // source, name, shape, order, none.
  match(pair: number): string {
    return this.#enginePair.words.match[this.#enginePair.match[pair] ?? -1] ?? 'none';
  }

  // From 0 to 1.
  certainty(pair: number): number {
    return (this.#enginePair.certainty[pair] ?? 0) / 100;
  }

  cause(pair: number): string {
    const word = this.#enginePair.words.cause[this.#enginePair.cause[pair] ?? -1] ?? '';
    return this.#isSwapped ? mirrored(word) : word;
  }

  changes(pair: number): readonly string[] {
    const mask = this.#enginePair.changes[pair] ?? 0;
    return this.#enginePair.words.change.flatMap((word, bit) =>
      ((mask >> bit) & 1) === 1 ? [this.#isSwapped ? mirrored(word) : word] : [],
    );
  }

  hasChanges(pair: number): boolean {
    return (this.#enginePair.changes[pair] ?? 0) !== 0;
  }

  // The layer that stands for a side: it has most of the work; null where the side is empty.
  principal(side: Side, pair: number): number | null {
    return this.#placed(side, pair, 'principal');
  }

  // The layers that what flows in and out is seen at, and which of their inputs and outputs that
  // is; the port is null where they have none.
  ends(
    side: Side,
    pair: number,
  ): {
    readonly first: number | null;
    readonly last: number | null;
    readonly input: number | null;
    readonly output: number | null;
  } {
    const { places } = this.#side(side);
    const port = (of: 'input' | 'output'): number | null => {
      const at = places[of][pair] ?? -1;
      return at < 0 ? null : at;
    };
    return {
      first: this.#placed(side, pair, 'first'),
      last: this.#placed(side, pair, 'last'),
      input: port('input'),
      output: port('output'),
    };
  }

  #placed(side: Side, pair: number, place: 'principal' | 'first' | 'last'): number | null {
    const columns = this.#side(side);
    return columns.layers(pair)[columns.places[place][pair] ?? 0] ?? null;
  }
}

// Figures of all engines; and of any two of them, their layers in pairs.
export interface Comparison extends Pick<
  ReportComparison,
  'totals' | 'by_type' | 'by_precision' | 'by_output_precision' | 'threshold_ratio' | 'summaries'
> {
  readonly engines: readonly Pick<ReportComparison['engines'][number], 'name' | 'batch_size'>[];
  readonly ledger: Ledger | null;
  // Null where the report does not have this enginePair.
  pairs(a: number, b: number): Pairs | null;
}

// `places`: where the report on screen has the engines, where that is another report.
export function decodeComparison(
  json: Json | undefined,
  places: readonly number[] | null = null,
): Comparison | null {
  if (json === null || json === undefined) return null;
  const comparison = readAs(readReportComparison, json);
  const { words } = comparison;
  const placeOf = (engine: number): number => (places === null ? engine : (places[engine] ?? -1));
  const enginePairs = asArray(asObject(json).engine_pairs).map(
    (pair) => new EnginePair(asObject(pair), words, placeOf),
  );
  const known = new Map<string, Pairs>();
  return {
    ...comparison,
    ledger:
      comparison.ledger === undefined
        ? null
        : new Ledger(
            asObject(comparison.ledger as Json | undefined),
            comparison.strings,
            words.spread,
          ),
    pairs: (a, b) => {
      const key = `${String(a)} ${String(b)}`;
      let pairs = known.get(key) ?? null;
      if (pairs !== null) return pairs;
      const enginePair = enginePairs.find(
        (c) => (c.first === a && c.second === b) || (c.first === b && c.second === a),
      );
      if (enginePair === undefined) return null;
      pairs = new Pairs(enginePair, enginePair.first !== a);
      known.set(key, pairs);
      return pairs;
    },
  };
}
