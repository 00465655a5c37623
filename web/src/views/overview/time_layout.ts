// Where everything of the time chart stands: columns, scale, labels, block brackets. Drawn by the
// chart on screen and by the picture that is saved, so that both say the same.

import {
  bodyFont,
  fitName,
  fixed,
  isNumber,
  layerPrecisionText,
  niceTicks,
  percent,
  textWidth,
  tickDecimals,
  type Engine,
  type FamilyKey,
  type Store,
  type EngineFinding,
} from '../../public/index.ts';

const kHeight = 216;
// Brackets need a line more than numbers below the axis.
const kPlot = { left: 36, right: 12, top: 24, bottom: 34, bottomBlocks: 42 } as const;
// Thinner bars than this cannot be told apart or hit.
const kMinBar = 2.5;
const kNumbers = 4;
const kNames = 3;
const kMinShare = 0.03;
const kLine = 15;
const kMaxName = 150;
const kMaxCause = 420;

export interface ColumnPart {
  readonly family: FamilyKey;
  // Its layers pass the filter.
  readonly shown: boolean;
  readonly value: number;
}

export interface ChartColumn {
  readonly rows: readonly number[];
  readonly sum: number;
  // From below, as in every column: what is shown before what is not, reformats before the rest.
  readonly parts: readonly ColumnPart[];
  readonly finding: boolean;
}

// Left edges and the top of a line of text, in px.
export interface BarLabel {
  readonly top: number;
  readonly number: { readonly left: number; readonly text: string };
  readonly name: {
    readonly left: number;
    readonly text: string;
    readonly cause: string;
  } | null;
}

export interface Bracket {
  readonly left: number;
  readonly right: number;
  readonly text: string;
  readonly title: string;
  readonly firstId: number;
  readonly lastId: number;
}

export interface TimeLayout {
  readonly width: number;
  readonly height: number;
  readonly plot: { left: number; right: number; top: number; bottom: number };
  readonly columns: readonly ChartColumn[];
  // What its columns are made of, in the order in which they are stacked.
  readonly kinds: readonly Omit<ColumnPart, 'value'>[];
  readonly perColumn: number;
  // Of one column, in px.
  readonly step: number;
  readonly factor: number;
  readonly unit: string;
  readonly max: number;
  readonly ticks: readonly number[];
  readonly tickDecimals: number;
  readonly labels: readonly BarLabel[];
  readonly brackets: readonly Bracket[];
}

// Families as they are stacked: reformats at the floor, then the most frequent.
function familyOrder(engine: Engine): ReadonlyMap<FamilyKey, number> {
  const counts = new Map<FamilyKey, number>();
  for (const row of engine.workRows) {
    const family = engine.family(row);
    counts.set(family, (counts.get(family) ?? 0) + 1);
  }
  counts.set('reformat', Number.POSITIVE_INFINITY);
  return new Map([...counts].sort((a, b) => b[1] - a[1]).map(([family], i) => [family, i]));
}

function makeColumns(store: Store, perColumn: number): Pick<TimeLayout, 'columns' | 'kinds'> {
  const { engine } = store;
  const { values } = engine.extent(store.basis);
  const { mask } = store.selection;
  const order = familyOrder(engine);
  const rank = ({ family, shown }: ColumnPart): number =>
    (shown ? 0 : order.size) + (order.get(family) ?? 0);
  const columns: ChartColumn[] = [];
  for (let i = 0; i < engine.workRows.length; i += perColumn) {
    const rows = [...engine.workRows.subarray(i, i + perColumn)];
    const sums = { shown: new Map<FamilyKey, number>(), hidden: new Map<FamilyKey, number>() };
    for (const row of rows) {
      const value = values[row] ?? Number.NaN;
      if (!(value > 0)) continue;
      const own = mask[row] === 1 ? sums.shown : sums.hidden;
      const family = engine.family(row);
      own.set(family, (own.get(family) ?? 0) + value);
    }
    const parts = [sums.shown, sums.hidden].flatMap((own) =>
      [...own].map(([family, value]) => ({ family, shown: own === sums.shown, value })),
    );
    columns.push({
      rows,
      sum: parts.reduce((sum, part) => sum + part.value, 0),
      parts: parts.sort((x, y) => rank(x) - rank(y)),
      finding: rows.some((row) => engine.findingsOf(row).length > 0),
    });
  }
  const kinds = [true, false].flatMap((shown) =>
    [...order.keys()]
      .filter((family) =>
        columns.some((c) => c.parts.some((p) => p.family === family && p.shown === shown)),
      )
      .map((family) => ({ family, shown })),
  );
  return { columns, kinds };
}

