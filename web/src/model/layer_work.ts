// What layers compute, beside the table of layers: operations of pointwise layers
// (planex.report-pointwise/1) and windows of convolutions (planex.report-windows/1).

import type { Engine } from './engine.ts';
import type { Totals } from './explain_totals.ts';
import type { ReportPointwise } from './report_types.ts';

export interface PointwiseLayer {
  readonly row: number;
  readonly count: number;
  // The kernel's name tells, and not the layer.
  readonly byName: boolean;
  readonly operations: readonly string[];
}

export type PointwiseGroup = Omit<ReportPointwise['groups'][number], 'totals'> & {
  readonly totals: Totals;
};

// With the layers in rows.
export interface Pointwise extends Omit<ReportPointwise, 'layers' | 'groups'> {
  readonly layers: readonly PointwiseLayer[];
  readonly groups: readonly PointwiseGroup[];
}

const kPointwise = new WeakMap<Engine, Pointwise>();

export function pointwiseOf(engine: Engine): Pointwise | null {
  const document = engine.document('pointwise');
  if (document === null) return null;
  const known = kPointwise.get(engine);
  if (known !== undefined) return known;
  const table = engine.table(document.layers);
  const pointwise: Pointwise = {
    ...document,
    layers: Array.from({ length: table.rowCount }, (_, i): readonly PointwiseLayer[] => {
      const row = engine.rowOf(table.number('layer_id', i) ?? -1);
      if (row === null) return [];
      return [
        {
          row,
          count: table.number('operation_count', i) ?? 0,
          byName: table.text('evidence', i) === 'name',
          operations: (table.list('operations', i) ?? []).flatMap(
            (index) => engine.strings[index] ?? [],
          ),
        },
      ];
    }).flat(),
  };
  kPointwise.set(engine, pointwise);
  return pointwise;
}

export interface ConvolutionWindow {
  // One entry a spatial dimension; null where not known.
  readonly kernel: readonly number[] | null;
  readonly stride: readonly number[] | null;
  readonly dilation: readonly number[] | null;
  readonly groups: number | null;
}

const kWindows = new WeakMap<Engine, ReadonlyMap<number, ConvolutionWindow>>();

// By layer row.
export function windowsOf(engine: Engine): ReadonlyMap<number, ConvolutionWindow> {
  const known = kWindows.get(engine);
  if (known !== undefined) return known;
  const table = engine.table(engine.document('windows')?.layers);
  const windows = new Map<number, ConvolutionWindow>();
  for (let i = 0; i < table.rowCount; i += 1) {
    const row = engine.rowOf(table.number('layer_id', i) ?? -1);
    if (row === null) continue;
    windows.set(row, {
      kernel: table.list('kernel', i),
      stride: table.list('stride', i),
      dilation: table.list('dilation', i),
      groups: table.number('groups', i),
    });
  }
  kWindows.set(engine, windows);
  return windows;
}
