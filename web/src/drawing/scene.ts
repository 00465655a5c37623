// The graph as boxes, edges and frames with their sizes, their layout, and hit testing.

import {
  isNumber,
  kNone,
  middleEllipsis,
  type Engine,
  type GraphView,
  type Names,
  type Store,
} from '../public/index.ts';
import type { Flat, RunLayout } from '../public/layout.ts';
import { FactsMaker, type BoxFacts, type BoxShape } from './box_facts.ts';
import { collapse, type Box, type BoxEdge, type BoxGraph } from './collapse.ts';
import { edgeFacts, labelLines, type EdgeFacts, type LabelLine } from './edge_facts.ts';
import { kPlain, kSmall, kTitle, widthOf } from './fonts.ts';
import { Grid } from './grid.ts';
import { memo } from './memo.ts';
import type { Font } from '../public/plot/pen.ts';

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const kSizes: Readonly<Record<BoxShape, readonly [number, number]>> = {
  layer: [300, 34],
  pill: [252, 22],
  binding: [140, 22],
  memory: [200, 24],
  constant: [160, 22],
  operation: [220, 34],
  group: [320, 40],
};
// For shapes that contain only a name: as wide as the name, within limits.
const kNamePadding = 28;
const kMaxNameWidth = 260;
const kGroupLine = 14;

export const kLabelLine = 13;
export const kLabelGap = 6;
// With more edges than this, label widths are estimated from average letter widths.
const kMaxMeasured = 20_000;
const kUsualLetter = 6;

export const kTitleStrip = 20;
const kMaxTitle = 160;

export interface SceneEdge extends BoxEdge {
  readonly facts: EdgeFacts;
  readonly isCompact: boolean;
  readonly isResidual: boolean;
}

// How a graph is fitted into little room.
export interface SceneFit {
  // Boxes are at most this wide.
  readonly boxWidth: number;
  // Edge labels take two lines, or more and shorter ones if an edge passes boxes.
  readonly isNarrow: boolean;
}

interface Parts {
  readonly store: Store;
  readonly view: GraphView;
  readonly graph: BoxGraph;
  readonly fit?: SceneFit | undefined;
}

export class Scene {
  readonly view: GraphView;
  readonly engine: Engine;
  readonly graph: BoxGraph;
  readonly edges: readonly SceneEdge[];
  readonly maker: FactsMaker;
  readonly facts: (box: number) => BoxFacts;
  readonly label: (edge: number) => readonly LabelLine[];
  readonly #fit: SceneFit | undefined;
  readonly #cuts = new Map<string, string>();
  // The names that are shown side by side.
  readonly #siblings: Names | null;
  #placed: Placed | null = null;

  constructor({ store, view, graph, fit }: Parts) {
    this.#siblings = store.labels();
    this.#fit = fit;
    this.view = view;
    this.engine = store.engine;
    this.graph = graph;
    this.maker = new FactsMaker(store, view);
    this.edges = graph.edges.map((edge): SceneEdge => {
      const isCompact = edge.to !== edge.from + 1;
      const facts = edgeFacts(this.engine, view, edge.edge);
      const isLayer = graph.boxes[edge.to]?.group === kNone;
      // What an addition reads past the layers in between.
      const isResidual = isCompact && isLayer && view.edges.adds[edge.edge] === 1;
      return { ...edge, facts, isCompact, isResidual };
    });
    this.facts = memo((index) => {
      const box = graph.boxes[index];
      if (box === undefined) throw new Error(`no box ${String(index)}`);
      return this.maker.facts(box);
    });
    this.label = memo((index) => {
      const edge = this.edges[index];
      return edge === undefined ? [] : labelLines(edge, fit?.isNarrow);
    });
  }

  // The layer of a box, or null.
  rowOf(box: number): number | null {
    return this.maker.rowOf(this.graph.boxes[box]?.node ?? kNone);
  }

