// Time of each convolution and product as a bar, in the colour of one thing and in groups of another.

import {
  bodyFont,
  choiceList,
  coveringTicks,
  div,
  Figure,
  fitName,
  fixed,
  integer,
  percent,
  replace,
  textWidth,
  tickDecimals,
  visible,
  type FigureBody,
  type Palette,
  type ViewContext,
} from '../../public/index.ts';
import { ChartBody } from '../../public/chart_body.ts';
import type { ChartOption } from '../../public/chart.ts';
import { lineShape, textShape, type Shape } from '../../public/chart_marks.ts';
import { linesOf, placedOption, type PlacedMark } from '../../public/placed.ts';
import { colouringOf, groupingOptions, groupOf, kGroupings, type GroupingId } from './colours.ts';
import { orZero } from './measures.ts';
import { colourChoice, colourControl } from './multiples.ts';
import type { RooflineData } from './roofline.ts';

const kPlotHeight = 150;
const kTop = 20;
const kBottom = 46;
const kBottomOfOrder = 22;
const kLeft = 44;
const kRight = 8;
const kGroupGap = 8;
const kMaxBar = 56;
// Under a bar: a name, else a number, else one under every so many.
const kMinName = 84;
const kMinNumber = 36;
const kMinLabel = 34;

export interface BarGroup {
  readonly name: string | null;
  readonly rows: readonly number[];
  readonly ms: number;
}

// The most time first; in execution order there is one group.
export function barGroups(
  rows: readonly number[],
  times: Float64Array,
  nameOf: ((row: number) => string | null) | null,
): readonly BarGroup[] {
  const sum = (list: readonly number[]): number =>
    list.reduce((all, row) => all + orZero(times[row]), 0);
  if (nameOf === null) return rows.length === 0 ? [] : [{ name: null, rows, ms: sum(rows) }];
  const groups = new Map<string | null, number[]>();
  for (const row of rows) {
    const name = nameOf(row);
    const list = groups.get(name);
    if (list === undefined) groups.set(name, [row]);
    else list.push(row);
  }
  return [...groups]
    .map(([name, list]) => ({ name, rows: list, ms: sum(list) }))
    .sort((a, b) => b.ms - a.ms || b.rows.length - a.rows.length);
}

export interface BarSlot {
  // A run of layers of one group: one, unless there are more layers than pixels.
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

class Bars implements FigureBody {
  readonly node = div('work-bars');
  readonly #context: ViewContext;
  readonly #data: () => RooflineData;
  readonly #chart: ChartBody;
  #width = 0;

  constructor(context: ViewContext, data: () => RooflineData) {
    this.#context = context;
    this.#data = data;
    this.#chart = new ChartBody(context, {
      label: () => 'Time of each convolution and product; the table has the numbers',
      height: () => kTop + kPlotHeight + (this.grouping() === 'order' ? kBottomOfOrder : kBottom),
      option: (palette, { width }) => this.#option(palette, width),
      lines: linesOf,
    });
    replace(this.node, this.#chart.node);
  }

  grouping(): GroupingId {
    const { store } = this.#context;
    const wanted = store.option('work.by');
    const options = groupingOptions(store.engine);
    const found = kGroupings.find((id) => id === wanted);
    const isThere = options.some((option) => option.id === found && option.available !== false);
    return found !== undefined && isThere ? found : 'order';
  }

  groups(): readonly BarGroup[] {
    const { store } = this.#context;
    const { rows } = this.#data();
    const by = this.grouping();
    return barGroups(
      [...rows],
      store.engine.times(store.basis),
      by === 'order' ? null : groupOf(store.engine, by),
    );
  }

  draw(width: number): void {
    this.#width = width;
    this.#chart.draw(width);
  }

  get width(): number {
    return this.#width;
  }

