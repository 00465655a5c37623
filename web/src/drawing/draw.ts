// Draws the part of the graph that is seen: frames, edges with their words, boxes.

import { bodyFont, fixed, percent, textWidth, visible, type Palette } from '../public/index.ts';
import { detailOf, kMinText, kSmallText } from './camera.ts';
import { kNone } from './collapse.ts';
import { drawBox, foldMark } from './draw_boxes.ts';
import type { Bounds } from './grid.ts';
import type { Paint } from './paint.ts';
import type { Font, Path, Pen } from '../public/plot/pen.ts';
import { kLabelLine, kTitleFont, type Scene, type SceneEdge } from './scene.ts';

export interface Look {
  readonly palette: Palette;
  readonly paint: Paint;
  readonly selected: number;
  readonly hovered: number;
  // Group of the selected frame, or kNone.
  readonly selectedGroup: number;
  // Whether the filter leaves a box as it is; null where there is no filter.
  readonly stays: ((box: number) => boolean) | null;
}

const kFaded = 0.25;
// What is shorter than this on screen is not drawn.
const kMinEdge = 2;
const kMaxBoxes = 5000;
const kMaxEdges = 6000;
const kArrowFrom = 0.35;
const kLabelGap = 6;

function sampled(list: readonly number[], most: number): readonly number[] {
  if (list.length <= most) return list;
  const step = Math.ceil(list.length / most);
  return list.filter((_, i) => i % step === 0);
}

// Boxes in view. Where they are smaller than their text, as many as a screen can tell apart.
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

export function drawScene(pen: Pen, scene: Scene, bounds: Bounds, look: Look): void {
  drawFrames(pen, scene, bounds, look);
  const found = scene.placed.edgeGrid.query(bounds, kMinEdge / pen.zoom);
  const edges = sampled(found, kMaxEdges);
  drawEdges(pen, scene, edges, look);
  const boxes = boxesIn(scene, bounds, pen.zoom);
  for (const box of boxes) {
    if (box === look.selected || box === look.hovered) continue;
    pen.alpha(look.stays?.(box) === false ? kFaded : 1);
    drawBox(pen, scene, box, { ...look, isSelected: false, isHovered: false });
  }
  pen.alpha(1);
  // Above the others, and there even where boxes are left out.
  for (const box of new Set([look.hovered, look.selected])) {
    if (box === kNone) continue;
    const isSelected = box === look.selected;
    drawBox(pen, scene, box, { ...look, isSelected, isHovered: !isSelected });
  }
  if (kSmallText * pen.zoom >= kMinText) drawLabels(pen, scene, edges, look);
}

// --- frames

function drawFrames(pen: Pen, scene: Scene, bounds: Bounds, look: Look): void {
  const { palette } = look;
  const least = 3 / pen.zoom;
  for (const index of sampled(scene.placed.frameGrid.query(bounds, least), kMaxBoxes)) {
    const { x, y, width, height } = scene.placed.frame(index);
    const group = scene.graph.frames[index]?.group ?? kNone;
    const isSelected = group !== kNone && group === look.selectedGroup;
    pen.rect(x, y, width, height, {
      fill: palette.ui('s1'),
      stroke: isSelected ? palette.ui('selb') : palette.ui('line'),
      width: isSelected ? 2 : 1,
      radius: 4,
    });
    if (kSmallText * pen.zoom >= kMinText) drawTitle(pen, scene, index, bounds, look);
  }
}

export function frameTitle(
  scene: Scene,
  group: number,
): { readonly name: string; readonly facts: readonly string[] } {
  const own = scene.view.groups[group];
  const figures = scene.maker.figures(group);
  const parts = [
    figures.layers > 0
      ? `${String(figures.layers)} ${figures.layers === 1 ? 'layer' : 'layers'}`
      : `${String(own?.nodeCount ?? 0)} nodes`,
    figures.ms === null ? '' : `${fixed(figures.ms, 3)} ms`,
    figures.share === null ? '' : `${percent(figures.share)} % of Σ`,
  ];
  return {
    name: visible((own?.name ?? '').slice(0, 200)),
    facts: parts.filter((part) => part !== ''),
  };
}

const kMark = 9;

// As many of the facts as there is room for, from the first.
function fitting(facts: readonly string[], room: number): string {
  for (let count = facts.length; count > 0; count -= 1) {
    const text = facts.slice(0, count).join(' · ');
    if (textWidth(text, bodyFont(kSmallText)) <= room) return text;
  }
  return '';
}

// Along the left side, in the middle of what is seen of the frame.
function drawTitle(pen: Pen, scene: Scene, index: number, bounds: Bounds, look: Look): void {
  const { palette } = look;
  const rect = scene.placed.frame(index);
  const group = scene.graph.frames[index]?.group ?? kNone;
  const top = Math.max(rect.y, bounds.y0) + 6;
  const bottom = Math.min(rect.y + rect.height, bounds.y1) - 6;
  const room = bottom - top;
  if (room < kMark + 4) return;
  const { name, facts } = frameTitle(scene, group);
  const nameFont = bodyFont(kTitleFont.size, kTitleFont.weight);
  const restFont: Font = { size: kSmallText, weight: 400 };
  const shownName = scene.cut(name, Math.max(0, room - kMark - 8), nameFont);
  const nameWidth = textWidth(shownName, nameFont);
  const left = room - nameWidth - kMark - 16;
  const shownFacts = fitting(facts, left);
  const factsWidth = shownFacts === '' ? 0 : textWidth(shownFacts, bodyFont(kSmallText)) + 6;
  const all = nameWidth + kMark + 8 + factsWidth;
  let y = (top + bottom) / 2 + all / 2;
  const x = rect.x + 14;
  const isVertical = true;
  pen.text(shownName, x, y, { font: kTitleFont, colour: palette.ui('ink'), isVertical });
  y -= nameWidth + 5 + kMark;
  foldMark(pen, x - kMark + 1, y, palette.ui('ink3'), false);
  if (shownFacts !== '') {
    pen.text(shownFacts, x, y - 5, { font: restFont, colour: palette.ui('ink3'), isVertical });
  }
}

