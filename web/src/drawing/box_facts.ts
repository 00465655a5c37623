// The contents of a box: its shape, texts and figures. Computed when a box is first drawn.

import {
  fixed,
  groupFigures,
  inUnit,
  integer,
  isNumber,
  joined,
  kNone,
  layerPrecisionText,
  nodeLayers,
  percent,
  plural,
  timeUnit,
  visible,
  type Engine,
  type FamilyKey,
  type GraphView,
  type GroupFigures,
  type Severity,
  type Store,
  type Unit,
} from '../public/index.ts';
import type { Box } from './collapse.ts';
import { memo } from './memo.ts';

export type BoxShape = 'layer' | 'pill' | 'binding' | 'memory' | 'constant' | 'operation' | 'group';

export interface BoxFacts {
  readonly shape: BoxShape;
  // Null if the box is not a layer.
  readonly row: number | null;
  readonly title: string;
  // "Convolution 7×7 /2"
  readonly kind: string;
  // "INT8 → FP16"
  readonly precision: string;
  readonly time: string;
  // Its time as a fraction of the slowest layer's; NaN if it has none.
  readonly ratio: number;
  readonly family: FamilyKey;
  readonly gravest: Severity | null;
  // For a folded group: its sums and its outliers.
  readonly lines: readonly string[];
  // For a folded group: its time by family of layers, longest first, as fractions of 1.
  readonly parts: readonly (readonly [FamilyKey, number])[];
}

const kLongestTitle = 400;

// Most boxes have neither.
const kNothing = {
  row: null,
  precision: '',
  time: '',
  ratio: Number.NaN,
  family: 'other',
  gravest: null,
  lines: [],
  parts: [],
} as const;

export class FactsMaker {
  readonly #store: Store;
  readonly #engine: Engine;
  readonly #view: GraphView;
  readonly #times: Float64Array;
  readonly #slowest: number;
  readonly #unit: Unit;
  readonly figures: (group: number) => GroupFigures;

  constructor(store: Store, view: GraphView) {
    this.#store = store;
    this.#engine = store.engine;
    this.#view = view;
    this.#times = this.#engine.times(store.basis);
    let slowest = 0;
    for (const row of this.#engine.workRows) {
      const time = this.#times[row] ?? Number.NaN;
      if (time > slowest) slowest = time;
    }
    this.#slowest = slowest;
    this.#unit = timeUnit(slowest);
    this.figures = memo((group) => groupFigures(this.#engine, view, group, store.basis));
  }

  timeText(ms: number | null | undefined): string {
    return isNumber(ms) ? `${inUnit(ms, this.#unit)} ${this.#unit.unit}` : '';
  }

  // The row of the layer that a node represents, or null.
  rowOf(node: number): number | null {
    return this.#engine.rowOf(this.#view.nodes.layerId[node] ?? kNone);
  }

  shape({ node, group }: Box): BoxShape {
    if (group !== kNone) return 'group';
    const kind = this.#view.nodes.kind[node] ?? 'other';
    if (kind === 'other') return 'operation';
    const row = this.rowOf(node);
    return kind === 'layer' && row !== null && this.#engine.isReformat(row) ? 'pill' : kind;
  }

  facts(box: Box): BoxFacts {
    if (box.group !== kNone) return this.#groupFacts(box.group);
    const row = this.rowOf(box.node);
    return row === null ? this.#otherFacts(box) : this.#layerFacts(box, row);
  }

  #layerFacts(box: Box, row: number): BoxFacts {
    const engine = this.#engine;
    const shape = this.shape(box);
    const precision = layerPrecisionText(engine, row);
    const label = this.#store.layerLabel(row).slice(0, kLongestTitle);
    return {
      ...kNothing,
      ...this.#timeFacts(row),
      shape,
      row,
      title: shape === 'pill' ? label.replace(/^copy · output of /, 'after ') : label,
      kind: visible(engine.typeLine(row)),
      precision: precision === '–' ? '' : visible(precision),
      family: engine.family(row),
      gravest: engine.findingsOf(row)[0]?.severity ?? null,
    };
  }

  #timeFacts(row: number | null): Pick<BoxFacts, 'time' | 'ratio'> {
    const time = row === null ? undefined : this.#times[row];
    const hasRatio = isNumber(time) && this.#slowest > 0;
    return { time: this.timeText(time), ratio: hasRatio ? time / this.#slowest : Number.NaN };
  }

  #otherFacts(box: Box): BoxFacts {
    const { nodes } = this.#view;
    const type = this.#view.type(box.node);
    const generations = nodes.generations[box.node] ?? 1;
    const generation = (nodes.generation[box.node] ?? 0) + 1;
    const use = generations > 1 ? `use ${integer(generation)} of ${integer(generations)}` : '';
    // An operation that is the whole layer has the layer's time; if there are several, the frame
    // around them has it.
    const own = this.#engine.rowOf(nodeLayers(this.#engine, this.#view).alone(box.node));
    return {
      ...kNothing,
      ...this.#timeFacts(own),
      shape: this.shape(box),
      title: visible((this.#view.name(box.node) ?? '(no name)').slice(0, kLongestTitle)),
      kind: type === null ? use : visible(type.slice(0, kLongestTitle)),
      precision: this.#precisionOf(box.node),
    };
  }

  // For a tensor: as seen by the layers that write or read it.
  #precisionOf(node: number): string {
    const { edges } = this.#view;
    for (const edge of [...this.#view.edgesInto(node), ...this.#view.edgesFrom(node)].slice(0, 4)) {
      const from = edges.fromPort[edge] ?? kNone;
      const port = from === kNone ? (edges.toPort[edge] ?? kNone) : from;
      const dtype = port === kNone ? null : this.#engine.ports.text('dtype', port);
      if (dtype !== null) return visible(dtype.slice(0, 60));
    }
    return '';
  }

  #parts({ rows, ms }: GroupFigures): readonly (readonly [FamilyKey, number])[] {
    if (ms === null || !(ms > 0)) return [];
    const sums = new Map<FamilyKey, number>();
    for (const row of rows) {
      const time = this.#times[row] ?? Number.NaN;
      const family = this.#engine.family(row);
      if (time > 0) sums.set(family, (sums.get(family) ?? 0) + time / ms);
    }
    return [...sums].sort((a, b) => b[1] - a[1]);
  }

  #groupFacts(index: number): BoxFacts {
    const group = this.#view.groups[index];
    const figures = this.figures(index);
    const { hottest, ms } = figures;
    const count = joined(this.countTexts(index), ' · ');
    return {
      ...kNothing,
      shape: 'group',
      title: visible((group?.name ?? '').slice(0, kLongestTitle)),
      kind: group?.kind === 'series' ? `${integer(group.children.length)} × · ${count}` : count,
      time: this.timeText(ms),
      family: hottest === null ? 'other' : this.#engine.family(hottest),
      lines: this.#groupLines(figures),
      parts: this.#parts(figures),
    };
  }