  #option(palette: Palette, width: number): ChartOption {
    const { store } = this.#context;
    const { engine, basis } = store;
    const { rows, measures } = this.#data();
    const times = engine.times(basis);
    const groups = this.groups();
    const slots = barSlots(groups, width - kLeft - kRight);
    const colouring = colouringOf(
      colourChoice(this.#context, this.#data()),
      engine,
      measures,
      rows,
      palette,
    );
    const sum = (slot: BarSlot): number =>
      slot.rows.reduce((all, row) => all + orZero(times[row]), 0);
    const greatest = Math.max(0, ...slots.map(sum)) * 1e3;
    const ticks = coveringTicks(greatest, 4);
    const top = ticks.at(-1) ?? 0;
    const bottom = kTop + kPlotHeight;
    const yOf = (us: number): number => bottom - (top > 0 ? us / top : 0) * kPlotHeight;
    const ink = palette.ui('ink3');
    const below: Shape[] = [];
    const decimals = tickDecimals(ticks);
    for (const tick of ticks) {
      const y = Math.round(yOf(tick)) + 0.5;
      const line = palette.ui(tick === 0 ? 'line2' : 'line');
      below.push(
        lineShape(
          [
            [kLeft, y],
            [width - kRight, y],
          ],
          line,
        ),
      );
      below.push(
        textShape(fixed(tick, decimals), kLeft - 6, y, { fill: ink, align: 'right', size: 10 }),
      );
    }
    const each = Math.max(1, ...slots.map((slot) => slot.rows.length));
    const unit = each > 1 ? `µs, ${integer(each)} layers per bar` : 'µs';
    below.push(textShape(unit, kLeft, kTop - 10, { fill: ink, size: 10 }));
    const marks = slots.map((slot): PlacedMark => {
      const us = sum(slot) * 1e3;
      const largest = slot.rows.reduce(
        (most, row) => (orZero(times[row]) > orZero(times[most]) ? row : most),
        slot.rows[0] ?? 0,
      );
      const fill = colouring.fill(largest);
      const stays = slot.rows.some((row) => store.selection.mask[row] === 1);
      const y = yOf(us);
      const isChosen = slot.rows.includes(store.state.selected ?? -1);
      return {
        ...(slot.rows.length === 1
          ? { row: largest }
          : {
              lines: [
                `${integer(slot.rows.length)} layers: ${fixed(us, 1)} µs`,
                `the largest: ${store.layerLabel(largest).slice(0, 100)}`,
              ],
            }),
        shape: {
          type: 'rect',
          shape: { x: kLeft + slot.left, y, width: slot.width, height: Math.max(0.5, bottom - y) },
          style: {
            fill: fill ?? palette.ui('bg'),
            stroke: isChosen
              ? palette.ui('selb')
              : fill === null
                ? palette.ui('ink3')
                : palette.ui('bg'),
            lineWidth: isChosen ? 2 : fill === null ? 1 : 0,
            opacity: stays ? 1 : 0.25,
          },
          emphasis: { style: { stroke: palette.ui('selb'), lineWidth: 2 } },
        },
      };
    });
    return placedOption(below, marks, this.#brackets(groups, slots, palette, bottom));
  }

  // In execution order: which layer a bar is.
  #positions(slots: readonly BarSlot[], palette: Palette, bottom: number): readonly Shape[] {
    const { store } = this.#context;
    const step = (slots[1]?.left ?? kMinName * 2) - (slots[0]?.left ?? 0);
    const font = bodyFont(10);
    const every = step >= kMinName ? 1 : Math.max(1, Math.ceil(kMinNumber / step));
    return slots.flatMap((slot, i) => {
      const [row] = slot.rows;
      if (row === undefined || i % every !== 0) return [];
      const id = `#${String(store.engine.layerId(row))}`;
      const words =
        step >= kMinName ? fitName(store.layerLabel(row), Math.min(step, 160) - 6, font) : id;
      return [
        textShape(words, kLeft + slot.left, bottom + 10, { fill: palette.ui('ink3'), size: 10 }),
      ];
    });
  }

  // Under each group its name and sum.
  #brackets(
    groups: readonly BarGroup[],
    slots: readonly BarSlot[],
    palette: Palette,
    bottom: number,
  ): readonly Shape[] {
    if (this.grouping() === 'order') return this.#positions(slots, palette, bottom);
    const font = bodyFont(10);
    const { engine, basis } = this.#context.store;
    const all = engine.total(basis);
    const shapes: Shape[] = [];
    for (const [index, group] of groups.entries()) {
      const own = slots.filter((slot) => slot.group === index);
      const first = own[0];
      const last = own.at(-1);
      if (first === undefined || last === undefined) continue;
      const left = kLeft + first.left;
      const right = kLeft + last.left + last.width;
      shapes.push(
        lineShape(
          [
            [left, bottom + 5.5],
            [right, bottom + 5.5],
          ],
          palette.ui('line2'),
        ),
      );
      const room = (slots.find((slot) => slot.group === index + 1)?.left ?? 1e6) - first.left - 4;
      if (room < kMinLabel) continue;
      const name = group.name === null ? 'not recorded' : visible(group.name);
      const share = all > 0 ? `${percent(group.ms / all)} %` : '';
      const lines = [name, `${integer(group.rows.length)} · ${fixed(group.ms, 3)} ms`, share];
      for (const [i, words] of lines.entries()) {
        shapes.push(
          textShape(cutTo(words, room, font), left, bottom + 15 + i * 12, {
            fill: palette.ui(i === 0 ? 'ink' : 'ink3'),
            size: 10,
          }),
        );
      }
    }
    return shapes;
  }

  svg(): string | null {
    return this.#chart.svg();
  }

  destroy(): void {
    this.#chart.destroy();
  }
}

function cutTo(words: string, room: number, font: string): string {
  if (textWidth(words, font) <= room) return words;
  let end = words.length;
  while (end > 1 && textWidth(`${words.slice(0, end)}…`, font) > room) end -= 1;
  return end > 1 ? `${words.slice(0, end)}…` : '';
}

export function barsFigure(context: ViewContext, data: () => RooflineData): Figure {
  const { store } = context;
  const body = new Bars(context, data);
  return new Figure(context, {
    id: 'work-bars',
    title: 'Time per layer',
    explain: () => {
      const by = body.grouping();
      return by === 'order'
        ? 'convolutions and products in execution order'
        : 'convolutions and products by group, slowest group first; below each: layers, ms, % of Σ';
    },
    body,
    aside: () => [
      choiceList('by', groupingOptions(store.engine), body.grouping(), (id) =>
        store.setOption('work.by', id === 'order' ? null : id),
      ),
      colourControl(context, data()),
    ],
    table: () => {
      const { engine, basis } = store;
      const times = engine.times(basis);
      const all = engine.total(basis);
      return {
        columns: [
          { title: 'group', decimals: null },
          { title: 'layer_id', decimals: 0 },
          { title: 'layer', decimals: null },
          { title: 'µs', decimals: 1 },
          { title: '% of Σ', decimals: 1 },
        ],
        rows: body.groups().flatMap((group) =>
          group.rows
            .filter((row) => store.selection.mask[row] === 1)
            .map((row) => {
              const ms = times[row] ?? Number.NaN;
              return [
                group.name ?? '',
                engine.layerId(row),
                engine.rawName(row),
                Number.isNaN(ms) ? null : ms * 1e3,
                Number.isNaN(ms) || !(all > 0) ? null : (ms / all) * 100,
              ];
            }),
        ),
      };
    },
  });
}