const kOrder = { error: 0, warning: 1, info: 2 } as const;

// What a finding says about this layer, short: "reads INT8 and writes FP32".
function causeOf(engine: Engine, row: number): string | null {
  const gain = (f: EngineFinding): number => f.estimated_ms ?? -1;
  const [finding] = [...engine.findingsOf(row)]
    // A sentence that begins with another tensor's name is about that, not about the layer.
    .filter((f) => !f.message.startsWith('"'))
    .sort((a, b) => kOrder[a.severity] - kOrder[b.severity] || gain(b) - gain(a));
  if (finding === undefined) return null;
  const type = engine.layers.text('type', row) ?? '';
  const sentence = (finding.message.slice(0, 300).split(/[;:] /)[0] ?? '').replace(
    / \(origin "[^"]*"\)/,
    '',
  );
  const [head = '', ...rest] = sentence.split(' ');
  const isSubject = rest.length > 1 && type.toLowerCase().startsWith(head.toLowerCase());
  return isSubject ? rest.join(' ') : sentence;
}

// Whole words of a sentence, as many as fit.
function cutWords(text: string, width: number): string {
  if (textWidth(text, bodyFont(11)) <= width) return text;
  const words = text.split(' ');
  while (words.length > 2) {
    words.pop();
    const cut = `${words.join(' ').replace(/[,:]$/, '')} …`;
    if (textWidth(cut, bodyFont(11)) <= width) return cut;
  }
  return '';
}

function makeLabels(
  store: Store,
  base: Omit<TimeLayout, 'labels' | 'brackets'>,
): readonly BarLabel[] {
  if (base.perColumn > 1) return [];
  const { engine, basis } = store;
  const { columns, step, plot } = base;
  const decimals = engine.hasTimes ? 3 : 1;
  const total = columns.reduce((sum, column) => sum + column.sum, 0);
  const largest = [...columns.entries()]
    .sort((a, b) => b[1].sum - a[1].sum)
    .slice(0, kNumbers)
    .filter(([, column]) => column.sum > total * kMinShare);
  const labels: BarLabel[] = [];
  const taken: { readonly x0: number; readonly x1: number; readonly y: number }[] = [];
  for (const [place, [i, column]] of largest.entries()) {
    const row = column.rows[0] ?? 0;
    const x = xOf(base, i);
    const y = yOf(base, column.sum);
    const text = fixed(column.sum * base.factor, decimals);
    const half = textWidth(text, bodyFont(11)) / 2;
    // A bar that reaches the line, or another label in it, would run through the text.
    const clear = (from: number, until: number): boolean =>
      !columns.some((other, k) => {
        if (k === i || yOf(base, other.sum) >= y) return false;
        const at = xOf(base, k);
        return at + step * 0.45 > from && at - step * 0.45 < until;
      }) && !taken.some((t) => t.x0 < until && t.x1 > from && Math.abs(t.y - y) < kLine);
    // In the middle of its bar, else from its left edge.
    const numberLeft = [x - half, x - step * 0.45].find(
      (from) => from >= 0 && clear(from, from + 2 * half),
    );
    if (numberLeft === undefined) continue;
    const left = Math.max(numberLeft + 2 * half, x + step * 0.45) + 5;
    const share = engine.share(row, basis);
    const cause = [
      isNumber(share) ? `${percent(share)} %` : null,
      causeOf(engine, row) ?? layerPrecisionText(engine, row),
    ]
      .filter((part) => part !== null && part !== '–')
      .join(': ');
    const room = base.width - plot.right - left;
    const name = fitName(
      store.layerLabel(row),
      Math.min(kMaxName, room),
      bodyFont(11, 500),
      store.labels(),
    );
    const nameWidth = textWidth(`${name} `, bodyFont(11, 500));
    const causeFits = (most: number): number =>
      Math.min(most, textWidth(cause, bodyFont(11)), room - nameWidth);
    const widths = [causeFits(kMaxCause), causeFits(90), 0];
    const width =
      place < kNames && room > 60
        ? widths.find((w) => w >= 0 && clear(left, left + nameWidth + w + 4))
        : undefined;
    const until = width === undefined ? numberLeft + 2 * half : left + nameWidth + width;
    labels.push({
      top: y - kLine,
      number: { left: numberLeft, text },
      name: width === undefined ? null : { left, text: name, cause: cutWords(cause, width + 1) },
    });
    taken.push({ x0: numberLeft, x1: until, y });
  }
  return labels;
}

