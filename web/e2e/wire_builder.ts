// Builds planex.report/2 documents for the tests: an engine is a list of plain layers here, and
// becomes columns, a string table and a summary. Only tests use this; the program's own writer is C++.

import { graphMember } from './graph_builder.ts';

export interface PortSpec {
  readonly tensor: string;
  readonly dims: readonly number[];
  readonly dtype: string;
  readonly layout: string;
  readonly bytes: number | null;
}

export interface LayerSpec {
  readonly name: string;
  readonly role?: string;
  readonly type: string | null;
  readonly family: string | null;
  readonly precision: string | null;
  readonly output_precision: string | null;
  readonly median_ms: number | null;
  readonly mean_ms: number | null;
  readonly weight_bytes: number | null;
  readonly io_bytes: number | null;
  readonly macs?: number | null;
  readonly tactic?: string | null;
  readonly inputs?: readonly PortSpec[];
  readonly outputs?: readonly PortSpec[];
  readonly attributes?: readonly (readonly [string, string])[];
  readonly sources?: readonly string[];
}

export interface FindingSpec {
  readonly rule: string;
  readonly severity: string;
  readonly layer_id: number | null;
  readonly message: string;
  readonly estimated_ms: number | null;
  readonly fix: string;
}

export interface EngineSpec {
  readonly name: string;
  readonly producer: string;
  readonly version: string | null;
  readonly evidence: string | null;
  readonly device: string | null;
  readonly batch: number | null;
  readonly namesOnly?: boolean;
  readonly layers: readonly LayerSpec[];
  readonly samples?: readonly number[];
  readonly findings?: readonly FindingSpec[];
  readonly conclusion?: { readonly headline: string; readonly text: string };
  readonly missing?: readonly {
    readonly what: string;
    readonly consequence: string;
    readonly command: string | null;
  }[];
  readonly diagnostics?: readonly {
    readonly code: string;
    readonly severity: string;
    readonly message: string;
    readonly count: number;
    readonly file: string | null;
  }[];
  // Documents of `planex explain` by topic, as the program writes them.
  readonly explain?: Document;
}

type Cell = string | number | readonly number[] | null;
type ColumnType = 'text' | 'int64' | 'double' | 'list';

class StringTable {
  readonly list: string[] = [];
  readonly #index = new Map<string, number>();

  add(text: string): number {
    let index = this.#index.get(text);
    if (index === undefined) {
      index = this.list.length;
      this.list.push(text);
      this.#index.set(text, index);
    }
    return index;
  }
}

export type Document = Readonly<Record<string, unknown>>;

function table(
  strings: StringTable,
  rows: readonly Readonly<Record<string, Cell>>[],
  types: Readonly<Record<string, ColumnType>>,
): Document {
  const columns = Object.entries(types).map(([name, type]) => {
    const values = rows.map((row) => {
      const value = row[name] ?? null;
      return type === 'text' && typeof value === 'string' ? strings.add(value) : value;
    });
    return [name, { type, unit: '', values }];
  });
  return { row_count: rows.length, columns: Object.fromEntries(columns) as Document };
}

const sum = (values: readonly (number | null)[]): number =>
  values.reduce((total: number, v) => total + (v ?? 0), 0);

function total(values: readonly (number | null)[]): number | null {
  return values.every((v) => v === null) ? null : sum(values);
}

function percentile(sorted: readonly number[], p: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))] ?? 0;
}

function endToEnd(samples: readonly number[] | undefined): Document | null {
  if (samples === undefined || samples.length === 0) return null;
  const sorted = [...samples].sort((a, b) => a - b);
  return {
    source: 'times',
    count: sorted.length,
    mean_ms: sum(sorted) / sorted.length,
    median_ms: percentile(sorted, 0.5),
    min_ms: sorted[0],
    max_ms: sorted.at(-1),
    p90_ms: percentile(sorted, 0.9),
    p95_ms: percentile(sorted, 0.95),
    p99_ms: percentile(sorted, 0.99),
  };
}