// --- edges

const kDashes: Readonly<Partial<Record<string, readonly number[]>>> = {
  carried: [8, 4],
  reuse: [2, 3],
  event: [6, 3, 1, 3],
  control: [4, 3],
  order: [1, 3],
  contracted: [6, 4],
};

interface Batch {
  readonly colour: string;
  readonly width: number;
  readonly dash: readonly number[] | undefined;
  readonly alpha: number;
  readonly paths: Path[];
  readonly heads: Path[];
}

function head(path: Path, width: number): Path {
  const last = path.length - 2;
  const x = path[last] ?? 0;
  const y = path[last + 1] ?? 0;
  const dx = Math.sign(x - (path[last - 2] ?? x));
  const dy = Math.sign(y - (path[last - 1] ?? y - 1));
  const long = 5 + width * 0.6;
  const half = 3 + width * 0.45;
  const [baseX, baseY] = [x - dx * long, y - dy * long];
  return [x, y, baseX - dy * half, baseY - dx * half, baseX + dy * half, baseY + dx * half];
}

// The line ends inside its head, not at its tip.
function shortened(path: Path): Path {
  const last = path.length - 2;
  const dx = Math.sign((path[last] ?? 0) - (path[last - 2] ?? 0));
  const dy = Math.sign((path[last + 1] ?? 0) - (path[last - 1] ?? 0));
  const copy = [...path];
  copy[last] = (path[last] ?? 0) - dx * 4;
  copy[last + 1] = (path[last + 1] ?? 0) - dy * 4;
  return copy;
}

function edgeColour(edge: SceneEdge, look: Look): string {
  const { facts } = edge;
  if (facts.kind === 'data' || facts.kind === 'carried' || facts.kind === 'contracted') {
    return look.paint.precision(facts.dtype);
  }
  return look.palette.ui('ink3');
}

function drawEdges(pen: Pen, scene: Scene, edges: readonly number[], look: Look): void {
  const batches = new Map<string, Batch>();
  for (const index of edges) {
    const edge = scene.edges[index];
    const path = scene.placed.route(index);
    if (edge === undefined || edge.edge === kNone || path.length < 4) continue;
    const isNear =
      look.selected !== kNone && (edge.from === look.selected || edge.to === look.selected);
    const stays = look.stays === null || look.stays(edge.from) || look.stays(edge.to);
    const colour = edgeColour(edge, look);
    const width = edge.facts.width + (isNear ? 1 : 0);
    const alpha = stays ? 1 : kFaded;
    const key = `${colour} ${width.toFixed(2)} ${edge.facts.kind} ${String(alpha)}`;
    let batch = batches.get(key);
    if (batch === undefined) {
      batch = { colour, width, dash: kDashes[edge.facts.kind], alpha, paths: [], heads: [] };
      batches.set(key, batch);
    }
    const hasHead = pen.zoom >= kArrowFrom;
    batch.paths.push(hasHead ? shortened(path) : path);
    if (hasHead) batch.heads.push(head(path, width));
  }
  for (const { colour, width, dash, alpha, paths, heads } of batches.values()) {
    pen.alpha(alpha);
    pen.lines(paths, { colour, width, ...(dash === undefined ? {} : { dash }) });
    if (heads.length > 0) pen.shapes(heads, colour);
  }
  pen.alpha(1);
}

function drawLabels(pen: Pen, scene: Scene, edges: readonly number[], look: Look): void {
  const { palette } = look;
  const background = palette.ui('bg');
  for (const index of edges) {
    const edge = scene.edges[index];
    const lines = scene.label(index);
    if (edge === undefined || lines.length === 0) continue;
    if (look.stays !== null && !look.stays(edge.from) && !look.stays(edge.to)) continue;
    const { x, y } = scene.placed.labelAt(index);
    for (const [i, line] of lines.entries()) {
      let left = x + kLabelGap;
      for (const part of line) {
        const font: Font = { size: kSmallText, weight: part.weight };
        pen.text(part.text, left, y + kLabelLine * (i + 1) - 3, {
          font,
          colour: palette.ui(part.ink),
          // Inside a frame the ground is another one.
          ...(isFramed(scene, edge) ? {} : { rim: background }),
        });
        left += textWidth(part.text, bodyFont(font.size, font.weight));
      }
    }
  }
}

function isFramed(scene: Scene, edge: SceneEdge): boolean {
  const { boxes } = scene.graph;
  return (boxes[edge.from]?.frame ?? kNone) !== kNone || (boxes[edge.to]?.frame ?? kNone) !== kNone;
}
