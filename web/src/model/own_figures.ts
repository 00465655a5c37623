// Figures of engines side by side if the writer sent no comparison, as for reports that were
// combined on the page: taken from the engines' own summaries. Nothing is computed.

import type { Comparison } from './comparison.ts';
import type { Report } from './decode.ts';
import type {
  ComparedPrecision,
  ComparedTotal,
  PrecisionGroup,
  TypeGroup,
} from './report_types.ts';

type ComparedGroup = Omit<ComparedPrecision, 'precision'>;
type LayerGroup = Omit<PrecisionGroup, 'precision'>;

type Values = readonly (number | null)[];

function columns(groups: readonly (LayerGroup | undefined)[]): ComparedGroup {
  const of = (value: (group: LayerGroup) => number | null): Values =>
    groups.map((group) => (group === undefined ? null : value(group)));
  return {
    median_ms: of((group) => group.median_ms),
    mean_ms: of((group) => group.mean_ms),
    item_ms: groups.map(() => null),
    speed_up: groups.map(() => null),
    share: of((group) => group.share),
    count: of((group) => group.count),
  };
}

export function figuresOf(report: Report): Comparison {
  if (report.comparison !== null) return report.comparison;
  const summaries = report.engines.map((engine) => engine.summary);
  const types = new Map<string | null, TypeGroup['family']>();
  for (const s of summaries) for (const g of s.by_type) types.set(g.type, g.family);
  const precisions = (of: 'by_precision' | 'by_output_precision') =>
    [...new Set(summaries.flatMap((s) => s[of].map((g) => g.precision)))].map((precision) => ({
      precision,
      ...columns(summaries.map((s) => s[of].find((g) => g.precision === precision))),
    }));
  const total = (
    metric: string,
    label: string,
    unit: ComparedTotal['unit'],
    better: ComparedTotal['better'],
    value: (summary: (typeof summaries)[number]) => number | null,
  ): ComparedTotal => ({
    metric,
    label,
    unit,
    better,
    values: summaries.map(value),
    is_detail: false,
  });
  return {
    totals: [
      total('end_to_end_median_ms', 'end to end', 'ms', 'lower', (s) => {
        return s.time.end_to_end?.median_ms ?? null;
      }),
      total('layers_time_ms', 'Σ layers', 'ms', 'lower', (s) => {
        return s.time.layers_median_ms ?? s.time.layers_mean_ms;
      }),
      total('layer_count', 'layers', 'count', 'none', (s) => s.layer_count),
      total('activation_bytes', 'activation traffic', 'bytes', 'lower', (s) => s.activation_bytes),
      total('weight_bytes', 'weights', 'bytes', 'none', (s) => s.weight_bytes),
    ].filter((row) => row.values.some((value) => value !== null)),
    by_type: [...types].map(([type, family]) => ({
      type,
      ...(family === undefined ? {} : { family }),
      ...columns(summaries.map((s) => s.by_type.find((g) => g.type === type))),
    })),
    by_precision: precisions('by_precision'),
    by_output_precision: precisions('by_output_precision'),
    threshold_ratio: 0.03,
    ledger: null,
    summaries: [],
    pairs: () => null,
  };
}
