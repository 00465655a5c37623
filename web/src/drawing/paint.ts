// The colour of each box for each colouring of the graph, and its legend.

import {
  bytesText,
  heatScale,
  heatStep,
  isNumber,
  kHeatSteps,
  kNone,
  significant,
  visible,
  type ColourMode,
  type Engine,
  type FamilyKey,
  type HeatScale,
  type Palette,
  type Store,
} from '../public/index.ts';
import { familyFill, type Fill } from '../public/plot/pen.ts';
import type { Scene } from './scene.ts';

export interface BoxPaint {
  // Colour of the strip, or of the whole box if it is too small for more; null: unknown.
  readonly strip: Fill | null;
  readonly body: string;
  readonly ink: string;
  readonly ink2: string;
}

export interface LegendEntry {
  readonly label: string;
  readonly fill: Fill | null;
}

// Families far apart in colour, for streams.
const kStreamFamilies: readonly FamilyKey[] = [
  'convolution',
  'pointwise',
  'norm',
  'pool',
  'opaque',
  'plugin',
  'gemm',
  'shuffle',
];
const kMaxEntries = 10;

// Adds the weight of each of `rows` to its label, and sorts by sum, greatest first.
function ranked<R>(
  rows: Iterable<R>,
  label: (row: R) => string | null,
  weight: (row: R) => number,
) {
  const sums = new Map<string, { first: R; weight: number }>();
  for (const row of rows) {
    const name = label(row);
    if (name === null) continue;
    const sum = sums.get(name);
    if (sum === undefined) sums.set(name, { first: row, weight: weight(row) });
    else sum.weight += weight(row);
  }
  return [...sums].sort((a, b) => b[1].weight - a[1].weight).slice(0, kMaxEntries);
}

export class Paint {
  readonly mode: ColourMode;
  readonly palette: Palette;
  readonly scene: Scene;
  // The quantity that heat shows, by row; null if colours show something else.
  readonly #values: Float64Array | null;
  readonly #scale: HeatScale | null = null;
  readonly #groupScale: HeatScale | null = null;
  readonly #times: Float64Array;
  readonly #streams: readonly string[];
  readonly #plain: Omit<BoxPaint, 'strip'>;

  constructor(
    store: Store,
    scene: Scene,
    palette: Palette,
    mode: ColourMode = store.state.graph.colour,
  ) {
    const { layers, workRows } = store.engine;
    this.scene = scene;
    this.palette = palette;
    this.mode = mode;
    this.#plain = { body: palette.ui('bg'), ink: palette.ui('ink'), ink2: palette.ui('ink3') };
    this.#times = store.engine.times(store.basis);
    const bytes = layers.has('footprint_bytes') ? 'footprint_bytes' : 'io_bytes';
    const values = mode === 'time' ? this.#times : mode === 'memory' ? layers.numbers(bytes) : null;
    this.#values = values;
    this.#streams = mode === 'stream' ? streamsOf(store.engine) : [];
    if (values === null) return;
    this.#scale = heatScale(Array.from(workRows, (row) => values[row] ?? 0));
    // Folded groups are compared with each other: next to layers they would all be hot.
    const groups = [...scene.graph.boxes.keys()].filter((box) => this.#isGroup(box));
    this.#groupScale = heatScale(groups.map((box) => this.#groupValue(box)));
  }

  #isGroup(box: number): boolean {
    return (this.scene.graph.boxes[box]?.group ?? kNone) !== kNone;
  }

