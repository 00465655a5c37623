// The graph as boxes, edges and frames with their sizes, what the layout makes of it, and finding
// what is where.

import {
  bodyFont,
  middleEllipsis,
  textWidth,
  type Engine,
  type GraphView,
  type Store,
  type Names,
} from '../public/index.ts';
import { kNoIndex, packInput, type LayoutInput, type LayoutResult } from '../public/layout.ts';
import { FactsMaker, type BoxFacts, type BoxShape } from './box_facts.ts';
import { kSmallText } from './camera.ts';
import { collapse, kNone, type Box, type BoxEdge, type BoxGraph } from './collapse.ts';
import { edgeFacts, labelLines, tensorOf, type EdgeFacts, type LabelLine } from './edge_facts.ts';
import { Grid } from './grid.ts';

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
// Of shapes that hold only a name: as wide as that, within limits.
const kNamePadding = 28;
const kMaxNameWidth = 260;
const kGroupLine = 14;

export const kLabelLine = 13;
const kLabelGap = 6;
// With more edges than this, words are taken to be as wide as their letters usually are.
const kMaxMeasured = 20_000;
const kUsualLetter = 6;

const kTitleStrip = 20;
export const kTitleFont = { size: 11, weight: 600 } as const;

export interface SceneEdge extends BoxEdge {
  readonly facts: EdgeFacts;
  readonly isCompact: boolean;
  readonly isResidual: boolean;
}

// How a graph is fitted into little room.
export interface SceneFit {
  // Boxes are at most this wide.
  readonly boxWidth: number;
  // Words beside edges stand in two lines, and in more short ones where an edge passes boxes.
  readonly isNarrow: boolean;
}

interface Parts {
  readonly store: Store;
  readonly view: GraphView;
  readonly graph: BoxGraph;
  readonly fit?: SceneFit;
}

const smallFont = (): string => bodyFont(kSmallText);

// A residual is what an addition reads past the layers in between.
function addsUp(engine: Engine, row: number | null): boolean {
  if (row === null) return false;
  const name = engine.rawName(row).slice(0, 2000);
  return engine.family(row) === 'pointwise' || /(^|[^a-z])add/i.test(name);
}

export class Scene {
  readonly view: GraphView;
  readonly engine: Engine;
  readonly graph: BoxGraph;
  readonly edges: readonly SceneEdge[];
  readonly maker: FactsMaker;
  readonly #fit: SceneFit | undefined;
  readonly #facts: (BoxFacts | undefined)[] = [];
  readonly #labels: (readonly LabelLine[] | undefined)[] = [];
  readonly #cuts = new Map<string, string>();
  #placed: Placed | null = null;

  // What names stand beside.
  readonly #siblings: Names | null;

  constructor({ store, view, graph, fit }: Parts) {
    this.#siblings = store.labels();
    this.#fit = fit;
    this.view = view;
    this.engine = store.engine;
    this.graph = graph;
    this.maker = new FactsMaker(store, view);
    const inputs = new Int32Array(graph.boxes.length);
    for (const edge of graph.edges) inputs[edge.to] = (inputs[edge.to] ?? 0) + 1;
    this.edges = graph.edges.map((edge): SceneEdge => {
      const isCompact = edge.to !== edge.from + 1;
      const target = graph.boxes[edge.to];
      const row = target === undefined ? null : this.maker.rowOf(target.node);
      const facts = edgeFacts(this.engine, view, edge.edge);
      const isPast = isCompact && facts.kind === 'data' && (inputs[edge.to] ?? 0) > 1;
      return { ...edge, facts, isCompact, isResidual: isPast && addsUp(this.engine, row) };
    });
  }

  facts(box: number): BoxFacts {
    let facts = this.#facts[box];
    if (facts === undefined) {
      const own = this.graph.boxes[box];
      if (own === undefined) throw new Error(`no box ${String(box)}`);
      facts = this.maker.facts(own);
      this.#facts[box] = facts;
    }
    return facts;
  }