function histogram(samples: readonly number[] | undefined): Document | null {
  if (samples === undefined || samples.length === 0) return null;
  const sorted = [...samples].sort((a, b) => a - b);
  const start = sorted[0] ?? 0;
  const step = Math.max(1e-6, (percentile(sorted, 0.995) - start) / 11);
  const counts = new Array<number>(12).fill(0);
  for (const sample of sorted) {
    const bin = Math.floor((sample - start) / step);
    if (bin < counts.length) counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return { start_ms: start, step_ms: step, counts };
}

function groupBy(
  layers: readonly LayerSpec[],
  key: 'type' | 'precision' | 'output_precision',
  as: string,
): readonly Document[] {
  const groups = new Map<string | null, LayerSpec[]>();
  for (const layer of layers) {
    const list = groups.get(layer[key]);
    if (list === undefined) groups.set(layer[key], [layer]);
    else list.push(layer);
  }
  const all = total(layers.map((l) => l.median_ms ?? l.mean_ms));
  return [...groups]
    .map(([name, list]) => {
      const median = total(list.map((l) => l.median_ms));
      const mean = total(list.map((l) => l.mean_ms));
      const ms = median ?? mean;
      return {
        [as]: name,
        ...(key === 'type' ? { family: list[0]?.family ?? null } : {}),
        count: list.length,
        median_ms: median,
        mean_ms: mean,
        share: ms === null || all === null ? null : ms / all,
      };
    })
    .sort((a, b) => (b.median_ms ?? b.mean_ms ?? b.count) - (a.median_ms ?? a.mean_ms ?? a.count));
}

export function engineDocument(spec: EngineSpec): Document {
  const strings = new StringTable();
  const work = spec.layers.filter((l) => (l.role ?? 'work') === 'work');
  const medians = total(work.map((l) => l.median_ms));
  const means = total(work.map((l) => l.mean_ms));
  const e2e = endToEnd(spec.samples);
  const median = e2e === null ? null : (e2e.median_ms as number);
  const gap = medians === null || median === null ? null : medians - median;
  const perLayer = gap === null ? null : gap / work.length;
  const layerRows = spec.layers.map((l, layer_id) => {
    const ms = l.median_ms ?? l.mean_ms;
    const all = medians ?? means;
    const isWork = (l.role ?? 'work') === 'work';
    const known = ms !== null && isWork;
    return {
      layer_id,
      role: l.role ?? 'work',
      name: l.name,
      type: l.type,
      family: l.family,
      tactic: l.tactic ?? null,
      precision: l.precision,
      output_precision: l.output_precision,
      mean_ms: l.mean_ms,
      median_ms: l.median_ms,
      share: known && all !== null ? ms / all : null,
      corrected_ms: known && perLayer !== null ? Math.max(0, ms - perLayer) : null,
      weight_bytes: l.weight_bytes,
      io_bytes: l.io_bytes,
      footprint_bytes: l.io_bytes === null ? null : l.io_bytes + (l.weight_bytes ?? 0),
      macs: l.macs ?? null,
      flops: l.macs === undefined || l.macs === null ? null : 2 * l.macs,
    };
  });
  const portRows = spec.layers.flatMap((l, layer_id) =>
    (['input', 'output'] as const).flatMap((direction) =>
      (direction === 'input' ? (l.inputs ?? []) : (l.outputs ?? [])).map((p, index) => ({
        layer_id,
        direction,
        index,
        ...p,
      })),
    ),
  );
  const findings = spec.findings ?? [];
  const ruleIds = [...new Set(findings.map((f) => f.rule))];
  const io = total(work.map((l) => l.io_bytes));
  const weights = total(work.map((l) => l.weight_bytes));
  const macs = total(work.map((l) => l.macs ?? null));
  const binding = (p: PortSpec | undefined): readonly Document[] =>
    p === undefined ? [] : [{ name: p.tensor, dims: p.dims, dtype: p.dtype, layout: p.layout }];
  return {
    label: spec.name,
    summary: {
      schema: 'planex.summary/2',
      engine: {
        name: spec.name,
        producer: spec.producer,
        producer_version: spec.version,
        version_evidence: spec.evidence,
        importer: 'tensorrt',
        device: spec.device,
        batch_size: spec.batch,
        profile_index: null,
        detail: spec.namesOnly === true ? 'names-only' : 'full',
      },
      inputs: binding(work[0]?.inputs?.[0]),
      outputs: binding(work.at(-1)?.outputs?.[0]),
      layer_count: work.length,
      record_count: spec.layers.length,
      tensor_count: new Set(portRows.map((p) => p.tensor)).size,
      weight_bytes: weights,
      activation_bytes: io,
      footprint_bytes: io === null ? null : io + (weights ?? 0),
      macs,
      flops: macs === null ? null : 2 * macs,
      time: {
        layers_mean_ms: means,
        layers_median_ms: medians,
        end_to_end: e2e,
        histogram: histogram(spec.samples),
        gap_ms: gap,
        overhead_us_per_layer: perLayer === null ? null : perLayer * 1000,
        resolution_us: medians === null ? null : 1.024,
        throughput_per_s: median === null ? null : 1000 / median,
      },
      by_type: groupBy(work, 'type', 'type'),
      by_precision: groupBy(work, 'precision', 'precision'),
      by_output_precision: groupBy(work, 'output_precision', 'precision'),
      top_layers: [],
      findings: {
        error: findings.filter((f) => f.severity === 'error').length,
        warning: findings.filter((f) => f.severity === 'warning').length,
        info: findings.filter((f) => f.severity === 'info').length,
      },
      diagnostics: spec.diagnostics ?? [],
      conclusion: spec.conclusion ?? null,
      missing: spec.missing ?? [],
    },
    tables: {
      layers: table(strings, layerRows, {
        layer_id: 'int64',
        role: 'text',
        name: 'text',
        type: 'text',
        family: 'text',
        tactic: 'text',
        precision: 'text',
        output_precision: 'text',
        mean_ms: 'double',
        median_ms: 'double',
        share: 'double',
        corrected_ms: 'double',
        weight_bytes: 'int64',
        io_bytes: 'int64',
        footprint_bytes: 'int64',
        macs: 'int64',
        flops: 'int64',
      }),
      ports: table(strings, portRows, {
        layer_id: 'int64',
        direction: 'text',
        index: 'int64',
        tensor: 'text',
        dims: 'list',
        dtype: 'text',
        layout: 'text',
        bytes: 'int64',
      }),
      attributes: table(
        strings,
        spec.layers.flatMap((l, layer_id) =>
          (l.attributes ?? []).map(([key, value]) => ({ layer_id, key, value })),
        ),
        { layer_id: 'int64', key: 'text', value: 'text' },
      ),
      sources: table(
        strings,
        spec.layers.flatMap((l, layer_id) =>
          (l.sources ?? []).map((op_name) => ({
            layer_id,
            op_name,
            op_type: null,
            evidence: 'name',
          })),
        ),
        { layer_id: 'int64', op_name: 'text', op_type: 'text', evidence: 'text' },
      ),
    },
    graph: graphMember(spec.layers, strings),
    findings: findings.map((f) => ({
      ...f,
      layer: f.layer_id === null ? null : (spec.layers[f.layer_id]?.name ?? null),
      evidence: '',
      estimate_method: f.estimated_ms === null ? null : 'time of the reformats it makes needless',
    })),
    rules: [
      ...ruleIds.map((id) => {
        const own = findings.filter((f) => f.rule === id);
        return {
          id,
          severity: own[0]?.severity ?? 'info',
          summary: id,
          status: 'fired',
          reason: null,
          count: own.length,
          estimated_ms: total(own.map((f) => f.estimated_ms)),
          // Of a rule about Q/DQ.
          ...(id === 'quantized-rule' ? { command: 'planex advise model.onnx --engine RUN' } : {}),
        };
      }),
      ...(spec.namesOnly === true
        ? [
            {
              id: 'needs-tensors',
              severity: 'info',
              summary: '',
              status: 'skipped',
              reason: 'no tensors in the file',
              count: 0,
              estimated_ms: null,
            },
          ]
        : [
            {
              id: 'quiet-rule',
              severity: 'info',
              summary: '',
              status: 'silent',
              reason: null,
              count: 0,
              estimated_ms: null,
            },
          ]),
    ],
    ...(spec.explain === undefined ? {} : { explain: spec.explain }),
    // Last, when all texts are in it.
    strings: strings.list,
  };
}

export function reportDocument(engines: readonly EngineSpec[]): Document {
  return {
    schema: 'planex.report/2',
    generator: { name: 'planex', version: '0.1.0' },
    engines: engines.map(engineDocument),
    comparison: null,
  };
}
