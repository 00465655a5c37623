// Positions in the time chart: columns, labels, block brackets.

import {
  bodyFont,
  fitName,
  fixed,
  isNumber,
  joined,
  kSeverityOrder,
  layerPrecisionText,
  percent,
  textWidth,
  type Engine,
  type FamilyKey,
  type Store,
} from '../../public/index.ts';
import { partsOf, type BarPart } from '../../public/plot/layer_histogram.ts';
import { across, upwards, type Frame, type Scale } from '../../public/plot/index.ts';

export const kHeight = 216;
// Below the axis, brackets need one line more than numbers.
const kPlot = { left: 36, right: 12, top: 24, bottom: 34, bottomBlocks: 42 } as const;
// Bars thinner than this cannot be told apart or hit.
const kMinBar = 2.5;
const kNumbers = 4;
const kNames = 3;
const kMinShare = 0.03;
const kLine = 15;
const kMaxName = 150;
const kMaxCause = 420;
// Minimum distance between the names of two blocks.
const kLabelGap = 4;

export interface ChartColumn {
  readonly rows: readonly number[];
  // The layer that makes up most of it.
  readonly largest: number;
  readonly sum: number;
  // From the bottom, in the same order in every column.
  readonly parts: readonly BarPart[];
  readonly finding: boolean;
}

// A label above a bar.
export interface BarLabel {
  readonly left: number;
  readonly middle: number;
  readonly text: string;
  readonly isName?: boolean;
  readonly isCause?: boolean;
}

export interface Bracket {
  readonly left: number;
  readonly right: number;
  readonly text: string;
  readonly title: string;
  readonly firstId: number;
  readonly lastId: number;
}

interface Bars {
  readonly frame: Frame;
  readonly columns: readonly ChartColumn[];
  // From an index among the columns, and from ms or MB, to pixels.
  readonly x: Scale;
  readonly y: Scale;
  readonly max: number;
  // Half a bar, in px.
  readonly half: number;
}

export interface TimeLayout extends Bars {
  readonly labels: readonly BarLabel[];
  readonly brackets: readonly Bracket[];
}

const widthOf = (text: string, weight?: number): number => textWidth(text, bodyFont(11, weight));

// Families in stacking order: reformats at the bottom, then the most frequent.
function familyOrder(engine: Engine): readonly FamilyKey[] {
  const counts = new Map<FamilyKey, number>();
  for (const row of engine.workRows) {
    const family = engine.family(row);
    counts.set(family, (counts.get(family) ?? 0) + 1);
  }
  counts.set('reformat', Number.POSITIVE_INFINITY);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([family]) => family);
}

function makeColumns(
  { engine, basis, selection }: Store,
  perColumn: number,
): readonly ChartColumn[] {
  const { values } = engine.extent(basis);
  const factor = engine.hasTimes ? 1 : 1e-6;
  const valueOf = (row: number): number => (values[row] ?? Number.NaN) * factor;
  const order = familyOrder(engine);
  const rank = ({ family, shown }: BarPart): number =>
    (shown ? 0 : order.length) + order.indexOf(family);
  const columns: ChartColumn[] = [];
  for (let i = 0; i < engine.workRows.length; i += perColumn) {
    const rows = [...engine.workRows.subarray(i, i + perColumn)];
    const parts = partsOf(engine, rows, selection.mask, valueOf);
    columns.push({
      rows,
      largest: rows.reduce((most, row) => (valueOf(row) > valueOf(most) ? row : most)),
      sum: parts.reduce((all, { sum }) => all + sum, 0),
      parts: [...parts].sort((a, b) => rank(a) - rank(b)),
      finding: rows.some((row) => engine.findingsOf(row).length > 0),
    });
  }
  return columns;
}

