// The time of each convolution and product as a bar, coloured and grouped by the reader's choice.

import {
  bodyFont,
  coveringTicks,
  Figure,
  figureTable,
  fitName,
  fixed,
  grouped,
  integer,
  linkedChoice,
  percent,
  textWidth,
  tickDecimals,
  visible,
  type LinkedChoice,
  type ViewContext,
} from '../../public/index.ts';
import { PlotBody, upwards, yAxis, type Plot } from '../../public/plot/index.ts';
import { groupingOptions, groupOf, type GroupingId } from './colours.ts';
import { orZero, type WorkData } from './measures.ts';
import { chosenColouring, colourChoice } from './multiples.ts';

const kPlotHeight = 150;
const kTop = 20;
const kFoot = kTop + kPlotHeight;
const kBottom = 46;
const kBottomOfOrder = 22;
const kLeft = 44;
const kRight = 8;
const kGroupGap = 8;
const kMaxBar = 56;
// Under a bar: a name, else a number, else a number under every nth one.
const kMinName = 84;
const kMaxName = 160;
const kMinNumber = 36;
const kMinLabel = 34;
const kFaded = 0.25;

export interface BarGroup {
  readonly name: string | null;
  readonly rows: readonly number[];
  readonly ms: number;
}

function sumOf(rows: readonly number[], times: Float64Array): number {
  return rows.reduce((all, row) => all + orZero(times[row]), 0);
}

// The longest time first.
export function barGroups(
  rows: readonly number[],
  times: Float64Array,
  nameOf: (row: number) => string | null,
): readonly BarGroup[] {
  return [...grouped(rows, nameOf)]
    .map(([name, own]) => ({ name, rows: own, ms: sumOf(own, times) }))
    .sort((a, b) => b.ms - a.ms || b.rows.length - a.rows.length);
}

export interface BarSlot {
  // A run of layers of one group: a single one, unless there are more layers than pixels.
  readonly rows: readonly number[];
  readonly group: number;
  readonly left: number;
  readonly width: number;
}

// Bars side by side over `width` pixels, groups apart.
export function barSlots(groups: readonly BarGroup[], width: number): readonly BarSlot[] {
  const count = groups.reduce((sum, group) => sum + group.rows.length, 0);
  const gap = groups.length < width / 24 ? kGroupGap : 0;
  const room = Math.max(1, width - gap * (groups.length - 1));
  const most = Math.max(1, Math.floor(room / 2));
  const each = Math.max(1, Math.ceil(count / most));
  const bars = groups.reduce((sum, group) => sum + Math.ceil(group.rows.length / each), 0);
  const step = room / Math.max(1, bars);
  const slots: BarSlot[] = [];
  let left = 0;
  for (const [index, group] of groups.entries()) {
    for (let i = 0; i < group.rows.length; i += each) {
      slots.push({
        rows: group.rows.slice(i, i + each),
        group: index,
        left,
        width: Math.max(0.8, Math.min(kMaxBar, step - (step > 12 ? 4 : step > 3 ? 1 : 0))),
      });
      left += step;
    }
    left += gap;
  }
  return slots;
}

// In execution order: the layer of a bar.
function drawPositions({ store }: ViewContext, plot: Plot, slots: readonly BarSlot[]): void {
  const step = (slots[1]?.left ?? kMinName * 2) - (slots[0]?.left ?? 0);
  const most = Math.min(step, kMaxName) - 6;
  const every = step >= kMinName ? 1 : Math.max(1, Math.ceil(kMinNumber / step));
  for (const [i, { rows, left }] of slots.entries()) {
    const [row] = rows;
    if (row === undefined || i % every !== 0) continue;
    const id = `#${String(store.engine.layerId(row))}`;
    const words = step >= kMinName ? fitName(store.layerLabel(row), most, bodyFont(10)) : id;
    plot.text(words, kLeft + left, kFoot + 10, { fill: plot.palette.ui('ink3') });
  }
}

// Under each group its name and sum.
function drawBrackets(
  { store }: ViewContext,
  plot: Plot,
  groups: readonly BarGroup[],
  slots: readonly BarSlot[],
): void {
  const { palette } = plot;
  const all = store.engine.total(store.basis);
  const bySlot = grouped(slots, ({ group }) => group);
  for (const [index, { name, rows, ms }] of groups.entries()) {
    const own = bySlot.get(index) ?? [];
    const [first] = own;
    const last = own.at(-1);
    if (first === undefined || last === undefined) continue;
    const left = kLeft + first.left;
    const line = [left, kFoot + 5.5, kLeft + last.left + last.width, kFoot + 5.5];
    plot.line(line, palette.ui('line2'));
    const room = (bySlot.get(index + 1)?.[0]?.left ?? 1e6) - first.left - 4;
    if (room < kMinLabel) continue;
    const lines = [
      visible(name ?? 'not recorded'),
      `${integer(rows.length)} · ${fixed(ms, 3)} ms`,
      all > 0 ? `${percent(ms / all)} %` : '',
    ];
    for (const [i, words] of lines.entries()) {
      const fill = palette.ui(i === 0 ? 'ink' : 'ink3');
      plot.text(cutTo(words, room), left, kFoot + 15 + i * 12, { fill });
    }
  }
}

