// What the timeline draws, from the back to the front.

import {
  bodyFont,
  bytesText,
  fitName,
  isNumber,
  textWidth,
  type Store,
} from '../../public/index.ts';
import {
  byteTicks,
  familyFill,
  upwards,
  yAxis,
  type Frame,
  type Plot,
  type TextLook,
} from '../../public/plot/index.ts';
import type { TensorIndex, Timeline, TimelineTensor } from './data.ts';
import { fullestByPixel, type TimelineLayout, type TimelineRect } from './timeline_layout.ts';

const kHead = 58;
const kTimeline = 270;
const kLane = 7;
const kBrackets = 22;
const kGap = 18;
const kLive = 54;
const kAxis = 18;
const kLeft = 56;
const kRight = 12;

const kBottom = kHead + kTimeline;
const kLiveTop = kBottom + kLane + 5 + kBrackets + kGap;
export const kHeight = kLiveTop + kLive + kAxis;

const kFaded = 0.25;
const kMinLabel = 46;

export function areaOf(width: number): Frame {
  return {
    left: kLeft,
    top: kHead,
    width: Math.max(10, width - kLeft - kRight),
    height: kTimeline,
  };
}

export interface TimelineLook {
  readonly store: Store;
  readonly timeline: Timeline;
  readonly index: TensorIndex;
  // Whether it passes the filter.
  stays(tensor: TimelineTensor): boolean;
  readonly selectedFrames: readonly number[];
  readonly selectedTensors: ReadonlySet<number>;
  readonly brackets: readonly {
    readonly label: string;
    readonly first: number;
    readonly last: number;
  }[];
  // Frame widths follow time, so positions show when.
  readonly byTime: boolean;
}

export function paintTimeline(plot: Plot, layout: TimelineLayout, look: TimelineLook): void {
  const { palette } = plot;
  // The selected layers' columns, through all lanes.
  for (const frame of look.selectedFrames) {
    const [x0 = 0, x1 = 0] = layout.edges.slice(frame, frame + 2);
    plot.rect(x0, kHead, Math.max(x1, x0 + 2), kLiveTop + kLive, { fill: palette.ui('sel') });
  }
  const { area } = layout;
  const y = upwards(area, 0, layout.most);
  const ticks = byteTicks(layout.most, 4);
  yAxis(plot, area, y, ticks, { title: ticks.unit });
  // Tensors too small for a rectangle of their own.
  if (layout.hidden > 0) {
    plot.shape(stepsOf(area, layout.envelope, y), palette.ui('s2'));
  }
  for (const rect of layout.rects) drawRect(plot, rect, look);
  for (const { tensor, x0, x1, y0, y1 } of layout.rects) {
    if (!look.selectedTensors.has(tensor.id)) continue;
    const [right, bottom] = [Math.max(x1 - 1, x0 + 2), Math.max(y1 - 1, y0 + 2)];
    plot.rect(x0 + 1, y0 + 1, right, bottom, { stroke: palette.ui('selb'), width: 2 });
  }
  drawPeak(plot, layout, look);
  drawTypes(plot, layout, look);
  drawBrackets(plot, layout, look);
  drawLive(plot, layout, look);
}

// One step per pixel, from the bottom of the frame.
function stepsOf(
  { left, top, width, height }: Frame,
  values: Float64Array,
  y: (value: number) => number,
): readonly number[] {
  const path = [left, top + height];
  for (const [x, value] of values.entries()) {
    path.push(left + x, y(value), Math.min(left + width, left + x + 1), y(value));
  }
  path.push(left + width, top + height);
  return path;
}

function drawRect(plot: Plot, { tensor, x0, x1, y0, y1 }: TimelineRect, look: TimelineLook): void {
  const { palette } = plot;
  const [width, height] = [x1 - x0, y1 - y0];
  const colour = palette.precision(tensor.dtype);
  const opacity = look.stays(tensor) ? 1 : kFaded;
  // The gap between two rectangles is background, but never covers all of a thin one.
  const gapY = height > 3 ? 0.8 : 0;
  const w = Math.max(width - (width > 3 ? 0.8 : 0), 0.75);
  const h = Math.max(height - gapY, 0.75);
  const top = y0 + gapY;
  if (colour !== null) plot.rect(x0, top, x0 + w, top + h, { fill: colour, opacity });
  else {
    const [right, bottom] = [x0 + 0.5 + Math.max(w - 1, 0.5), top + Math.max(h - 0.5, 0.5)];
    const outline = { stroke: palette.ui('ink3'), dash: [2, 2] };
    plot.rect(x0 + 0.5, top, right, bottom, { fill: palette.ui('s1'), ...outline, opacity });
  }
  const fill = colour === null ? palette.ui('ink2') : palette.inkOn(colour);
  if (fill === null || w < kMinLabel || h < 13) return;
  const bytes = bytesText(tensor.bytes);
  const name = look.index.name(tensor.id);
  const room = w - 8;
  const fits = (text: string): boolean => textWidth(text, bodyFont(10)) <= room;
  const line = (text: string, y: number): void => plot.text(text, x0 + 4, y0 + y, { fill, room });
  if (h >= 26 && room > 60) {
    line(name, 7.5);
    if (fits(bytes)) line(bytes, 19.5);
    return;
  }
  // A few letters of a long name say less than its size.
  const text = [`${name} ${bytes}`, bytes].find(fits);
  if (text !== undefined) line(text, 7.5);
}

