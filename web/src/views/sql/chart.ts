// A result as bars, lines or points. Numbers of different units never share an axis: each unit has
// a panel of its own, over the same x. A mark that represents a layer hovers and selects it, as
// everywhere.

import {
  bodyFont,
  cellText,
  columnDecimals,
  exactText,
  figureTable,
  fitName,
  headText,
  integer,
  isNumeric,
  joined,
  numberOf,
  plural,
  span,
  textWidth,
  visible,
  type DataColumn,
  type FamilyKey,
  type FigureTable,
  type Palette,
  type ViewContext,
} from '../../public/index.ts';
import {
  across,
  upwards,
  xAxis,
  yAxis,
  type Frame,
  type MarkLook,
  type Plot,
  type Scale,
  type TabledPlot,
  type Target,
} from '../../public/plot/index.ts';
import { numberAxis, type NumberAxis } from './axis.ts';
import type { ChartChoice } from './choice.ts';
import { pointsOf, type Points, type Series } from './points.ts';
import { columnNamed, selectLayer, type LayerPlace, type Result } from './result.ts';

// What is drawn; chosen elsewhere.
export interface Drawn {
  readonly result: Result;
  readonly choice: ChartChoice;
  // Rows of the result in the table's order.
  readonly order: ArrayLike<number>;
  readonly layers: readonly (LayerPlace | null)[];
}

// Bars with their names next to them; larger numbers are drawn upright, without names.
const kMaxNamed = 60;
const kNameShare = 0.36;
const kNameGap = 10;
const kFlatTop = 6;
const kPanelGap = 30;
const kBarPx = 11;
const kGroupGap = 7;
const kMaxBarPx = 24;
// The share of the room that the upright bars of one name fill.
const kBarShare = 0.8;
const kPlot = 190;
const kTop = 22;
const kBottom = 34;
const kLeft = 58;
const kRight = 28;
const kValueRoom = 64;
const kTickEvery = 90;
const kMaxRoomy = 100;
// In px, for few points and for many.
const kRadii = { line: [2.5, 1.5], scatter: [4, 2.5] } as const;

const kFills: readonly FamilyKey[] = [
  'convolution',
  'opaque',
  'pool',
  'norm',
  'plugin',
  'pointwise',
];

interface Panel {
  readonly unit: string | null;
  readonly title: string;
  readonly series: readonly Series[];
}

function fillOf(palette: Palette, place: number): string {
  return palette.family(kFills[place] ?? 'pointwise');
}

// The title of an axis, below its middle.
function titleBelow(plot: Plot, { left, top, width, height }: Frame, title: string): void {
  const look = { fill: plot.palette.ui('ink3'), align: 'middle' } as const;
  plot.text(title, left + width / 2, top + height + 27, look);
}

export class SqlChart implements TabledPlot {
  readonly #context: ViewContext;
  #drawn: Drawn;
  #points: Points;

  constructor(context: ViewContext, drawn: Drawn) {
    this.#context = context;
    this.#drawn = drawn;
    this.#points = pointsOf(drawn.result, drawn.choice, drawn.order);
  }

  set drawn(drawn: Drawn) {
    this.#drawn = drawn;
    this.#points = pointsOf(drawn.result, drawn.choice, drawn.order);
  }

