// The colour of each box in each way to colour a graph, and the legend that says so.

import {
  bytesText,
  heatScale,
  heatStep,
  kHeatSteps,
  significant,
  visible,
  type ColourMode,
  type Engine,
  type FamilyKey,
  type HeatScale,
  type Palette,
  type Store,
} from '../public/index.ts';
import type { BoxFacts } from './box_facts.ts';
import { kNone, type Box } from './collapse.ts';
import { kHatchFill, type Fill } from '../public/plot/pen.ts';
import type { Scene } from './scene.ts';

export interface BoxPaint {
  // Of the strip, and of the whole box where it is too small for more; null: not known.
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

export class Paint {
  readonly mode: ColourMode;
  readonly #palette: Palette;
  readonly #engine: Engine;
  readonly #store: Store;
  readonly #values: Float64Array | null;
  readonly #scale: HeatScale | null;
  readonly #groupScale: HeatScale | null;
  readonly #streams: readonly string[];

  constructor(
    store: Store,
    scene: Scene,
    palette: Palette,
    mode: ColourMode = store.state.graph.colour,
  ) {
    this.#store = store;
    this.#engine = store.engine;
    this.#palette = palette;
    this.mode = mode;
    this.#values = this.#heatValues();
    const rows = this.#engine.workRows;
    const values = this.#values;
    this.#scale = values === null ? null : heatScale(Array.from(rows, (row) => values[row] ?? 0));
    // Folded groups are measured against each other: next to layers they would all be hot.
    this.#groupScale =
      values === null
        ? null
        : heatScale(
            scene.graph.boxes
              .filter((box) => box.group !== kNone)
              .map((box) => this.#groupValue(scene, box)),
          );
    this.#streams = this.mode === 'stream' ? streamsOf(this.#engine) : [];
  }

  #heatValues(): Float64Array | null {
    const { layers } = this.#engine;
    if (this.mode === 'time') return this.#engine.times(this.#store.basis);
    if (this.mode !== 'memory') return null;
    return layers.numbers(layers.has('footprint_bytes') ? 'footprint_bytes' : 'io_bytes');
  }

  #groupValue(scene: Scene, box: Box): number {
    const values = this.#values;
    if (values === null) return 0;
    let sum = 0;
    for (const row of scene.maker.figures(box.group).rows) {
      const value = values[row] ?? Number.NaN;
      if (value > 0) sum += value;
    }
    return sum;
  }

  family(family: FamilyKey): Fill {
    return family === 'reformat' ? kHatchFill : this.#palette.family(family);
  }

  box(scene: Scene, index: number, facts: BoxFacts): BoxPaint {
    const box = scene.graph.boxes[index];
    const plain = {
      body: this.#palette.ui('bg'),
      ink: this.#palette.ui('ink'),
      ink2: this.#palette.ui('ink3'),
    };
    if (box === undefined) return { strip: null, ...plain };
    if (this.#values !== null) return this.#heat(scene, box, facts, plain);
    return { strip: this.#strip(box, facts), ...plain };
  }

  #strip(box: Box, facts: BoxFacts): Fill | null {
    const { row } = facts;
    if (box.group !== kNone) {
      const [largest] = facts.parts;
      const family = largest?.[0] ?? facts.family;
      return this.mode === 'type' ? this.family(family) : this.#palette.ui('line2');
    }
    if (row === null) return this.#palette.precision(facts.precision);
    if (this.mode === 'precision') {
      return this.#palette.precision(this.#engine.layers.text('precision', row));
    }
    if (this.mode === 'stream') return this.#stream(this.#engine.layers.text('stream', row));
    return this.family(facts.family);
  }

  #stream(stream: string | null): Fill | null {
    const at = stream === null ? -1 : this.#streams.indexOf(stream);
    const family = kStreamFamilies[at % kStreamFamilies.length];
    return at < 0 || family === undefined ? null : this.#palette.family(family);
  }

  #heat(scene: Scene, box: Box, facts: BoxFacts, plain: Omit<BoxPaint, 'strip'>): BoxPaint {
    const isGroup = box.group !== kNone;
    const value = isGroup
      ? this.#groupValue(scene, box)
      : facts.row === null
        ? Number.NaN
        : (this.#values?.[facts.row] ?? Number.NaN);
    const scale = isGroup ? this.#groupScale : this.#scale;
    if (scale === null || Number.isNaN(value)) return { strip: null, ...plain };
    const body = this.#palette.heat(heatStep(scale, value));
    const ink = this.#palette.inkOn(body) ?? plain.ink;
    return { strip: body, body, ink, ink2: ink };
  }

  precision(precision: string | null): string {
    return this.#palette.precision(precision) ?? this.#palette.ui('ink3');
  }

  // Longest first; what is not in this engine is not in its legend.
  boxLegend(): readonly LegendEntry[] {
    const { layers } = this.#engine;
    if (this.#values !== null) return this.#heatLegend();
    if (this.mode === 'stream') {
      return this.#streams.slice(0, kMaxEntries).map((stream) => ({
        label: `stream ${visible(stream.slice(0, 20))}`,
        fill: this.#stream(stream),
      }));
    }
    const entries = new Map<string, { fill: Fill | null; weight: number }>();
    const times = this.#engine.times(this.#store.basis);
    for (const row of this.#engine.workRows) {
      const isType = this.mode === 'type';
      const label = layers.text(isType ? 'type' : 'precision', row) ?? 'unknown';
      let entry = entries.get(label);
      if (entry === undefined) {
        const fill = isType
          ? this.family(this.#engine.family(row))
          : this.#palette.precision(layers.text('precision', row));
        entries.set(label, (entry = { fill, weight: 0 }));
      }
      const time = times[row] ?? Number.NaN;
      entry.weight += 1e-9 + (time > 0 ? time : 0);
    }
    return [...entries]
      .sort((a, b) => b[1].weight - a[1].weight)
      .slice(0, kMaxEntries)
      .map(([label, { fill }]) => ({ label: visible(label.slice(0, 40)), fill }));
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
      entries.push({ label: `from ${text(from)}`, fill: this.#palette.heat(step) });
    }
    return entries;
  }

  // Precisions that flow, in the order of the engine's types.
  edgeLegend(scene: Scene): readonly LegendEntry[] {
    const seen = new Map<string, number>();
    for (const { facts } of scene.edges) {
      if (facts.dtype !== null) seen.set(facts.dtype, (seen.get(facts.dtype) ?? 0) + 1);
    }
    return [...seen]
      .sort((a, b) => b[1] - a[1])
      .slice(0, kMaxEntries)
      .map(([label]) => ({ label, fill: this.#palette.precision(label) }));
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