function cutTo(words: string, room: number): string {
  const font = bodyFont(10);
  if (textWidth(words, font) <= room) return words;
  let end = words.length;
  while (end > 1 && textWidth(`${words.slice(0, end)}…`, font) > room) end -= 1;
  return end > 1 ? `${words.slice(0, end)}…` : '';
}

function drawBars(
  context: ViewContext,
  plot: Plot,
  slots: readonly BarSlot[],
  fillOf: (row: number) => string | null,
): void {
  const { store } = context;
  const { palette } = plot;
  const { engine, basis, selection } = store;
  const times = engine.times(basis);
  const sums = slots.map(({ rows }) => sumOf(rows, times) * 1e3);
  const values = coveringTicks(
    sums.reduce((most, us) => Math.max(most, us), 0),
    4,
  );
  const decimals = tickDecimals(values);
  const width = plot.width - kLeft - kRight;
  const frame = { left: kLeft, top: kTop, width, height: kPlotHeight };
  const y = upwards(frame, 0, values.at(-1) ?? 0);
  yAxis(plot, frame, y, { values, text: (tick) => fixed(tick, decimals) });
  const each = Math.max(1, ...slots.map(({ rows }) => rows.length));
  const unit = each > 1 ? `µs, ${integer(each)} layers per bar` : 'µs';
  plot.text(unit, kLeft, kTop - 10, { fill: palette.ui('ink3') });
  for (const [i, slot] of slots.entries()) {
    const us = sums[i] ?? 0;
    const { rows } = slot;
    const largest = rows.reduce(
      (most, row) => (orZero(times[row]) > orZero(times[most]) ? row : most),
      rows[0] ?? 0,
    );
    const fill = fillOf(largest);
    const outline = fill === null ? { stroke: palette.ui('ink3') } : {};
    const isChosen = rows.includes(store.state.selected ?? -1);
    const [left, top] = [kLeft + slot.left, Math.min(y(us), kFoot - 0.5)];
    const look = {
      fill: fill ?? palette.ui('bg'),
      ...(isChosen ? { stroke: palette.ui('selb'), width: 2 } : outline),
      opacity: rows.some((row) => selection.mask[row] === 1) ? 1 : kFaded,
    };
    const lines = (): readonly string[] => [
      `${integer(rows.length)} layers: ${fixed(us, 1)} µs`,
      `the largest: ${store.layerLabel(largest).slice(0, 100)}`,
    ];
    const target = rows.length === 1 ? { row: largest } : { lines };
    plot.rect(left, top, left + slot.width, kFoot, look, target);
  }
}

export function barsFigure(context: ViewContext, data: () => WorkData): Figure {
  const { store } = context;
  const grouping = (): LinkedChoice<GroupingId> =>
    linkedChoice(store, 'work.by', groupingOptions(store.engine), 'order');
  const isInOrder = (): boolean => grouping().now === 'order';
  const groups = (): readonly BarGroup[] => {
    const { engine, basis } = store;
    return barGroups([...data().rows], engine.times(basis), groupOf(engine, grouping().now));
  };
  return new Figure(context, {
    id: 'work-bars',
    title: 'Time per layer',
    isEmpty: () => !store.engine.hasTimes || data().rows.length === 0,
    explain: () =>
      isInOrder()
        ? 'convolutions and products in execution order'
        : 'convolutions and products by group, slowest group first; below each: layers, ms, % of Σ',
    body: new PlotBody(context, {
      label: () => 'Time of each convolution and product; the table has the numbers',
      height: () => kFoot + (isInOrder() ? kBottomOfOrder : kBottom),
      draw: (plot) => {
        const all = groups();
        const slots = barSlots(all, plot.width - kLeft - kRight);
        const { fill } = chosenColouring(context, data());
        drawBars(context, plot, slots, fill);
        if (isInOrder()) drawPositions(context, plot, slots);
        else drawBrackets(context, plot, all, slots);
      },
    }),
    aside: () => [grouping().list('by'), colourChoice(context, data()).list('color')],
    table: () => {
      const { engine, basis, selection } = store;
      const times = engine.times(basis);
      const all = engine.total(basis);
      const rows = groups().flatMap(({ name, rows: own }) =>
        own.filter((row) => selection.mask[row] === 1).map((row) => ({ name, row })),
      );
      return figureTable(rows, [
        ['group', null, ({ name }) => name],
        ['layer_id', 0, ({ row }) => engine.layerId(row)],
        ['layer', null, ({ row }) => engine.rawName(row)],
        ['µs', 1, ({ row }) => (times[row] ?? Number.NaN) * 1e3],
        ['% of Σ', 1, ({ row }) => (all > 0 ? ((times[row] ?? Number.NaN) / all) * 100 : null)],
      ]);
    },
  });
}
