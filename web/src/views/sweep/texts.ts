// Names of cells and steps, and their facts in words.

import {
  bytesText,
  integer,
  isNumber,
  joined,
  msText,
  plural,
  shellWord,
  significant,
  visible,
  type DataColumn,
  type SweepCell,
  type SweepCliff,
} from '../../public/index.ts';
import type { SweepGrid } from './grid.ts';
import { intervalOf, intervalText, kMeasures, rateText } from './measures.ts';

// "batch 4, threads 1, precision f32", as the program names it.
export function cellText(
  { sweep }: SweepGrid,
  cell: SweepCell | null,
  axes: readonly number[] = [...sweep.axes.keys()],
): string {
  const named = axes.map((axis) => `${sweep.axes[axis]?.name ?? ''} ${cell?.values[axis] ?? ''}`);
  return visible(named.join(', ')) || 'the only cell';
}

// The same with only the axes that distinguish measured cells.
export function shortCellText(grid: SweepGrid, cell: SweepCell | null): string {
  return cellText(grid, cell, grid.told);
}

const valueAt = (grid: SweepGrid, axis: number, index: number): string =>
  grid.cell(index)?.values[axis] ?? '';

// "batch 2 to 4".
export function stepText(grid: SweepGrid, { axis, a, b }: SweepCliff): string {
  const { name } = grid.axis(axis);
  return visible(`${name} ${valueAt(grid, axis, a)} to ${valueAt(grid, axis, b)}`);
}

// "threads 1, precision f32": the values that stay the same in a step.
export function othersText(grid: SweepGrid, { axis, b }: SweepCliff): string {
  const others = [...grid.sweep.axes.keys()].filter((other) => other !== axis);
  return others.length === 0 ? '' : cellText(grid, grid.cell(b), others);
}

export function ratioText(ratio: number): string {
  return `${significant(ratio)}×`;
}

// "3.55× as long as at batch 2".
export function cliffText(grid: SweepGrid, cliff: SweepCliff): string {
  const before = `${grid.axis(cliff.axis).name} ${valueAt(grid, cliff.axis, cliff.a)}`;
  const excess = `${msText(cliff.excess_ms)} ms more than the work explains`;
  return visible(`${ratioText(cliff.time_ratio)} as long as at ${before}, ${excess}`);
}

const kMaxError = 400;

export function errorText(error: string | null): string {
  return visible((error ?? 'no reason given').slice(0, kMaxError));
}

// The tooltip of a cell: at most six lines.
export function cellLines(grid: SweepGrid, cell: SweepCell): readonly string[] {
  const name = cellText(grid, cell);
  if (cell.state === 'pending') return [name, 'not run yet'];
  if (cell.state === 'failed') {
    const hint = visible(cell.error_hint ?? '');
    return [name, `failed: ${errorText(cell.error)}`, ...(hint === '' ? [] : [hint])];
  }
  const { latency_ms: ms } = cell;
  const interval = intervalOf(kMeasures[0], cell);
  const said = (value: number | null, text: (value: number) => string): string =>
    isNumber(value) ? text(value) : '';
  const builds = plural(cell.run_count, 'build');
  const speed = [
    said(cell.items_per_s, (rate) => `${rateText(rate)} items/s`),
    said(cell.item_ms, (item) => `${msText(item)} ms per item`),
  ];
  const size = [
    said(cell.memory_bytes, bytesText),
    said(cell.layer_count, (count) => plural(count, 'layer')),
    said(cell.reformat_count, (count) => plural(count, 'reformat')),
  ];
  return [
    name,
    ms === null ? 'no times' : `median latency ${msText(ms)} ms`,
    interval === null ? builds : `95 % interval ${intervalText(...interval)} ms, ${builds}`,
    joined(speed, ' · '),
    joined(size, ' · '),
    ...grid.cliffsInto(cell).map((cliff) => `cliff: ${cliffText(grid, cliff)}`),
  ]
    .filter((line) => line !== '')
    .slice(0, 6);
}

// "12 cells, 6 measured, 6 failed".
export function countsText({ sweep }: SweepGrid): string {
  const { cells, done_count: done, failed_count: failed, pending_count: pending } = sweep;
  const counts = [
    plural(cells.length, 'cell'),
    `${integer(done)} measured`,
    failed > 0 && `${integer(failed)} failed`,
    pending > 0 && `${integer(pending)} not run`,
  ];
  return joined(counts, ', ');
}

// The command that opens the engine of a cell in a terminal; null: there is none.
export function openCommand({ engine_file: file }: SweepCell): string | null {
  return file === null ? null : `planex ${shellWord(file)}`;
}

// For saved files: the values of a cell, one column per axis.
export function axisData({ sweep }: SweepGrid): readonly DataColumn<SweepCell>[] {
  return sweep.axes.map(({ name }, axis) => [name, null, ({ values }) => values[axis]] as const);
}
