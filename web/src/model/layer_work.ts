// What layers compute, in addition to the table of layers: operations of pointwise layers
// (planex.report-pointwise/1) and windows of convolutions (planex.report-windows/1).

import { remembered } from '../base/known.ts';
import type { Engine } from './engine.ts';
import type { ReportPointwise } from './report_types.ts';

export interface PointwiseLayer {
  readonly row: number;
  readonly count: number;
  // Known from the kernel's name, not from the layer.
  readonly byName: boolean;
  readonly operations: readonly string[];
}

// With the layers as rows.
export interface Pointwise extends Omit<ReportPointwise, 'layers' | 'groups'> {
  readonly layers: readonly PointwiseLayer[];
}

export const pointwiseOf = remembered((engine: Engine): Pointwise | null => {
  const document = engine.document('pointwise');
  return (
    document && {
      ...document,
      layers: engine.layersOf(document.layers, (row, table, at) => ({
        row,
        count: table.number('operation_count', at) ?? 0,
        byName: table.text('evidence', at) === 'name',
        operations: engine.texts(table.list('operations', at)),
      })),
    }
  );
});

export interface ConvolutionWindow {
  // One entry per spatial dimension; null if unknown.
  readonly kernel: readonly number[] | null;
  readonly stride: readonly number[] | null;
  readonly dilation: readonly number[] | null;
  readonly groups: number | null;
}

// By layer row.
export const windowsOf = remembered((engine: Engine): ReadonlyMap<number, ConvolutionWindow> => {
  const windows = engine.layersOf(engine.document('windows')?.layers, (row, table, at) => {
    const list = (name: string): readonly number[] | null => table.list(name, at);
    const groups = table.number('groups', at);
    const window = { kernel: list('kernel'), stride: list('stride'), dilation: list('dilation') };
    return [row, { ...window, groups }] as const;
  });
  return new Map(windows);
});