// Between the names of two blocks, at least.
const kLabelGap = 4;

function makeBrackets(
  store: Store,
  base: Omit<TimeLayout, 'labels' | 'brackets'>,
): readonly Bracket[] {
  const { engine } = store;
  const { columns, step } = base;
  return engine.blocks.map((block): Bracket => {
    const own = columns.slice(block.first, block.last + 1);
    const sum = fixed(
      own.reduce((all, column) => all + column.sum, 0) * base.factor,
      engine.hasTimes ? 3 : 1,
    );
    const left = xOf(base, block.first) - step * 0.45;
    const right = xOf(base, block.last) + step * 0.45;
    const fits = (text: string): boolean =>
      textWidth(text, bodyFont(11)) <= right - left - kLabelGap;
    const last = block.label.split('.').at(-1) ?? '';
    const choices = [`${block.label} ${sum}`, block.label, last];
    return {
      left,
      right,
      text: choices.find(fits) ?? '',
      title: `${block.label}: ${sum} ${base.unit}, layers ${String(engine.layerId(own[0]?.rows[0] ?? 0))} to ${String(engine.layerId(own.at(-1)?.rows[0] ?? 0))}`,
      firstId: engine.layerId(own[0]?.rows[0] ?? 0),
      lastId: engine.layerId(own.at(-1)?.rows[0] ?? 0),
    };
  });
}

export function xOf(layout: Pick<TimeLayout, 'plot' | 'step'>, column: number): number {
  return layout.plot.left + layout.step * (column + 0.5);
}

// Of a value in the data's unit.
export function yOf(
  layout: Pick<TimeLayout, 'plot' | 'max' | 'factor' | 'height'>,
  value: number,
): number {
  const { top, bottom } = layout.plot;
  const full = layout.height - top - bottom;
  return top + full * (layout.max > 0 ? 1 - (value * layout.factor) / layout.max : 1);
}

export function layOutTime(store: Store, width: number): TimeLayout {
  const { engine } = store;
  const inner = Math.max(1, width - kPlot.left - kPlot.right);
  const most = Math.max(1, Math.floor(inner / kMinBar));
  const perColumn = Math.max(1, Math.ceil(engine.workRows.length / most));
  const { columns, kinds } = makeColumns(store, perColumn);
  const factor = engine.hasTimes ? 1 : 1e-6;
  // Not Math.max(...): the number of columns is a matter of the window's width.
  const largest = columns.reduce((max, column) => Math.max(max, column.sum), 0) * factor;
  const max = largest * 1.04;
  const ticks = niceTicks(max);
  const withBlocks = perColumn === 1 && engine.blocks.length > 0;
  const base = {
    width,
    height: kHeight,
    plot: {
      left: kPlot.left,
      right: kPlot.right,
      top: kPlot.top,
      bottom: withBlocks ? kPlot.bottomBlocks : kPlot.bottom,
    },
    columns,
    kinds,
    perColumn,
    step: inner / Math.max(1, columns.length),
    factor,
    unit: engine.hasTimes ? 'ms' : 'MB',
    max,
    ticks,
    tickDecimals: tickDecimals(ticks),
  };
  return {
    ...base,
    labels: makeLabels(store, base),
    brackets: withBlocks ? makeBrackets(store, base) : [],
  };
}
