// The timeline with a pen: the same on screen and in a file.

import {
  bodyFont,
  bytesPer,
  bytesQuantity,
  bytesText,
  fitName,
  fixed,
  niceTicks,
  textWidth,
  tickDecimals,
  type Engine,
  type Palette,
} from '../../public/index.ts';
import { kHatchFill, type Pen } from '../../public/drawing.ts';
import type { TensorIndex, Timeline, TimelineTensor } from './data.ts';
import { fullestByPixel, type TimelineLayout, type TimelineRect } from './timeline_layout.ts';

export const kHead = 58;
export const kTimeline = 270;
export const kLane = 7;
export const kBrackets = 22;
export const kGap = 18;
export const kLive = 54;
export const kAxis = 18;
export const kLeft = 56;
export const kRight = 12;

const kFaded = 0.25;
const kMinLabel = 46;

export interface Bracket {
  readonly label: string;
  readonly first: number;
  readonly last: number;
}

export interface TimelineLook {
  readonly palette: Palette;
  readonly engine: Engine;
  readonly timeline: Timeline;
  readonly index: TensorIndex;
  readonly layerLabel: (row: number) => string;
  // Whether the filter leaves it.
  stays(tensor: TimelineTensor): boolean;
  readonly mask: Uint8Array;
  readonly selectedFrames: readonly number[];
  readonly selectedTensors: ReadonlySet<number>;
  readonly hoveredFrame: number | null;
  readonly hoveredTensors: ReadonlySet<number>;
  readonly brackets: readonly Bracket[];
  // Frames are wide by time, so that places say when.
  readonly byTime: boolean;
}

interface ByteAxis {
  readonly unit: string;
  readonly ticks: readonly number[];
  readonly text: (bytes: number) => string;
}

function byteAxis(most: number, target: number): ByteAxis {
  const { unit } = bytesQuantity(most);
  const scale = bytesPer(unit);
  const ticks = niceTicks(most / scale, target);
  const decimals = tickDecimals(ticks);
  return {
    unit,
    ticks: ticks.map((tick) => tick * scale),
    text: (bytes) => fixed(bytes / scale, decimals),
  };
}

export function paintTimeline(pen: Pen, layout: TimelineLayout, look: TimelineLook): void {
  paintBands(pen, layout, look);
  paintGrid(pen, layout, look);
  paintEnvelope(pen, layout, look);
  paintRects(pen, layout, look);
  paintPeak(pen, layout, look);
  paintTypes(pen, layout, look);
  paintBrackets(pen, layout, look);
  paintLive(pen, layout, look);
}

const liveTop = (layout: TimelineLayout): number =>
  layout.plot.bottom + kLane + 5 + kBrackets + kGap;

// The selected layers' columns, through all lanes.
function paintBands(pen: Pen, layout: TimelineLayout, look: TimelineLook): void {
  const { palette } = look;
  const bottom = liveTop(layout) + kLive;
  const band = (frame: number, fill: string): void => {
    const x0 = layout.edges[frame] ?? 0;
    const x1 = Math.max(layout.edges[frame + 1] ?? 0, x0 + 2);
    pen.rect(x0, layout.plot.top, x1 - x0, bottom - layout.plot.top, { fill });
  };
  for (const frame of look.selectedFrames) band(frame, palette.ui('sel'));
  if (look.hoveredFrame !== null) band(look.hoveredFrame, palette.ui('s2'));
}

function paintGrid(pen: Pen, layout: TimelineLayout, { palette }: TimelineLook): void {
  const { plot, most } = layout;
  const axis = byteAxis(most, 4);
  for (const tick of axis.ticks) {
    const y = plot.bottom - (tick / most) * (plot.bottom - plot.top);
    pen.lines([[plot.left, y, plot.right, y]], {
      colour: palette.ui(tick === 0 ? 'line2' : 'line'),
      width: 1,
    });
    pen.text(axis.text(tick), plot.left - 7, y + 3.5, {
      font: { size: 10, weight: 400 },
      colour: palette.ui('ink3'),
      align: 'right',
    });
  }
  pen.text(axis.unit, plot.left - 7, plot.top - 10, {
    font: { size: 10, weight: 400 },
    colour: palette.ui('ink3'),
    align: 'right',
  });
}

// What is too small for a rectangle of its own.
function paintEnvelope(pen: Pen, layout: TimelineLayout, { palette }: TimelineLook): void {
  if (layout.hidden === 0) return;
  const { plot, most, envelope } = layout;
  const path: number[] = [plot.left, plot.bottom];
  for (const [x, bytes] of envelope.entries()) {
    const y = plot.bottom - (bytes / most) * (plot.bottom - plot.top);
    path.push(plot.left + x, y, plot.left + x + 1, y);
  }
  path.push(plot.right, plot.bottom);
  pen.shapes([path], palette.ui('s2'));
}

