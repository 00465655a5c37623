// Draws the visible part of the graph: frames, edges with their labels, boxes.

import { fixed, joined, kNone, visible, type EdgeKind } from '../public/index.ts';
import { detailOf, kMinText, kSmallText } from './camera.ts';
import { drawBox, foldMark } from './draw_boxes.ts';
import { kSmall, kTitle, widthOf } from './fonts.ts';
import type { Bounds } from './grid.ts';
import type { Paint } from './paint.ts';
import type { Font, LineStyle, Path, Pen } from '../public/plot/pen.ts';
import { svgLook, SvgPen } from '../public/plot/svg_pen.ts';
import { kLabelGap, kLabelLine, type Rect, type Scene, type SceneEdge } from './scene.ts';

export interface Look {
  readonly paint: Paint;
  readonly selected: number;
  readonly hovered: number;
  // Group of the selected frame, or kNone.
  readonly selectedGroup: number;
  // Whether a box passes the filter; null if there is no filter.
  readonly stays: ((box: number) => boolean) | null;
}

const kFaded = 0.25;
// Edges shorter than this on screen are not drawn.
const kMinEdge = 2;
const kMaxBoxes = 5000;
const kMaxEdges = 6000;
const kArrowFrom = 0.35;

function sampled(list: readonly number[], most: number): readonly number[] {
  if (list.length <= most) return list;
  const step = Math.ceil(list.length / most);
  return list.filter((_, i) => i % step === 0);
}

