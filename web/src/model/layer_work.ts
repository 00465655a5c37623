// What layers compute, beside the table of layers: operations of pointwise layers
// (planex.report-pointwise/1) and windows of convolutions (planex.report-windows/1).

import type { Engine } from './engine.ts';
import { decodeTotals, type Totals } from './explain_totals.ts';
import { asArray, asNumber, asObject, asText } from './json_value.ts';

export interface PointwiseLayer {
  readonly row: number;
  readonly count: number;
  // The kernel's name tells, and not the layer.
  readonly byName: boolean;
  readonly operations: readonly string[];
}

export interface PointwiseGroup {
  readonly count: number;
  readonly totals: Totals;
  readonly msPerOperation: number | null;
}

export interface Pointwise {
  readonly basis: string | null;
  readonly layers: readonly PointwiseLayer[];
  readonly groups: readonly PointwiseGroup[];
  readonly all: Totals;
  // Pointwise layers of which it is unknown what they compute.
  readonly unknown: Totals;
}

const kPointwise = new WeakMap<Engine, Pointwise>();

export function pointwiseOf(engine: Engine): Pointwise | null {
  const document = engine.document('pointwise');
  if (document === null) return null;
  const known = kPointwise.get(engine);
  if (known !== undefined) return known;
  const table = engine.table(document.layers);
  const pointwise: Pointwise = {
    basis: asText(document.time_basis),
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
    groups: asArray(document.groups).map((entry) => {
      const o = asObject(entry);
      return {
        count: asNumber(o.operation_count) ?? 0,
        totals: decodeTotals(o.totals),
        msPerOperation: asNumber(o.ms_per_operation),
      };
    }),
    all: decodeTotals(document.all),
    unknown: decodeTotals(document.unknown),
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