  #head(column: number | null): string {
    const head = column === null ? undefined : this.#drawn.result.columns[column];
    return head === undefined ? 'row' : headText(head);
  }

  get #panels(): readonly Panel[] {
    const { columns } = this.#drawn.result;
    const panels = new Map<string, Panel>();
    for (const one of this.#points.series) {
      const unit = columns[one.y]?.unit ?? null;
      // A column without a unit shares its axis with no other.
      const key = unit === null || unit === 'count' ? `column ${String(one.y)}` : unit;
      const known = panels.get(key);
      const title = this.#head(one.y);
      const isNew = !known?.title.split(', ').includes(title);
      panels.set(key, {
        unit,
        title: known === undefined ? title : isNew ? `${known.title}, ${title}` : known.title,
        series: [...(known?.series ?? []), one],
      });
    }
    return [...panels.values()];
  }

  // Horizontal bars, with their names next to them.
  get #isFlat(): boolean {
    const { categories } = this.#points;
    const isBar = this.#drawn.choice.kind === 'bar';
    return isBar && categories !== null && categories.length <= kMaxNamed;
  }

  explain(): string {
    const { choice } = this.#drawn;
    const { rowCount, leftOut, enginesLeftOut } = this.#points;
    const over = choice.x === null ? 'the rows in their order' : this.#head(choice.x);
    const count = plural(rowCount, 'row');
    return joined(
      [
        `${choice.ys.map((y) => this.#head(y)).join(', ')} over ${over}`,
        leftOut > 0 ? `the first ${count}, ${integer(leftOut)} are not drawn` : count,
        enginesLeftOut > 0 && `${plural(enginesLeftOut, 'engine')} not drawn`,
      ],
      '; ',
    );
  }

  label(): string {
    return `${this.#drawn.choice.kind} chart: ${this.explain()}. The table above has the numbers.`;
  }

  height(): number {
    const panels = this.#panels;
    if (!this.#isFlat) return panels.length * (kTop + kPlot + kBottom);
    const groups = this.#points.categories?.length ?? 0;
    return kFlatTop + groups * this.#groupPx + kBottom;
  }

  // For a name with its bars.
  get #groupPx(): number {
    const most = Math.max(1, ...this.#panels.map(({ series }) => series.length));
    return Math.max(18, most * kBarPx + kGroupGap);
  }

  // --- tooltips and clicks of marks

  #lines(at: number): readonly string[] {
    const { result, choice, layers } = this.#drawn;
    const wanted = [...(choice.x === null ? [] : [choice.x]), ...choice.ys];
    const lines = wanted.map(
      (i) => `${this.#head(i)}: ${visible(exactText(result.rows[at]?.[i])) || '–'}`,
    );
    const layer = layers[at] ?? null;
    if (layer === null) return lines;
    const engine = this.#context.store.report.engines[layer.engine];
    const name = engine?.shortName(layer.row) ?? '';
    return [...lines, `layer ${String(engine?.layerId(layer.row) ?? '')}: ${name}`];
  }

  // The layer that a row of the result represents, if any.
  #mark(palette: Palette, at: number, fill: string): readonly [MarkLook, Target] {
    const { store } = this.#context;
    const lines = (): readonly string[] => this.#lines(at);
    const layer = this.#drawn.layers[at] ?? null;
    if (layer === null) return [{ fill }, { lines }];
    const click = (): void => selectLayer(store, layer);
    if (layer.engine !== store.state.engine) return [{ fill }, { lines, click }];
    const { row } = layer;
    const isSelected = store.selectedRows.includes(row);
    const look = isSelected ? { fill, stroke: palette.ui('selb'), width: 2 } : { fill };
    return [look, { row, lines, click }];
  }

  // The legend of what shares an axis; if that is only the engines, it is the same in each panel.
  legend(): readonly HTMLElement[] {
    const palette = this.#context.palette();
    const entries = new Map<string, HTMLElement>();
    for (const { series } of this.#panels) {
      const isOneColumn = new Set(series.map(({ y }) => y)).size === 1;
      for (const [i, { y, engine }] of series.entries()) {
        const words = isOneColumn ? [engine] : [this.#head(y), engine];
        const name = words.filter((word) => word !== null).join(', ');
        if (series.length < 2 || entries.has(name)) continue;
        const swatch = span('swatch');
        swatch.style.backgroundColor = fillOf(palette, i);
        entries.set(name, span('legend-entry', swatch, name));
      }
    }
    return entries.size === 0 ? [] : [span('legend', ...entries.values())];
  }

  // --- the picture

  draw(plot: Plot): void {
    if (this.#isFlat) this.#drawFlat(plot);
    else for (const [i, panel] of this.#panels.entries()) this.#drawUpright(plot, panel, i);
  }

  #axis({ series, unit }: Panel, hasZero: boolean, ticks: number): NumberAxis {
    const values = series.flatMap(({ points }) => points.map(({ y }) => y));
    return numberAxis(values, unit, hasZero, ticks);
  }

  // The panels side by side, their names at the left.
  #drawFlat(plot: Plot): void {
    const { palette, width, height } = plot;
    const panels = this.#panels;
    const categories = this.#points.categories ?? [];
    const font = bodyFont(11);
    const widest = Math.max(0, ...categories.map((name) => textWidth(name, font)));
    const names = Math.ceil(Math.min(widest, width * kNameShare)) + kNameGap;
    const group = this.#groupPx;
    const middleOf = (place: number): number => kFlatTop + (place + 0.5) * group;
    const name = { fill: palette.ui('ink2'), align: 'right', size: 11, room: names - 9 } as const;
    for (const [i, words] of categories.entries()) {
      plot.text(words, names - kNameGap + 2, middleOf(i), name);
    }
    const decimals = columnDecimals(this.#drawn.result);
    const hasValues = panels.some(({ series }) => series.length === 1);
    const each = (width - names) / panels.length;
    const room = Math.max(20, each - (hasValues ? kValueRoom : kPanelGap));
    for (const [at, panel] of panels.entries()) {
      const left = names + at * each;
      const frame = { left, top: kFlatTop, width: room, height: height - kFlatTop - kBottom };
      const axis = this.#axis(panel, true, Math.max(2, Math.floor(room / kTickEvery)));
      const x = across(frame, axis.min, axis.max);
      xAxis(plot, frame, x, axis);
      yAxis(plot, frame, x, { values: [], text: String }, { isStrong: true });
      titleBelow(plot, frame, panel.title);
      const count = panel.series.length;
      const bar = count === 1 ? kBarPx + 1 : kBarPx;
      for (const [place, { y: column, points }] of panel.series.entries()) {
        const fill = fillOf(palette, place);
        for (const point of points) {
          const top = middleOf(point.x) + (place - count / 2) * bar;
          const [from, to] = [x(0), x(point.y)];
          const bottom = top + bar - Number(count > 1);
          plot.rect(from, top, to, bottom, ...this.#mark(palette, point.at, fill));
          if (count > 1) continue;
          const words = cellText(
            this.#drawn.result.rows[point.at]?.[column],
            decimals[column] ?? null,
          );
          plot.text(words, Math.max(from, to) + 5, middleOf(point.x), { fill: palette.ui('ink2') });
        }
      }
    }
  }

  // One panel below the other.
  #drawUpright(plot: Plot, panel: Panel, at: number): void {
    const { palette } = plot;
    const { kind, x: over } = this.#drawn.choice;
    const width = Math.max(40, plot.width - kLeft - kRight);
    const top = at * (kTop + kPlot + kBottom) + kTop;
    const frame = { left: kLeft, top, width, height: kPlot };
    const axis = this.#axis(panel, kind === 'bar', 4);
    const y = upwards(frame, axis.min, axis.max);
    yAxis(plot, frame, y, axis);
    plot.text(panel.title, frame.left, frame.top - 12, { fill: palette.ui('ink3') });
    const x = this.#xAxis(plot, frame);
    titleBelow(plot, frame, this.#head(over));
    const count = panel.series.length;
    const band = width / Math.max(1, this.#points.categories?.length ?? 1);
    const bar = Math.min(kMaxBarPx, (band * kBarShare) / count);
    for (const [place, { points }] of panel.series.entries()) {
      const fill = fillOf(palette, place);
      if (kind === 'line') {
        const path = points.flatMap((point) => [x(point.x), y(point.y)]);
        plot.line(path, fill, { width: 1.2 });
      }
      for (const point of points) {
        const mark = this.#mark(palette, point.at, fill);
        const left = x(point.x) + (place - count / 2) * bar;
        if (kind === 'bar') plot.rect(left, y(0), left + bar, y(point.y), ...mark);
        else {
          const radius = kRadii[kind][points.length > kMaxRoomy ? 1 : 0];
          plot.circle(x(point.x), y(point.y), radius, ...mark);
        }
      }
    }
  }

  #xAxis(plot: Plot, frame: Frame): Scale {
    const { categories, series } = this.#points;
    const { x } = this.#drawn.choice;
    const fit = Math.max(2, Math.floor(frame.width / kTickEvery));
    const look = { lines: false, isStrong: true };
    if (categories !== null) {
      const every = Math.max(1, Math.ceil(categories.length / fit));
      const band = frame.width / categories.length;
      const scale = across(frame, -0.5, categories.length - 0.5);
      const text = (i: number): string =>
        fitName(categories[i] ?? '', band * every - 8, bodyFont(10));
      const values = [...categories.keys()].filter((i) => i % every === 0);
      xAxis(plot, frame, scale, { values, text }, look);
      return scale;
    }
    const unit = x === null ? null : (this.#drawn.result.columns[x]?.unit ?? null);
    const values = series.flatMap(({ points }) => points.map((point) => point.x));
    const axis = numberAxis(values, unit, false, fit);
    const scale = across(frame, axis.min, axis.max);
    xAxis(plot, frame, scale, axis, look);
    return scale;
  }

  table(): FigureTable {
    const { result, choice, order } = this.#drawn;
    const value = (i: number) => (at: number) => {
      const cell = result.rows[at]?.[i] ?? null;
      const head = result.columns[i];
      return head !== undefined && isNumeric(head) ? numberOf(cell) : exactText(cell);
    };
    const decimals = columnDecimals(result);
    const engine = columnNamed(result.columns, 'engine');
    const wanted = new Set([
      ...(engine >= 0 ? [engine] : []),
      ...(choice.x === null ? [] : [choice.x]),
      ...choice.ys,
    ]);
    const columns = [...wanted].map((i): DataColumn<number> => {
      const head = result.columns[i];
      const isText = head === undefined || !isNumeric(head);
      return [this.#head(i), isText ? null : (decimals[i] ?? 6), value(i)];
    });
    return figureTable(Array.from(order), columns);
  }
}