  #groupValue(box: number): number {
    let sum = 0;
    for (const row of this.scene.rowsOf(box)) {
      const value = this.#values?.[row] ?? Number.NaN;
      if (value > 0) sum += value;
    }
    return sum;
  }

  family(family: FamilyKey): Fill {
    return familyFill(this.palette, family);
  }

  box(index: number): BoxPaint {
    if (this.#values === null) return { strip: this.#strip(index), ...this.#plain };
    const isGroup = this.#isGroup(index);
    const row = this.scene.rowOf(index) ?? kNone;
    const value = isGroup ? this.#groupValue(index) : (this.#values[row] ?? Number.NaN);
    const scale = isGroup ? this.#groupScale : this.#scale;
    if (scale === null || Number.isNaN(value)) return { strip: null, ...this.#plain };
    const body = this.palette.heat(heatStep(scale, value));
    const ink = this.palette.inkOn(body) ?? this.#plain.ink;
    return { strip: body, body, ink, ink2: ink };
  }

  #strip(index: number): Fill | null {
    const { row, parts, family, precision } = this.scene.facts(index);
    if (this.#isGroup(index)) {
      return this.mode === 'type' ? this.family(parts[0]?.[0] ?? family) : this.palette.ui('line2');
    }
    if (row === null) return this.palette.precision(precision);
    return this.#fillOf(row);
  }

  // The colour of a layer, unless it shows heat.
  #fillOf(row: number): Fill | null {
    const { layers } = this.scene.engine;
    if (this.mode === 'precision') return this.palette.precision(layers.text('precision', row));
    if (this.mode === 'stream') return this.#stream(layers.text('stream', row));
    return this.family(this.scene.engine.family(row));
  }

  #stream(stream: string | null): Fill | null {
    const at = stream === null ? -1 : this.#streams.indexOf(stream);
    const family = kStreamFamilies[at % kStreamFamilies.length];
    return at < 0 || family === undefined ? null : this.palette.family(family);
  }

  precision(precision: string | null): string {
    return this.palette.precision(precision) ?? this.palette.ui('ink3');
  }

  // Longest first; what this engine does not have is not in its legend.
  boxLegend(): readonly LegendEntry[] {
    const { layers, workRows } = this.scene.engine;
    if (this.#values !== null) return this.#heatLegend();
    if (this.mode === 'stream') {
      return this.#streams.slice(0, kMaxEntries).map((stream) => ({
        label: `stream ${visible(stream.slice(0, 20))}`,
        fill: this.#stream(stream),
      }));
    }
    const column = this.mode === 'type' ? 'type' : 'precision';
    return ranked(
      workRows,
      (row) => layers.text(column, row) ?? 'unknown',
      (row) => {
        const time = this.#times[row];
        return isNumber(time) ? time : 1e-9;
      },
    ).map(([label, { first }]) => ({
      label: visible(label.slice(0, 40)),
      fill: this.#fillOf(first),
    }));
  }

  #heatLegend(): readonly LegendEntry[] {
    const scale = this.#scale;
    if (scale === null) return [];
    const edges = [scale.least, ...scale.bounds, scale.greatest];
    const text = (value: number): string =>
      this.mode === 'memory' ? bytesText(value) : `${significant(value * 1000)} µs`;
    const entries: LegendEntry[] = [];
    for (let step = 0; step < kHeatSteps; step += 1) {
      const from = edges[step] ?? 0;
      const to = edges[step + 1] ?? 0;
      if ((to <= from && step < kHeatSteps - 1) || !Number.isFinite(from)) continue;
      entries.push({ label: `from ${text(from)}`, fill: this.palette.heat(step) });
    }
    return entries;
  }

  // Precisions that occur on edges, in the order of the engine's types.
  edgeLegend(): readonly LegendEntry[] {
    return ranked(
      this.scene.edges,
      (edge) => edge.facts.dtype,
      () => 1,
    ).map(([label]) => ({ label, fill: this.palette.precision(label) }));
  }
}

export function streamsOf(engine: Engine): readonly string[] {
  if (!engine.layers.has('stream')) return [];
  const streams = new Set<string>();
  for (const row of engine.workRows) {
    const stream = engine.layers.text('stream', row);
    if (stream !== null) streams.add(stream);
  }
  return [...streams].sort((a, b) => Number(a) - Number(b) || (a < b ? -1 : 1));
}