// Boxes in view. If they are smaller than their text, only as many as can be told apart on a
// screen.
function boxesIn(scene: Scene, bounds: Bounds, zoom: number): readonly number[] {
  const { placed } = scene;
  if (scene.graph.boxes.length <= kMaxBoxes || detailOf(zoom, 34) !== 'box') {
    return placed.boxGrid.query(bounds);
  }
  const order = placed.byHeight;
  const firstAt = (y: number): number => {
    let [low, high] = [0, order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (placed.box(order[middle] ?? 0).y < y) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const from = firstAt(bounds.y0 - 100);
  const to = firstAt(bounds.y1);
  const step = Math.max(1, Math.ceil((to - from) / kMaxBoxes));
  const boxes: number[] = [];
  for (let i = from; i < to; i += step) {
    const box = order[i] ?? 0;
    const { x, width } = placed.box(box);
    if (x <= bounds.x1 && x + width >= bounds.x0) boxes.push(box);
  }
  return boxes;
}

export function drawScene(pen: Pen, look: Look, bounds: Bounds): void {
  const { paint, stays } = look;
  const { scene } = paint;
  drawFrames(pen, bounds, look);
  const found = scene.placed.edgeGrid.query(bounds, kMinEdge / pen.zoom);
  const edges = sampled(found, kMaxEdges);
  drawEdges(pen, edges, look);
  const boxes = boxesIn(scene, bounds, pen.zoom);
  for (const box of boxes) {
    if (box === look.selected || box === look.hovered) continue;
    pen.alpha(stays?.(box) === false ? kFaded : 1);
    drawBox(pen, box, { paint, isSelected: false, isHovered: false });
  }
  pen.alpha(1);
  // Above the others, and drawn even when boxes are left out.
  for (const box of new Set([look.hovered, look.selected])) {
    if (box === kNone) continue;
    const isSelected = box === look.selected;
    drawBox(pen, box, { paint, isSelected, isHovered: !isSelected });
  }
  if (kSmallText * pen.zoom >= kMinText) drawLabels(pen, edges, look);
}

// The same as SVG text.
export function svgOf(look: Look, bounds: Bounds, zoom: number, title: string): string {
  const pen = new SvgPen(svgLook(look.paint.palette), zoom);
  drawScene(pen, look, bounds);
  return pen.document(title, bounds.x0, bounds.y0, bounds.x1 - bounds.x0, bounds.y1 - bounds.y0);
}

// --- frames

function drawFrames(pen: Pen, bounds: Bounds, look: Look): void {
  const { palette, scene } = look.paint;
  const least = 3 / pen.zoom;
  for (const index of sampled(scene.placed.frameGrid.query(bounds, least), kMaxBoxes)) {
    const rect = scene.placed.frame(index);
    const group = scene.graph.frames[index]?.group ?? kNone;
    const isSelected = group !== kNone && group === look.selectedGroup;
    pen.rect(rect.x, rect.y, rect.width, rect.height, {
      fill: palette.ui('s1'),
      stroke: palette.ui(isSelected ? 'selb' : 'line'),
      width: isSelected ? 2 : 1,
      radius: 4,
    });
    if (kSmallText * pen.zoom >= kMinText) drawTitle(pen, look.paint, group, rect, bounds);
  }
}

const kMark = 9;

// As many of the facts, from the first, as fit.
function fitting(facts: readonly string[], room: number): string {
  for (let count = facts.length; count > 0; count -= 1) {
    const text = joined(facts.slice(0, count), ' · ');
    if (widthOf(text, kSmall) <= room) return text;
  }
  return '';
}

// Along the left side, in the middle of the visible part of the frame.
function drawTitle(
  pen: Pen,
  { scene, palette }: Paint,
  group: number,
  rect: Rect,
  bounds: Bounds,
): void {
  const top = Math.max(rect.y, bounds.y0) + 6;
  const bottom = Math.min(rect.y + rect.height, bounds.y1) - 6;
  const room = bottom - top;
  if (room < kMark + 4) return;
  const { ms } = scene.maker.figures(group);
  const [count, share] = scene.maker.countTexts(group);
  const name = visible((scene.view.groups[group]?.name ?? '').slice(0, 200));
  const shownName = scene.cut(name, room - kMark - 8, kTitle);
  const nameWidth = widthOf(shownName, kTitle);
  const facts = [count, ms === null ? '' : `${fixed(ms, 3)} ms`, share].filter((t) => t !== '');
  const shownFacts = fitting(facts, room - nameWidth - kMark - 16);
  const factsWidth = shownFacts === '' ? 0 : widthOf(shownFacts, kSmall) + 6;
  let y = (top + bottom + nameWidth + kMark + 8 + factsWidth) / 2;
  const x = rect.x + 14;
  // Upwards.
  const turned = -90;
  pen.text(shownName, x, y, { font: kTitle, colour: palette.ui('ink'), turned });
  y -= nameWidth + 5 + kMark;
  foldMark(pen, x - kMark + 1, y, palette.ui('ink3'), false);
  if (shownFacts !== '') {
    pen.text(shownFacts, x, y - 5, { font: kSmall, colour: palette.ui('ink3'), turned });
  }
}

// --- edges

const kDashes: Readonly<Partial<Record<EdgeKind, readonly number[]>>> = {
  carried: [8, 4],
  reuse: [2, 3],
  event: [6, 3, 1, 3],
  control: [4, 3],
  order: [1, 3],
  contracted: [6, 4],
};

interface Batch {
  readonly style: LineStyle;
  readonly alpha: number;
  readonly paths: Path[];
  readonly heads: Path[];
}

function head(path: Path, width: number): Path {
  const [fromX = 0, fromY = 0, x = 0, y = 0] = path.slice(-4);
  const dx = Math.sign(x - fromX);
  const dy = Math.sign(y - fromY);
  const long = 5 + width * 0.6;
  const half = 3 + width * 0.45;
  const [baseX, baseY] = [x - dx * long, y - dy * long];
  return [x, y, baseX - dy * half, baseY - dx * half, baseX + dy * half, baseY + dx * half];
}

// The line ends inside its arrowhead, not at its tip.
function shortened(path: Path): Path {
  const [fromX = 0, fromY = 0, x = 0, y = 0] = path.slice(-4);
  return [...path.slice(0, -2), x - Math.sign(x - fromX) * 4, y - Math.sign(y - fromY) * 4];
}

const kFlowing: readonly EdgeKind[] = ['data', 'carried', 'contracted'];

function drawEdges(pen: Pen, edges: readonly number[], look: Look): void {
  const { paint, selected } = look;
  const { scene, palette } = paint;
  const batches = new Map<string, Batch>();
  for (const index of edges) {
    const edge = scene.edges[index];
    const path = scene.placed.route(index);
    if (edge === undefined || edge.edge === kNone || path.length < 4) continue;
    const { kind, dtype } = edge.facts;
    const isNear = edge.from === selected || edge.to === selected;
    const colour = kFlowing.includes(kind) ? paint.precision(dtype) : palette.ui('ink3');
    const width = edge.facts.width + (isNear ? 1 : 0);
    const alpha = isPale(edge, look) ? kFaded : 1;
    const key = `${colour} ${width.toFixed(2)} ${kind} ${String(alpha)}`;
    let batch = batches.get(key);
    if (batch === undefined) {
      const dash = kDashes[kind];
      const style = { colour, width, ...(dash === undefined ? {} : { dash }) };
      batches.set(key, (batch = { style, alpha, paths: [], heads: [] }));
    }
    const hasHead = pen.zoom >= kArrowFrom;
    batch.paths.push(hasHead ? shortened(path) : path);
    if (hasHead) batch.heads.push(head(path, width));
  }
  for (const { style, alpha, paths, heads } of batches.values()) {
    pen.alpha(alpha);
    pen.lines(paths, style);
    if (heads.length > 0) pen.shapes(heads, style.colour);
  }
  pen.alpha(1);
}

// Neither of its ends passes the filter.
function isPale(edge: SceneEdge, { stays }: Look): boolean {
  return stays !== null && !stays(edge.from) && !stays(edge.to);
}

function drawLabels(pen: Pen, edges: readonly number[], look: Look): void {
  const { palette, scene } = look.paint;
  const isFramed = (box: number): boolean => (scene.graph.boxes[box]?.frame ?? kNone) !== kNone;
  for (const index of edges) {
    const edge = scene.edges[index];
    if (edge === undefined || isPale(edge, look)) continue;
    const { x, y } = scene.placed.labelAt(index);
    // Inside a frame the background differs.
    const rim = isFramed(edge.from) || isFramed(edge.to) ? {} : { rim: palette.ui('bg') };
    for (const [i, line] of scene.label(index).entries()) {
      let left = x + kLabelGap;
      for (const { text, weight, ink } of line) {
        const font: Font = { size: kSmallText, weight };
        const base = y + kLabelLine * (i + 1) - 3;
        pen.text(text, left, base, { font, colour: palette.ui(ink), ...rim });
        left += widthOf(text, font);
      }
    }
  }
}