  // How many layers a group has, and their share of the time of all layers.
  countTexts(index: number): readonly [string, string] {
    const { layers, share } = this.figures(index);
    const nodes = this.#view.groups[index]?.nodeCount ?? 0;
    return [
      layers > 0 ? plural(layers, 'layer') : plural(nodes, 'node'),
      share === null ? '' : `${percent(share)} % of Σ`,
    ];
  }

  #groupLines({ turns, odd, hottest }: GroupFigures): readonly string[] {
    const lines: string[] = [];
    if (turns !== null) {
      const { scale, decimals, unit } = this.#unit;
      const { least, median, most } = turns;
      const times = [least, median, most].map((ms) => fixed(ms * scale, decimals));
      lines.push(`each ${times.join(' · ')} ${unit} min · median · max`);
    }
    const first = odd[0];
    if (first !== undefined) {
      const more = odd.length > 1 ? ` and ${plural(odd.length - 1, 'other')}` : '';
      lines.push(`odd: ${visible(first.name.slice(0, 80))}${more}`);
    }
    if (hottest !== null) {
      const name = this.#store.layerLabel(hottest).slice(0, 120);
      lines.push(`slowest: ${name}, ${this.timeText(this.#times[hottest])}`);
    }
    return lines;
  }

  // At most six lines, for the tooltip of anything that is not a layer.
  tooltip(box: Box): readonly string[] {
    const facts = this.facts(box);
    const title = facts.title.slice(0, 160);
    if (facts.shape === 'group') {
      return [`${title}, folded`, `${facts.kind} · ${facts.time}`, ...facts.lines].slice(0, 6);
    }
    const kinds: Readonly<Record<string, string>> = {
      binding:
        this.#view.nodes.isOutput[box.node] === 1 ? 'output of the engine' : 'input of the engine',
      memory: 'memory of a tensor',
      constant: 'constant',
      operation: 'operation of the source model',
    };
    return [title, joined([kinds[facts.shape], facts.kind], ' · ')];
  }
}
