import { describe, expect, it } from 'vitest';

import type { SweepCell } from '../../public/index.ts';
import { intervalText, kMeasures, measuresOf, valueText } from './measures.ts';
import { cliffOf, gridOf } from './test_sweep.ts';
import {
  cellLines,
  cellText,
  countsText,
  openCommand,
  othersText,
  shortCellText,
  stepText,
} from './texts.ts';

const kGrid = gridOf({ cliffs: [cliffOf(0, '1-2-f32', '2-2-f32')] });
function cellOf(id: string): SweepCell {
  const cell = kGrid.byId(id);
  if (cell === null) throw new Error('no such cell');
  return cell;
}

const kCell = cellOf('2-2-f32');

describe('texts of a sweep', () => {
  it('name a cell in full, and by what tells measured cells apart', () => {
    expect(cellText(kGrid, kCell)).toBe('batch 2, threads 2, precision f32');
    expect(shortCellText(kGrid, kCell)).toBe('batch 2, threads 2');
  });

  it('name a step and what stays the same in it', () => {
    const [cliff] = kGrid.sweep.cliffs;
    if (cliff === undefined) throw new Error('no cliff');
    expect(stepText(kGrid, cliff)).toBe('batch 1 to 2');
    expect(othersText(kGrid, cliff)).toBe('threads 2, precision f32');
  });

  it('say what is known about a cell, its interval and the cliff into it', () => {
    expect(cellLines(kGrid, kCell)).toEqual([
      'batch 2, threads 2, precision f32',
      'median latency 22.000 ms',
      '95 % interval 20.000 to 23.000 ms, 3 builds',
      'cliff: 4.00× as long as at batch 1, 2.000 ms more than the work explains',
    ]);
  });

  it('say why a cell has nothing', () => {
    expect(cellLines(kGrid, cellOf('2-2-int8'))).toEqual([
      'batch 2, threads 2, precision int8',
      'failed: no such type',
    ]);
    expect(countsText(kGrid)).toBe('12 cells, 6 measured, 6 failed');
  });

  it('quote the file of a command', () => {
    expect(openCommand(kCell)).toBe("planex 'my cells/2'");
  });

  it('offer the figures that any cell has', () => {
    expect(measuresOf(kGrid.sweep.cells).map(({ id }) => id)).toEqual(['latency']);
  });

  it('give figures their unit, and ends of intervals the digits that tell them apart', () => {
    expect(valueText(kMeasures[0], 0.0788)).toBe('0.0788 ms');
    expect(intervalText(0.29123, 0.29611)).toBe('0.2912 to 0.2961');
    expect(intervalText(0.078, 0.0791)).toBe('0.0780 to 0.0791');
  });
});