// Above the timeline, where the space is free: when the peak is, and what is live there.
function drawPeak(plot: Plot, layout: TimelineLayout, look: TimelineLook): void {
  const { contributors, peak, peakFrame, rows, tensors } = look.timeline;
  if (peakFrame === null || peak.bytes === null) return;
  const { palette } = plot;
  const { store } = look;
  const { left } = layout.area;
  const right = left + layout.area.width;
  const [x0 = 0, end = 0] = layout.edges.slice(peakFrame, peakFrame + 2);
  const x1 = Math.max(end, x0 + 2);
  const middle = (x0 + x1) / 2;
  const isRight = middle < (left + right) / 2;
  const x = isRight ? x1 + 6 : x0 - 6;
  const room = Math.max(60, (isRight ? right - x : x - left) - 4);
  const width = (text: string, weight = 400): number => textWidth(text, bodyFont(11, weight));
  const align = isRight ? 'left' : 'right';
  const soft: TextLook = { fill: palette.ui('ink2'), size: 11, align };
  const y = 10;
  const row = rows[peakFrame] ?? null;
  const head = `${peak.tensors_without_size > 0 ? 'peak ≥ ' : 'peak '}${bytesText(peak.bytes)}`;
  const at =
    row === null ? '' : ` at #${String(store.engine.layerId(row))} ${store.layerLabel(row)}`;
  const place = fitName(at, Math.max(20, room - width(head, 600)), bodyFont(11));
  plot.text(head, isRight ? x : x - width(place), y, {
    fill: palette.ui('ink'),
    size: 11,
    weight: 600,
    align,
  });
  plot.text(place, isRight ? x + width(head, 600) : x, y, soft);
  const shown = contributors.slice(0, 2);
  const rest = contributors.length - shown.length;
  for (const [i, one] of shown.entries()) {
    const dtype = tensors.find(({ id }) => id === one.tensor_id)?.dtype ?? null;
    const type = dtype === null ? '' : ` ${dtype}`;
    const waits = one.is_live_through ? ', waits' : '';
    const more = i + 1 === shown.length && rest > 0 ? `, and ${String(rest)} more` : '';
    const tail = ` ${bytesText(one.bytes)}${type}${waits}${more}`;
    const nameRoom = Math.max(40, room - width(tail));
    const name = fitName(look.index.name(one.tensor_id), nameRoom, bodyFont(11));
    plot.text(`${name}${tail}`, x, y + 14 * (i + 1), soft);
  }
  plot.line([middle, y - 5, middle, kHead - 3], palette.ui('ink'));
  plot.line([x0, kHead - 3, x1, kHead - 3], palette.ui('ink'), { width: 2 });
}

// One mark per layer, in its type's colour; if they are narrower than a pixel, the first one wins.
function drawTypes(plot: Plot, layout: TimelineLayout, { store, timeline }: TimelineLook): void {
  const { engine } = store;
  const { mask } = store.selection;
  const top = kBottom + 5;
  let drawnTo = Number.NEGATIVE_INFINITY;
  for (const [frame, row] of timeline.rows.entries()) {
    const x0 = layout.edges[frame] ?? 0;
    const x1 = layout.edges[frame + 1] ?? 0;
    if (row === null || x1 - drawnTo < 0.75) continue;
    const role = engine.layers.text('role', row);
    drawnTo = Math.max(x1, x0 + 0.75);
    if (role !== null && role !== 'work') continue;
    const width = x1 - x0;
    plot.rect(x0, top, x0 + Math.max(width - (width > 3 ? 1 : 0), 0.75), top + kLane, {
      fill: familyFill(plot.palette, engine.family(row)),
      opacity: mask[row] === 1 ? 1 : kFaded,
    });
  }
}

function drawBrackets(plot: Plot, { edges }: TimelineLayout, { brackets }: TimelineLook): void {
  const { palette } = plot;
  const top = kBottom + kLane + 9;
  for (const { label, first, last } of brackets) {
    const x0 = (edges[first] ?? 0) + 1;
    const x1 = (edges[last + 1] ?? 0) - 1;
    if (x1 - x0 < 4) continue;
    plot.line([x0, top, x0, top + 4, x1, top + 4, x1, top], palette.ui('line2'));
    const words = [label, label.split('.').at(-1) ?? ''].find(
      (text) => textWidth(text, bodyFont(10)) <= x1 - x0 - 2,
    );
    if (words === undefined) continue;
    plot.text(words, (x0 + x1) / 2, top + 12.5, { fill: palette.ui('ink3'), align: 'middle' });
  }
}

// Live bytes by frame, with the scratch memory of layers above them if the files record it.
function drawLive(plot: Plot, layout: TimelineLayout, { timeline, byTime }: TimelineLook): void {
  const { palette } = plot;
  const { live_bytes: held, scratch_bytes: scratch } = timeline.frames;
  const hasScratch = scratch.some((bytes) => isNumber(bytes) && bytes > 0);
  const live = fullestByPixel(layout, held);
  const all = hasScratch
    ? fullestByPixel(
        layout,
        held.map((bytes, i) => bytes + (scratch[i] ?? 0)),
      )
    : live;
  const most = all.reduce((max, bytes) => Math.max(max, bytes), 1);
  const frame = { ...layout.area, top: kLiveTop, height: kLive };
  const y = upwards(frame, 0, most);
  const ticks = byteTicks(most, 2);
  yAxis(plot, frame, y, ticks);
  if (hasScratch) plot.shape(stepsOf(frame, all, y), palette.ui('line'));
  plot.shape(stepsOf(frame, live, y), palette.ui('line2'));
  const scratchWords = hasScratch ? '; light: scratch memory of the layer' : '';
  plot.text(`live, ${ticks.unit}${scratchWords}`, frame.left, kLiveTop - 6.5, {
    fill: palette.ui('ink2'),
    weight: 500,
  });
  const order = byTime ? 'layer time →' : 'execution order →';
  const right = frame.left + frame.width;
  plot.text(order, right, kLiveTop + kLive + 9.5, { fill: palette.ui('ink3'), align: 'right' });
}
