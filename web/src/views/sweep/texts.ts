// What cells and steps are called, and what is known of them, in words.

import {
  bytesText,
  integer,
  isNumber,
  msText,
  plural,
  shellWord,
  significant,
  visible,
  type SweepCell,
  type SweepCliff,
} from '../../public/index.ts';
import type { SweepGrid } from './grid.ts';
import { intervalText, rateText } from './measures.ts';

// "batch 4, threads 1, precision f32", as the program calls it.
export function cellText(grid: SweepGrid, index: number): string {
  return textOf(
    grid,
    index,
    grid.sweep.axes.map((_, axis) => axis),
  );
}

// The same in what tells measured cells apart.
export function shortCellText(grid: SweepGrid, index: number): string {
  return textOf(grid, index, grid.told);
}

function textOf(grid: SweepGrid, index: number, axes: readonly number[]): string {
  const values = grid.cell(index)?.values ?? [];
  const text = axes.map((axis) => `${grid.axis(axis).name} ${values[axis] ?? ''}`).join(', ');
  return text === '' ? 'the only cell' : visible(text);
}

// "batch 2 to 4".
export function stepText(grid: SweepGrid, { axis, a, b }: SweepCliff): string {
  const value = (index: number): string => grid.cell(index)?.values[axis] ?? '';
  return visible(`${grid.axis(axis).name} ${value(a)} to ${value(b)}`);
}

// "threads 1, precision f32": what stays the same in a step.
export function othersText(grid: SweepGrid, { axis, b }: SweepCliff): string {
  const others = grid.sweep.axes.flatMap((_, i) => (i === axis ? [] : [i]));
  return others.length === 0 ? '' : textOf(grid, b, others);
}

export function ratioText(ratio: number): string {
  return `${significant(ratio)}×`;
}

// "3.55× as long as at batch 2".
export function cliffText(grid: SweepGrid, cliff: SweepCliff): string {
  const before = grid.cell(cliff.a)?.values[cliff.axis] ?? '';
  const name = grid.axis(cliff.axis).name;
  return visible(
    `${ratioText(cliff.time_ratio)} as long as at ${name} ${before}, ${msText(cliff.excess_ms)} ms more than the work explains`,
  );
}

const kMaxError = 400;

export function errorText(error: string | null): string {
  return visible((error ?? 'no reason was given').slice(0, kMaxError));
}

// What a tooltip says of a cell: six lines at most.
export function cellLines(grid: SweepGrid, index: number): readonly string[] {
  const cell = grid.cell(index);
  if (cell === null) return [];
  const name = cellText(grid, index);
  if (cell.state === 'failed') {
    return [name, `failed: ${errorText(cell.error)}`, cell.error_hint ?? '']
      .filter((line) => line !== '')
      .map(visible);
  }
  if (cell.state === 'pending') return [name, 'not run yet'];
  const { latency_ms: ms, latency_low_ms: low, latency_high_ms: high } = cell;
  const rate = isNumber(cell.items_per_s) ? `${rateText(cell.items_per_s)} items/s` : null;
  const item = isNumber(cell.item_ms) ? `${msText(cell.item_ms)} ms an item` : null;
  const layers = isNumber(cell.layer_count) ? plural(cell.layer_count, 'layer') : null;
  const reformats = isNumber(cell.reformat_count) ? plural(cell.reformat_count, 'reformat') : null;
  const memory = isNumber(cell.memory_bytes) ? bytesText(cell.memory_bytes) : null;
  const joined = (...parts: readonly (string | null)[]): string =>
    parts.filter((part) => part !== null).join(' · ');
  return [
    name,
    ms === null ? 'no times' : `median latency ${msText(ms)} ms`,
    isNumber(low) && isNumber(high)
      ? `95 % interval ${intervalText(low, high)} ms, ${plural(cell.run_count, 'build')}`
      : plural(cell.run_count, 'build'),
    joined(rate, item),
    joined(memory, layers, reformats),
    ...grid.cliffsInto(index).map((cliff) => `cliff: ${cliffText(grid, cliff)}`),
  ]
    .filter((line) => line !== '')
    .slice(0, 6);
}

// "12 cells, 6 measured, 6 failed".
export function countsText(grid: SweepGrid): string {
  const { cells, done_count, failed_count, pending_count } = grid.sweep;
  return [
    plural(cells.length, 'cell'),
    `${integer(done_count)} measured`,
    failed_count > 0 ? `${integer(failed_count)} failed` : null,
    pending_count > 0 ? `${integer(pending_count)} not run` : null,
  ]
    .filter((part) => part !== null)
    .join(', ');
}

// What opens the engine of a cell in a terminal; null: there is none.
export function openCommand(cell: SweepCell): string | null {
  return cell.engine_file === null ? null : `planex ${shellWord(cell.engine_file)}`;
}
