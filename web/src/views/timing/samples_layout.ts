// Samples over time: parts of the samples as pixel columns. A column keeps the minimum and maximum
// of its samples, so no spike is lost at any width.

import type { SampleSeries } from '../../public/index.ts';

export interface Column {
  // From its left to its right end, in samples or ms.
  readonly from: number;
  readonly to: number;
  // Positions of samples, the last one included.
  readonly first: number;
  readonly last: number;
  readonly min: number;
  readonly max: number;
}

// Where each part begins, and where the last one ends.
export function partEdges(starts: readonly number[], end: number | null): readonly number[] {
  return [...starts, Math.max(starts.at(-1) ?? 0, end ?? 0)];
}

export function columnsOf(
  series: SampleSeries,
  sampleCount: number,
  edges: readonly number[],
  most: number,
): readonly Column[] {
  const low = edges[0] ?? 0;
  const width = ((edges.at(-1) ?? 0) - low) / Math.max(1, most);
  const keyOf = (i: number): number =>
    width > 0 ? Math.min(most - 1, Math.floor(((edges[i] ?? 0) - low) / width)) : 0;
  const columns: Column[] = [];
  let begin = 0;
  while (begin < series.first.length) {
    const key = keyOf(begin);
    let end = begin;
    let min = Number.NaN;
    let max = Number.NaN;
    for (; end < series.first.length && keyOf(end) === key; end += 1) {
      const least = series.min_ms[end] ?? Number.NaN;
      const greatest = (series.max_ms ?? series.min_ms)[end] ?? Number.NaN;
      // Comparisons with NaN are false.
      if (!(min <= least) && !Number.isNaN(least)) min = least;
      if (!(max >= greatest) && !Number.isNaN(greatest)) max = greatest;
    }
    if (!Number.isNaN(min)) {
      columns.push({
        from: edges[begin] ?? 0,
        to: edges[end] ?? 0,
        first: series.first[begin] ?? 0,
        last: (series.first[end] ?? sampleCount) - 1,
        min,
        max,
      });
    }
    begin = end;
  }
  return columns;
}

// The position of a sample on the axis; between the starts of parts, by interpolation.
export function placeOf(
  series: SampleSeries,
  sampleCount: number,
  edges: readonly number[],
  sample: number,
): number {
  let low = 0;
  let high = series.first.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((series.first[middle] ?? 0) <= sample) low = middle;
    else high = middle - 1;
  }
  const first = series.first[low] ?? 0;
  const next = series.first[low + 1] ?? sampleCount;
  const share = next > first ? Math.min(1, Math.max(0, (sample - first) / (next - first))) : 0;
  const from = edges[low] ?? 0;
  return from + share * ((edges[low + 1] ?? from) - from);
}

export interface Label {
  readonly text: string;
  readonly at: number;
}

// Labels along an axis that are at least `gap` apart: those that would touch are merged at the
// position of the first.
export function mergeLabels(
  labels: readonly Label[],
  gap: number,
  join: (texts: readonly string[]) => string,
): readonly Label[] {
  const sorted = [...labels].sort((a, b) => a.at - b.at);
  const groups: { texts: string[]; at: number; end: number }[] = [];
  for (const label of sorted) {
    const last = groups.at(-1);
    if (last !== undefined && label.at - last.end < gap) {
      last.texts.push(label.text);
      last.end = label.at;
    } else {
      groups.push({ texts: [label.text], at: label.at, end: label.at });
    }
  }
  return groups.map(({ texts, at, end }) => ({
    text: texts.length === 1 ? (texts[0] ?? '') : join(texts),
    at: (at + end) / 2,
  }));
}

// The middle of the first of `lines` labels next to a step: below the top, unless the samples after
// the step are there; then above the bottom.
export function stepLabelTop(
  level: number,
  top: number,
  bottom: number,
  lines: number,
  height: number,
): number {
  const first = top + 7;
  const isFree = level > first + lines * height || level < top;
  return isFree ? first : bottom - 14 - (lines - 1) * height;
}
