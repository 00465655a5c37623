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

type Place = 'principal' | 'first' | 'last' | 'input' | 'output';

// One side of all pairs. `pairs` has the measures of both sides, after the side's letter.
function sideOf(pairs: JsonObject, side: Side, count: number) {
  const o = asObject(pairs[side]);
  const counts = differences(o.count, count, 1);
  const listed = asArray(o.layers).length;
  const all = differences(o.layers, listed, -1);
  const first = new Int32Array(count + 1);
  for (let i = 0; i < count; i += 1) {
    const wanted = Math.max(0, counts[i] ?? 0);
    first[i + 1] = Math.min(listed, (first[i] ?? 0) + wanted);
  }
  // Ids of layers.
  const layers = (pair: number): Int32Array => all.subarray(first[pair] ?? 0, first[pair + 1] ?? 0);
  let pairOf: Map<number, number> | null = null;
  return {
    layers,
    pairOf: (layerId: number): number | null => {
      pairOf ??= new Map(
        [...first.keys()].flatMap((pair) => [...layers(pair)].map((layer) => [layer, pair])),
      );
      return pairOf.get(layerId) ?? null;
    },
    times: measures(pairs[`${side}_time`], count),
    // What quantizing left, in thousandths of a dB.
    simulated: measures(pairs[`${side}_simulated_mdb`], count),
    engine: measures(pairs[`${side}_engine_mdb`], count),
    places: {
      principal: differences(o.principal, count, 0),
      first: differences(o.first, count, 0),
      last: differences(o.last, count, 0),
      input: differences(o.input, count, 0),
      output: differences(o.output, count, 0),
    } satisfies Record<Place, Int32Array>,
  };
}

// What the writer sent of two engines, whichever of them is A.
function enginePairOf(json: JsonObject, words: ReportWords, placeOf: (engine: number) => number) {
  const directions = asArray(json.directions);
  const way = (at: number): Way => readAs(readReportDirection, directions[at]);
  const pairs = asObject(json.pairs);
  // No more than a column holds: a count alone would only allocate.
  const most = Math.max(asArray(pairs.match).length, asArray(pairs.cause).length);
  const count = Math.max(0, Math.min(Math.floor(asNumber(pairs.count) ?? 0), most));
  return {
    first: placeOf(asNumber(json.a) ?? -1),
    second: placeOf(asNumber(json.b) ?? -1),
    count,
    tickFs: asNumber(pairs.tick_fs) ?? 1,
    sides: [sideOf(pairs, 'a', count), sideOf(pairs, 'b', count)],
    directions: [way(0), way(1)],
    words,
    match: differences(pairs.match, count, -1),
    certainty: differences(pairs.certainty, count, 100),
    cause: differences(pairs.cause, count, -1),
    changes: differences(pairs.changes, count, 0),
    incomplete: differences(pairs.incomplete, count, 0),
    exceedsNoise: differences(pairs.exceeds_noise, count, -1),
    noise: differences(pairs.noise, count, -1),
    lowNs: measures(pairs.low_ns, count),
    highNs: measures(pairs.high_ns, count),
  } as const;
}

type SidePairs = ReturnType<typeof sideOf>;
type EnginePair = ReturnType<typeof enginePairOf>;

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
    return this[side];
  }

  #side(side: Side): SidePairs {
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
    return [false, true][this.#enginePair.exceedsNoise[pair] ?? -1] ?? null;
  }

  // The 95 % interval of the difference.
  intervalMs(pair: number): readonly [number, number] | null {
    const low = numberOrNull(this.#enginePair.lowNs[pair]);
    const high = numberOrNull(this.#enginePair.highNs[pair]);
    if (low === null || high === null) return null;
    return this.#isSwapped ? [-high / 1e6, -low / 1e6] : [low / 1e6, high / 1e6];
  }

  #word(of: 'noise' | 'match' | 'cause', pair: number): string | undefined {
    const { words } = this.#enginePair;
    return words[of][this.#enginePair[of][pair] ?? -1];
  }

  noiseSource(pair: number): string {
    return this.#word('noise', pair) ?? 'none';
  }

  // source, name, shape, order, none.
  match(pair: number): string {
    return this.#word('match', pair) ?? 'none';
  }

  // From 0 to 1.
  certainty(pair: number): number {
    return (this.#enginePair.certainty[pair] ?? 0) / 100;
  }

  #seen(word: string): string {
    return this.#isSwapped && Object.hasOwn(kMirrored, word) ? (kMirrored[word] ?? word) : word;
  }

  cause(pair: number): string {
    return this.#seen(this.#word('cause', pair) ?? '');
  }

  changes(pair: number): readonly string[] {
    const mask = this.#enginePair.changes[pair] ?? 0;
    return this.#enginePair.words.change
      .filter((_, bit) => ((mask >> bit) & 1) === 1)
      .map((word) => this.#seen(word));
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
  ): Readonly<Record<'first' | 'last' | 'input' | 'output', number | null>> {
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
  const enginePairs = asArray(asObject(json).engine_pairs).map((pair) =>
    enginePairOf(asObject(pair), words, placeOf),
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