function paintRects(pen: Pen, layout: TimelineLayout, look: TimelineLook): void {
  const { palette } = look;
  const outlined: TimelineRect[] = [];
  for (const rect of layout.rects) {
    const { tensor } = rect;
    const width = rect.x1 - rect.x0;
    const height = rect.y1 - rect.y0;
    const colour = palette.precision(tensor.dtype);
    pen.alpha(look.stays(tensor) ? 1 : kFaded);
    // The gap between two is the background, but never all of a thin one.
    const gapX = width > 3 ? 0.8 : 0;
    const gapY = height > 3 ? 0.8 : 0;
    const w = Math.max(width - gapX, 0.75);
    const h = Math.max(height - gapY, 0.75);
    if (colour !== null) {
      pen.rect(rect.x0, rect.y0 + gapY, w, h, { fill: colour });
    } else {
      pen.rect(rect.x0 + 0.5, rect.y0 + gapY, Math.max(w - 1, 0.5), Math.max(h - 0.5, 0.5), {
        fill: palette.ui('s1'),
        stroke: palette.ui('ink3'),
        dash: [2, 2],
      });
    }
    if (w >= kMinLabel && h >= 13) paintLabel(pen, rect, w, h, colour, look);
    const { id } = tensor;
    if (look.selectedTensors.has(id) || look.hoveredTensors.has(id)) outlined.push(rect);
  }
  pen.alpha(1);
  for (const rect of outlined) {
    const width = look.selectedTensors.has(rect.tensor.id) ? 2 : 1;
    pen.rect(
      rect.x0 + width / 2,
      rect.y0 + width / 2,
      Math.max(rect.x1 - rect.x0 - width, 1),
      Math.max(rect.y1 - rect.y0 - width, 1),
      { stroke: palette.ui('selb'), width },
    );
  }
}

function paintLabel(
  pen: Pen,
  rect: TimelineRect,
  width: number,
  height: number,
  fill: string | null,
  { palette, index }: TimelineLook,
): void {
  const ink = fill === null ? palette.ui('ink2') : palette.inkOn(fill);
  if (ink === null) return;
  const bytes = bytesText(rect.tensor.bytes);
  const name = index.name(rect.tensor.id);
  const font = bodyFont(10);
  const room = width - 8;
  const style = { font: { size: 10, weight: 400 }, colour: ink } as const;
  const fits = (text: string): boolean => textWidth(text, font) <= room;
  const y = rect.y0 + 11;
  if (height >= 26 && room > 60) {
    pen.text(fitName(name, room, font), rect.x0 + 4, y, style);
    if (fits(bytes)) pen.text(bytes, rect.x0 + 4, y + 12, style);
    return;
  }
  const together = `${name} ${bytes}`;
  // A few letters of a long name say less than its size.
  if (fits(together)) pen.text(together, rect.x0 + 4, y, style);
  else if (fits(bytes)) pen.text(bytes, rect.x0 + 4, y, style);
}

// Above the timeline, where nothing else is: when the peak is, and who holds it.
function paintPeak(pen: Pen, layout: TimelineLayout, look: TimelineLook): void {
  const { timeline, palette, engine } = look;
  const { plot, edges } = layout;
  if (timeline.peakFrame === null || timeline.peak.bytes === null) return;
  const x0 = edges[timeline.peakFrame] ?? 0;
  const x1 = Math.max(edges[timeline.peakFrame + 1] ?? 0, x0 + 2);
  const middle = (x0 + x1) / 2;
  const row = timeline.rows[timeline.peakFrame] ?? null;
  const at = row === null ? '' : ` at #${String(engine.layerId(row))} ${look.layerLabel(row)}`;
  const dtypeOf = (id: number): string | null =>
    timeline.tensors.find((tensor) => tensor.id === id)?.dtype ?? null;
  const shown = timeline.contributors.slice(0, 2);
  const rest = timeline.contributors.length - shown.length;
  const lines = shown.map((contributor, i) => {
    const dtype = dtypeOf(contributor.tensor_id);
    const more = i + 1 === shown.length && rest > 0 ? `, and ${String(rest)} more` : '';
    const waits = contributor.is_live_through ? ', waits' : '';
    return {
      name: look.index.name(contributor.tensor_id),
      tail: ` ${bytesText(contributor.bytes)}${dtype === null ? '' : ` ${dtype}`}${waits}${more}`,
    };
  });
  const isRight = middle < (plot.left + plot.right) / 2;
  const x = isRight ? x1 + 6 : x0 - 6;
  const room = Math.max(60, (isRight ? plot.right - x : x - plot.left) - 4);
  const align = isRight ? 'left' : 'right';
  const y = plot.top - kHead + 14;
  const head = `${timeline.peak.tensors_without_size > 0 ? 'peak ≥ ' : 'peak '}${bytesText(timeline.peak.bytes)}`;
  const headWidth = textWidth(head, bodyFont(11, 600));
  const place = fitName(at, Math.max(20, room - headWidth), bodyFont(11));
  const ink = { font: { size: 11, weight: 600 }, colour: palette.ui('ink'), align } as const;
  const soft = { font: { size: 11, weight: 400 }, colour: palette.ui('ink2'), align } as const;
  if (isRight) {
    pen.text(head, x, y, ink);
    pen.text(place, x + headWidth, y, soft);
  } else {
    pen.text(place, x, y, soft);
    pen.text(head, x - textWidth(place, bodyFont(11)), y, ink);
  }
  for (const [i, { name, tail }] of lines.entries()) {
    const nameRoom = Math.max(40, room - textWidth(tail, bodyFont(11)));
    pen.text(`${fitName(name, nameRoom, bodyFont(11))}${tail}`, x, y + 14 * (i + 1), soft);
  }
  pen.lines([[middle, y - 9, middle, plot.top - 3]], { colour: palette.ui('ink'), width: 1 });
  pen.lines([[x0, plot.top - 3, x1, plot.top - 3]], { colour: palette.ui('ink'), width: 2 });
}