  // The box that shows a layer, or kNone.
  boxOfRow(row: number): number {
    const node = this.view.nodeOfLayer(this.engine.layerId(row));
    return node === null ? kNone : (this.graph.boxOfNode[node] ?? kNone);
  }

  // The layers of a box, in execution order.
  rowsOf(box: number): readonly number[] {
    const group = this.graph.boxes[box]?.group ?? kNone;
    if (group !== kNone) return this.maker.figures(group).rows;
    const row = this.rowOf(box);
    return row === null ? [] : [row];
  }

  // A text cut to a width, in a font; cached, because measuring is slow.
  cut(text: string, width: number, font: Font): string {
    const room = Math.max(0, width);
    const key = `${String(Math.round(room))} ${String(font.size)} ${String(font.weight)} ${text}`;
    let cut = this.#cuts.get(key);
    if (cut === undefined) {
      const measure = (t: string): number => widthOf(t, font);
      cut = this.#siblings?.fit(text, room, measure) ?? middleEllipsis(text, room, measure);
      // The cache would keep every width that zooming passes through.
      if (this.#cuts.size > 20_000) this.#cuts.clear();
      this.#cuts.set(key, cut);
    }
    return cut;
  }

  #boxSize(box: Box): readonly [number, number] {
    const shape = this.maker.shape(box);
    const [usual, height] = kSizes[shape];
    const width = Math.min(usual, this.#fit?.boxWidth ?? usual);
    if (shape === 'group') {
      return [width, height + kGroupLine * this.maker.facts(box).lines.length];
    }
    if (shape === 'binding' || shape === 'memory') {
      const name = (this.view.name(box.node) ?? '').slice(0, 80);
      const named = widthOf(name, kPlain) + kNamePadding;
      return [Math.min(kMaxNameWidth, Math.max(width / 2, named)), height];
    }
    return [width, height];
  }

  #labelSize(edge: number): readonly [number, number] {
    const lines = this.label(edge);
    if (lines.length === 0) return [0, 0];
    const measures = this.edges.length <= kMaxMeasured;
    const widths = lines.map((line) => {
      const text = line.map((part) => part.text).join('');
      return measures ? widthOf(text, kSmall) : text.length * kUsualLetter;
    });
    return [Math.max(...widths) + 2 * kLabelGap, lines.length * kLabelLine + 2];
  }

