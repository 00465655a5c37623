import { describe, expect, it } from 'vitest';

import { sideOf, type SliceOption } from './grid.ts';
import { cliffOf, gridOf } from './test_sweep.ts';

const kUsual: SliceOption = () => null;

function chosen(options: Readonly<Record<string, string>>): SliceOption {
  return (key) => options[key] ?? null;
}

describe('the grid of a sweep', () => {
  it('shows two ordered axes first, and the others where most cells are measured', () => {
    expect(gridOf().slice(kUsual)).toEqual({ x: 0, y: 1, at: [0, 0, 0] });
  });

  it('takes axes by name and values as they were asked for', () => {
    const slice = gridOf().slice(chosen({ x: 'precision', y: 'threads', at0: '2' }));
    expect(slice).toEqual({ x: 2, y: 1, at: [2, 0, 0] });
  });

  it('takes what a link says of another report as not said', () => {
    const choice = chosen({ x: 'streams', y: 'batch', at0: '64', at1: '64', at2: '64' });
    // batch is already on x, so another axis is on y.
    expect(gridOf().slice(choice)).toEqual({ x: 0, y: 1, at: [0, 0, 0] });
  });

  it('finds cells by their values', () => {
    const grid = gridOf();
    const slice = grid.slice(kUsual);
    const id = (column: number, row: number): string | undefined =>
      grid.cellIn(slice, column, row)?.id;
    expect(id(0, 0)).toBe('4-1-f32');
    expect(id(2, 1)).toBe('2-2-f32');
    expect(grid.cellIn(slice, 3, 0)).toBeNull();
  });

  it('has one row where one axis has several values', () => {
    const grid = gridOf({
      axes: [{ name: 'batch', values: ['1', '2'], is_ordered: true }],
      cells: ['1', '2'].map((value) => ({ id: value, values: [value], state: 'done' })),
    });
    const slice = grid.slice(kUsual);
    expect(slice.y).toBeNull();
    expect(grid.rows(slice)).toEqual(['']);
    expect(grid.cellIn(slice, 1, 0)?.id).toBe('2');
  });

  it('marks a step on the border that it crosses', () => {
    const grid = gridOf({
      cliffs: [
        cliffOf(0, '1-1-f32', '2-1-f32'),
        cliffOf(0, '2-1-f32', '4-1-f32'),
        cliffOf(1, '4-1-f32', '4-2-f32'),
      ],
    });
    const slice = grid.slice(kUsual);
    // 4 comes first in the sweep and is to the left of 2.
    expect(grid.sweep.cliffs.map((cliff) => sideOf(grid, slice, cliff))).toEqual([
      'left',
      'right',
      'top',
    ]);
    const held = grid.slice(chosen({ x: 'batch', y: 'precision', at1: '2' }));
    expect(grid.sweep.cliffs.map((cliff) => sideOf(grid, held, cliff))).toEqual([null, null, null]);
  });

  it('shows a step along an axis that was not shown', () => {
    const grid = gridOf({ cliffs: [cliffOf(1, '2-1-f32', '2-2-f32')] });
    const [cliff] = grid.sweep.cliffs;
    if (cliff === undefined) throw new Error('no cliff');
    const now = grid.slice(chosen({ x: 'batch', y: 'precision' }));
    const slice = grid.sliceOf(cliff, now);
    expect(slice).toEqual({ x: 1, y: 2, at: [2, 1, 0] });
    expect(sideOf(grid, slice, cliff)).toBe('left');
  });
});