// One mark a layer, in its type's colour; where they are narrower than a pixel, the first of it.
function paintTypes(pen: Pen, layout: TimelineLayout, look: TimelineLook): void {
  const { engine, timeline, palette } = look;
  const top = layout.plot.bottom + 5;
  let drawnTo = Number.NEGATIVE_INFINITY;
  for (const [frame, row] of timeline.rows.entries()) {
    const x0 = layout.edges[frame] ?? 0;
    const x1 = layout.edges[frame + 1] ?? 0;
    if (row === null || x1 - drawnTo < 0.75) continue;
    const role = engine.layers.text('role', row);
    drawnTo = Math.max(x1, x0 + 0.75);
    if (role !== null && role !== 'work') continue;
    const family = engine.family(row);
    const width = x1 - x0;
    pen.alpha(look.mask[row] === 1 ? 1 : kFaded);
    pen.rect(x0, top, Math.max(width - (width > 3 ? 1 : 0), 0.75), kLane, {
      fill: family === 'reformat' ? kHatchFill : palette.family(family),
    });
  }
  pen.alpha(1);
}

function paintBrackets(
  pen: Pen,
  layout: TimelineLayout,
  { palette, brackets }: TimelineLook,
): void {
  const top = layout.plot.bottom + kLane + 9;
  for (const bracket of brackets) {
    const x0 = (layout.edges[bracket.first] ?? 0) + 1;
    const x1 = (layout.edges[bracket.last + 1] ?? 0) - 1;
    if (x1 - x0 < 4) continue;
    pen.lines([[x0, top, x0, top + 4, x1, top + 4, x1, top]], {
      colour: palette.ui('line2'),
      width: 1,
      isSharp: true,
    });
    const font = bodyFont(10);
    const last = bracket.label.split('.').at(-1) ?? '';
    const label = [bracket.label, last].find((text) => textWidth(text, font) <= x1 - x0 - 2);
    if (label === undefined) continue;
    pen.text(label, (x0 + x1) / 2, top + 16, {
      font: { size: 10, weight: 400 },
      colour: palette.ui('ink3'),
      align: 'middle',
    });
  }
}

// Live bytes by frame, with the scratch memory of layers above them where they tell it.
function paintLive(pen: Pen, layout: TimelineLayout, look: TimelineLook): void {
  const { timeline, palette } = look;
  const { plot } = layout;
  const top = liveTop(layout);
  const bottom = top + kLive;
  const { live_bytes: held, scratch_bytes: scratch } = timeline.frames;
  const hasScratch = scratch.some((bytes) => (bytes ?? 0) > 0);
  const both = held.map((bytes, i) => bytes + (scratch[i] ?? 0));
  const live = fullestByPixel(layout, held);
  const all = hasScratch ? fullestByPixel(layout, both) : live;
  let most = 1;
  for (const bytes of all) most = Math.max(most, bytes);
  const y = (bytes: number): number => bottom - (bytes / most) * (bottom - top);
  const area = (values: Float64Array): readonly number[] => {
    const path: number[] = [plot.left, bottom];
    for (const [x, bytes] of values.entries()) {
      path.push(plot.left + x, y(bytes), Math.min(plot.right, plot.left + x + 1), y(bytes));
    }
    path.push(plot.right, bottom);
    return path;
  };
  const axis = byteAxis(most, 2);
  for (const tick of axis.ticks) {
    pen.lines([[plot.left, y(tick), plot.right, y(tick)]], {
      colour: palette.ui(tick === 0 ? 'line2' : 'line'),
      width: 1,
    });
    pen.text(axis.text(tick), plot.left - 7, y(tick) + 3.5, {
      font: { size: 10, weight: 400 },
      colour: palette.ui('ink3'),
      align: 'right',
    });
  }
  if (hasScratch) pen.shapes([area(all)], palette.ui('line'));
  pen.shapes([area(live)], palette.ui('line2'));
  pen.text(
    `live, ${axis.unit}${hasScratch ? '; light: scratch memory of the layer' : ''}`,
    plot.left,
    top - 3,
    { font: { size: 10, weight: 500 }, colour: palette.ui('ink2') },
  );
  pen.text(look.byTime ? 'layer time →' : 'execution order →', plot.right, bottom + 13, {
    font: { size: 10, weight: 400 },
    colour: palette.ui('ink3'),
    align: 'right',
  });
}

export const kHeight = kHead + kTimeline + 5 + kLane + kBrackets + kGap + kLive + kAxis;