// What a finding says about this layer, in short: "reads INT8 and writes FP32".
function causeOf(engine: Engine, row: number): string | null {
  const [finding] = [...engine.findingsOf(row)]
    // A sentence that begins with another tensor's name is about that tensor, not about the layer.
    .filter(({ message }) => !message.startsWith('"'))
    .sort(
      (a, b) =>
        kSeverityOrder[a.severity] - kSeverityOrder[b.severity] ||
        (b.estimated_ms ?? -1) - (a.estimated_ms ?? -1),
    );
  if (finding === undefined) return null;
  const type = engine.layers.text('type', row) ?? '';
  const [first = ''] = finding.message.slice(0, 300).split(/[;:] /);
  const sentence = first.replace(/ \(origin "[^"]*"\)/, '');
  const [head = '', ...rest] = sentence.split(' ');
  const isSubject = rest.length > 1 && type.toLowerCase().startsWith(head.toLowerCase());
  return isSubject ? rest.join(' ') : sentence;
}

// Whole words of a sentence, as many as fit.
function cutWords(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const words = text.split(' ');
  while (words.length > 2) {
    words.pop();
    const cut = `${words.join(' ').replace(/[,:]$/, '')} …`;
    if (widthOf(cut) <= width) return cut;
  }
  return '';
}

// The largest bars are labelled with what a finding says of them, if there is room.
function makeLabels(store: Store, { frame, columns, x, y, half }: Bars): readonly BarLabel[] {
  const { engine, basis } = store;
  const total = columns.reduce((sum, column) => sum + column.sum, 0);
  const largest = [...columns.entries()]
    .sort((a, b) => b[1].sum - a[1].sum)
    .slice(0, kNumbers)
    .filter(([, column]) => column.sum > total * kMinShare);
  const labels: BarLabel[] = [];
  const taken: { readonly x0: number; readonly x1: number; readonly top: number }[] = [];
  for (const [place, [i, { sum, largest: row }]] of largest.entries()) {
    const at = x(i + 0.5);
    const top = y(sum);
    const middle = top - 8;
    // A bar that reaches the line, or another label on it, would run through the text.
    const isClear = (from: number, until: number): boolean =>
      !columns.some((other, k) => {
        if (k === i || y(other.sum) >= top) return false;
        return x(k + 0.5) + half > from && x(k + 0.5) - half < until;
      }) && !taken.some((t) => t.x0 < until && t.x1 > from && Math.abs(t.top - top) < kLine);
    const text = fixed(sum, engine.hasTimes ? 3 : 1);
    const width = widthOf(text);
    // In the middle of its bar, else from its left edge.
    const numberLeft = [at - width / 2, at - half].find(
      (from) => from >= 0 && isClear(from, from + width),
    );
    if (numberLeft === undefined) continue;
    labels.push({ left: numberLeft, middle, text });
    const left = Math.max(numberLeft + width, at + half) + 5;
    const room = frame.left + frame.width - left;
    const share = engine.share(row, basis);
    const said = causeOf(engine, row) ?? layerPrecisionText(engine, row);
    const cause = joined([isNumber(share) && `${percent(share)} %`, said !== '–' && said], ': ');
    const most = Math.min(kMaxName, room);
    const name = fitName(store.layerLabel(row), most, bodyFont(11, 500), store.labels());
    const nameWidth = widthOf(`${name} `, 500);
    const causeWidth =
      place < kNames && room > 60
        ? [kMaxCause, 90, 0]
            .map((limit) => Math.min(limit, widthOf(cause), room - nameWidth))
            .find((wide) => wide >= 0 && isClear(left, left + nameWidth + wide + 4))
        : undefined;
    const until = causeWidth === undefined ? numberLeft + width : left + nameWidth + causeWidth;
    taken.push({ x0: numberLeft, x1: until, top });
    if (causeWidth === undefined) continue;
    const shown = cutWords(cause, causeWidth + 1);
    labels.push(
      { left, middle, text: name, isName: true },
      { left: left + nameWidth, middle, text: shown, isCause: true },
    );
  }
  return labels;
}

function makeBrackets({ engine }: Store, { columns, x, half }: Bars): readonly Bracket[] {
  const [unit, decimals] = engine.hasTimes ? (['ms', 3] as const) : (['MB', 1] as const);
  const idAt = (place: number): number => engine.layerId(engine.workRows[place] ?? 0);
  return engine.blocks.map(({ label, first, last }) => {
    const own = columns.slice(first, last + 1);
    const sum = fixed(
      own.reduce((all, column) => all + column.sum, 0),
      decimals,
    );
    const left = x(first + 0.5) - half;
    const right = x(last + 0.5) + half;
    const choices = [`${label} ${sum}`, label, label.split('.').at(-1) ?? ''];
    const [firstId, lastId] = [idAt(first), idAt(last)];
    return {
      left,
      right,
      text: choices.find((text) => widthOf(text) <= right - left - kLabelGap) ?? '',
      title: `${label}: ${sum} ${unit}, layers ${String(firstId)} to ${String(lastId)}`,
      firstId,
      lastId,
    };
  });
}

// How many layers a bar combines.
export function layersPerBar({ workRows }: Engine, width: number): number {
  const most = Math.floor((width - kPlot.left - kPlot.right) / kMinBar);
  return Math.max(1, Math.ceil(workRows.length / Math.max(1, most)));
}

// `above`: extra room, in px.
export function layOutTime(store: Store, width: number, above = 0): TimeLayout {
  const { engine } = store;
  const perColumn = layersPerBar(engine, width);
  const columns = makeColumns(store, perColumn);
  const withBlocks = perColumn === 1 && engine.blocks.length > 0;
  const bottom = withBlocks ? kPlot.bottomBlocks : kPlot.bottom;
  const frame = {
    left: kPlot.left,
    top: kPlot.top + above,
    width: Math.max(1, width - kPlot.left - kPlot.right),
    height: kHeight - kPlot.top - bottom,
  };
  // Not Math.max(...): the number of columns depends on the window's width.
  const max = 1.04 * columns.reduce((most, { sum }) => Math.max(most, sum), 0);
  const count = Math.max(1, columns.length);
  const bars: Bars = {
    frame,
    columns,
    x: across(frame, 0, count),
    y: upwards(frame, 0, max),
    max,
    half: (frame.width / count) * (count > 300 ? 0.5 : 0.45),
  };
  return {
    ...bars,
    labels: perColumn > 1 ? [] : makeLabels(store, bars),
    brackets: withBlocks ? makeBrackets(store, bars) : [],
  };
}