  label(edge: number): readonly LabelLine[] {
    let lines = this.#labels[edge];
    if (lines === undefined) {
      const own = this.edges[edge];
      lines =
        own === undefined
          ? []
          : labelLines({ ...own, edge: own, isNarrow: this.#fit?.isNarrow === true });
      this.#labels[edge] = lines;
    }
    return lines;
  }

  // A text cut to a width, in a font; remembered, since measuring is slow.
  cut(text: string, width: number, font: string): string {
    const key = `${String(Math.round(width))} ${font} ${text}`;
    let cut = this.#cuts.get(key);
    if (cut === undefined) {
      const measure = (t: string): number => textWidth(t, font);
      cut =
        this.#siblings === null
          ? middleEllipsis(text, width, measure)
          : this.#siblings.fit(text, width, measure);
      // Every width that zooming passes through would stay.
      if (this.#cuts.size > 20_000) this.#cuts.clear();
      this.#cuts.set(key, cut);
    }
    return cut;
  }

  boxSize(box: Box): readonly [number, number] {
    const shape = this.maker.shape(box);
    const [usual, height] = kSizes[shape];
    const width = Math.min(usual, this.#fit?.boxWidth ?? usual);
    if (shape === 'group') {
      return [width, height + kGroupLine * this.maker.facts(box).lines.length];
    }
    if (shape === 'binding' || shape === 'memory') {
      const name = (this.view.name(box.node) ?? '').slice(0, 80);
      const named = textWidth(name, bodyFont(12)) + kNamePadding;
      return [Math.min(kMaxNameWidth, Math.max(width / 2, named)), height];
    }
    return [width, height];
  }

  #labelSize(edge: number, measures: boolean): readonly [number, number] {
    const lines = this.label(edge);
    if (lines.length === 0) return [0, 0];
    const font = smallFont();
    const widths = lines.map((line) => {
      const text = line.map((part) => part.text).join('');
      return measures ? textWidth(text, font) : text.length * kUsualLetter;
    });
    return [Math.max(...widths) + 2 * kLabelGap, lines.length * kLabelLine + 2];
  }

  layoutInput(): LayoutInput {
    const { boxes, frames } = this.graph;
    const measures = this.edges.length <= kMaxMeasured;
    const times = this.engine.times(this.engine.basisOr('median'));
    return packInput(
      boxes.map((box) => {
        const [width, height] = this.boxSize(box);
        const row = box.node === kNone ? null : this.maker.rowOf(box.node);
        const ms = row === null ? this.#groupMs(box) : (times[row] ?? Number.NaN);
        return {
          width,
          height,
          frame: box.frame === kNone ? kNoIndex : box.frame,
          weight: Number.isNaN(ms) ? 0 : ms,
        };
      }),
      this.edges.map((edge, i) => {
        const [labelWidth, labelHeight] = this.#labelSize(i, measures);
        const fromPort = this.view.edges.fromPort[edge.edge] ?? kNone;
        return {
          from: edge.from,
          to: edge.to,
          // One tensor leaves its layer once.
          fromSlot: fromPort === kNone ? kNoIndex : fromPort,
          toSlot: kNoIndex,
          labelWidth,
          labelHeight,
          stroke: edge.facts.width,
          isBack: edge.facts.kind === 'carried',
        };
      }),
      frames.map(({ group, parent }) => ({
        parent: parent === kNone ? kNoIndex : parent,
        titleWidth: kTitleStrip,
        titleHeight: Math.min(
          160,
          textWidth((this.view.groups[group]?.name ?? '').slice(0, 40), bodyFont(11, 600)) + 20,
        ),
      })),
    );
  }

  #groupMs(box: Box): number {
    return box.group === kNone ? Number.NaN : (this.maker.figures(box.group).ms ?? Number.NaN);
  }

  place(result: LayoutResult): void {
    this.#placed = new Placed(result);
  }

  get placed(): Placed {
    if (this.#placed === null) throw new Error('this scene has no layout yet');
    return this.#placed;
  }

  // The box that shows a layer, or kNone.
  boxOfRow(row: number): number {
    const node = this.view.nodeOfLayer(this.engine.layerId(row));
    return node === null ? kNone : (this.graph.boxOfNode[node] ?? kNone);
  }

  // Everything but the layout anew: the time basis or the names changed.
  renew(store: Store): Scene {
    const next = new Scene({
      store,
      view: this.view,
      graph: this.graph,
      ...(this.#fit === undefined ? {} : { fit: this.#fit }),
    });
    next.#placed = this.#placed;
    return next;
  }
}

export function makeScene(
  store: Store,
  view: GraphView,
  folded: Uint8Array,
  hidden: Uint8Array,
): Scene {
  const { engine } = store;
  const graph = collapse({
    view,
    folded,
    hidden,
    tensorOf: (edge) => tensorOf(engine, view, edge),
  });
  return new Scene({ store, view, graph });
}

function routeBounds({ points, firstPoint }: LayoutResult, edges: number): Float64Array {
  const bounds = new Float64Array(4 * edges);
  for (let edge = 0; edge < edges; edge += 1) {
    let [x0, y0] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    let [x1, y1] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let p = firstPoint[edge] ?? 0; p < (firstPoint[edge + 1] ?? 0); p += 1) {
      const x = points[2 * p] ?? 0;
      const y = points[2 * p + 1] ?? 0;
      x0 = Math.min(x0, x);
      x1 = Math.max(x1, x);
      y0 = Math.min(y0, y);
      y1 = Math.max(y1, y);
    }
    if (x0 <= x1) bounds.set([x0, y0, x1, y1], 4 * edge);
  }
  return bounds;
}

function rectBounds(rects: Float64Array): Float64Array {
  const bounds = new Float64Array(rects.length);
  for (let i = 0; i < rects.length; i += 4) {
    const [x = 0, y = 0, width = 0, height = 0] = rects.subarray(i, i + 4);
    bounds.set([x, y, x + width, y + height], i);
  }
  return bounds;
}

// Where everything is.
export class Placed {
  readonly width: number;
  readonly height: number;
  readonly #result: LayoutResult;
  readonly boxGrid: Grid;
  readonly edgeGrid: Grid;
  readonly frameGrid: Grid;
  // Boxes from above to below.
  readonly byHeight: Int32Array;

  constructor(result: LayoutResult) {
    this.#result = result;
    this.width = result.width;
    this.height = result.height;
    this.boxGrid = new Grid(rectBounds(result.boxes));
    this.frameGrid = new Grid(rectBounds(result.frames));
    this.edgeGrid = new Grid(routeBounds(result, result.inLane.length));
    const top = (box: number): number => result.boxes[4 * box + 1] ?? 0;
    this.byHeight = Int32Array.from({ length: result.boxes.length / 4 }, (_, i) => i).sort(
      (a, b) => top(a) - top(b) || a - b,
    );
  }

  box(index: number): Rect {
    return rectAt(this.#result.boxes, index);
  }

  frame(index: number): Rect {
    return rectAt(this.#result.frames, index);
  }

  route(edge: number): readonly number[] {
    const { points, firstPoint } = this.#result;
    return [...points.subarray(2 * (firstPoint[edge] ?? 0), 2 * (firstPoint[edge + 1] ?? 0))];
  }

  labelAt(edge: number): { readonly x: number; readonly y: number } {
    const { labels } = this.#result;
    return { x: labels[2 * edge] ?? 0, y: labels[2 * edge + 1] ?? 0 };
  }

  // The topmost box at a point, or kNone.
  boxAt(x: number, y: number, slack = 0): number {
    const hits = this.boxGrid.query({ x0: x - slack, y0: y - slack, x1: x + slack, y1: y + slack });
    return hits.at(-1) ?? kNone;
  }
}

function rectAt(rects: Float64Array, index: number): Rect {
  const [x = 0, y = 0, width = 0, height = 0] = rects.subarray(4 * index, 4 * index + 4);
  return { x, y, width, height };
}