  // In the order that layout/native/layout_wasm.cc specifies.
  #layoutInput(): Flat {
    const { boxes, frames } = this.graph;
    const times = this.engine.times(this.engine.basisOr('median'));
    const numbers: number[] = [];
    const indices = [boxes.length, this.edges.length, frames.length];
    for (const [i, box] of boxes.entries()) {
      const ms =
        box.group === kNone ? times[this.rowOf(i) ?? kNone] : this.maker.figures(box.group).ms;
      numbers.push(...this.#boxSize(box), isNumber(ms) ? ms : 0);
      indices.push(box.frame);
    }
    for (const [i, { from, to, edge, facts }] of this.edges.entries()) {
      numbers.push(...this.#labelSize(i), facts.width);
      // A tensor leaves its layer once.
      const fromPort = this.view.edges.fromPort[edge] ?? kNone;
      indices.push(from, to, fromPort, facts.kind === 'carried' ? 1 : 0);
    }
    for (const { group, parent } of frames) {
      const name = (this.view.groups[group]?.name ?? '').slice(0, 40);
      numbers.push(kTitleStrip, Math.min(kMaxTitle, widthOf(name, kTitle) + 20));
      indices.push(parent);
    }
    return { numbers: Float64Array.from(numbers), indices: Int32Array.from(indices) };
  }

  async layOut(run: RunLayout): Promise<void> {
    this.#placed = new Placed(await run('lay_out', this.#layoutInput()), this.graph);
  }

  get placed(): Placed {
    if (this.#placed === null) throw new Error('this scene has no layout yet');
    return this.#placed;
  }

  // Recomputes everything but the layout: the time basis or the names changed.
  renew(store: Store): Scene {
    const next = new Scene({ store, view: this.view, graph: this.graph, fit: this.#fit });
    next.#placed = this.#placed;
    return next;
  }
}

export async function makeScene(
  run: RunLayout,
  store: Store,
  view: GraphView,
  folded: Uint8Array,
  hidden: Uint8Array,
): Promise<Scene> {
  const graph = await collapse(run, { engine: store.engine, view, folded, hidden });
  return new Scene({ store, view, graph });
}

// Where everything is.
export class Placed {
  readonly width: number;
  readonly height: number;
  readonly boxGrid: Grid;
  readonly edgeGrid: Grid;
  readonly frameGrid: Grid;
  // Boxes from top to bottom.
  readonly byHeight: Int32Array;
  // x, y, width, height of each.
  readonly #boxes: Float64Array;
  readonly #frames: Float64Array;
  // x, y of the label of each edge.
  readonly #labels: Float64Array;
  // Edge i: from 2 * #firstPoint[i] to 2 * #firstPoint[i + 1].
  readonly #points: Float64Array;
  readonly #firstPoint: Int32Array;

  constructor({ numbers, indices }: Flat, { boxes, edges, frames }: BoxGraph) {
    let at = 2;
    const take = (count: number): Float64Array => numbers.subarray(at, (at += count));
    this.width = numbers[0] ?? 0;
    this.height = numbers[1] ?? 0;
    this.#boxes = take(4 * boxes.length);
    this.#frames = take(4 * frames.length);
    this.#labels = take(2 * edges.length);
    this.#points = numbers.subarray(at);
    this.#firstPoint = indices;
    this.boxGrid = new Grid(rectBounds(this.#boxes));
    this.frameGrid = new Grid(rectBounds(this.#frames));
    this.edgeGrid = new Grid(this.#routeBounds(edges.length));
    const top = (box: number): number => this.#boxes[4 * box + 1] ?? 0;
    this.byHeight = Int32Array.from(boxes.keys()).sort((a, b) => top(a) - top(b) || a - b);
  }

  box(index: number): Rect {
    return rectAt(this.#boxes, index);
  }

  frame(index: number): Rect {
    return rectAt(this.#frames, index);
  }

  #route(edge: number): Float64Array {
    const first = this.#firstPoint;
    return this.#points.subarray(2 * (first[edge] ?? 0), 2 * (first[edge + 1] ?? 0));
  }

  route(edge: number): readonly number[] {
    return [...this.#route(edge)];
  }

  labelAt(edge: number): { readonly x: number; readonly y: number } {
    return { x: this.#labels[2 * edge] ?? 0, y: this.#labels[2 * edge + 1] ?? 0 };
  }

  // The topmost box at a point, or kNone.
  boxAt(x: number, y: number, slack = 0): number {
    const hits = this.boxGrid.query({ x0: x - slack, y0: y - slack, x1: x + slack, y1: y + slack });
    return hits.at(-1) ?? kNone;
  }

  #routeBounds(edges: number): Float64Array {
    const bounds = new Float64Array(4 * edges);
    for (let edge = 0; edge < edges; edge += 1) {
      const route = this.#route(edge);
      let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
      for (let i = 0; i < route.length; i += 2) {
        const x = route[i] ?? 0;
        const y = route[i + 1] ?? 0;
        x0 = Math.min(x0, x);
        x1 = Math.max(x1, x);
        y0 = Math.min(y0, y);
        y1 = Math.max(y1, y);
      }
      if (x0 <= x1) bounds.set([x0, y0, x1, y1], 4 * edge);
    }
    return bounds;
  }
}

function rectBounds(rects: Float64Array): Float64Array {
  return rects.map((value, i) => (i % 4 < 2 ? value : value + (rects[i - 2] ?? 0)));
}

function rectAt(rects: Float64Array, index: number): Rect {
  const [x = 0, y = 0, width = 0, height = 0] = rects.subarray(4 * index, 4 * index + 4);
  return { x, y, width, height };
}
