// The published form of the data: planex.report/1, as docs/reference/report-data.md describes it.
// Everything here may be absent in an older or newer file; the decoder, not the views, copes.

export interface WireBinding {
  readonly name: string;
  readonly dims: readonly number[] | null;
  readonly dtype: string | null;
  readonly layout: string | null;
}

export interface WireEngineFacts {
  readonly name: string;
  readonly producer: string | null;
  readonly producer_version: string | null;
  readonly version_evidence: string | null;
  readonly importer: string | null;
  readonly device: string | null;
  readonly batch_size: number | null;
  readonly profile_index: number | null;
  readonly detail: 'full' | 'names-only';
}

export interface WireEndToEnd {
  readonly source: string | null;
  readonly count: number | null;
  readonly mean_ms: number | null;
  readonly median_ms: number | null;
  readonly min_ms: number | null;
  readonly max_ms: number | null;
  readonly p90_ms: number | null;
  readonly p95_ms: number | null;
  readonly p99_ms: number | null;
}

export interface WireHistogram {
  readonly start_ms: number;
  readonly step_ms: number;
  readonly counts: readonly number[];
}

export interface WireTime {
  readonly layers_mean_ms: number | null;
  readonly layers_median_ms: number | null;
  readonly end_to_end: WireEndToEnd | null;
  readonly histogram: WireHistogram | null;
  readonly gap_ms: number | null;
  readonly overhead_us_per_layer: number | null;
  readonly resolution_us: number | null;
  readonly throughput_per_s: number | null;
}

export interface WireGroup {
  readonly count: number;
  readonly median_ms: number | null;
  readonly mean_ms: number | null;
  readonly share: number | null;
}

export interface WireTypeGroup extends WireGroup {
  readonly type: string | null;
  readonly family: string | null;
}

export interface WirePrecisionGroup extends WireGroup {
  readonly precision: string | null;
}

export interface WireDiagnostic {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly count: number | null;
  readonly file: string | null;
}

export interface WireMissing {
  readonly what: string;
  readonly consequence: string;
  readonly command: string | null;
}

export interface WireSummary {
  readonly engine: WireEngineFacts;
  readonly inputs: readonly WireBinding[];
  readonly outputs: readonly WireBinding[];
  readonly layer_count: number;
  readonly record_count: number;
  readonly tensor_count: number | null;
  readonly weight_bytes: number | null;
  readonly activation_bytes: number | null;
  readonly footprint_bytes: number | null;
  readonly macs: number | null;
  readonly flops: number | null;
  readonly time: WireTime;
  readonly by_type: readonly WireTypeGroup[];
  readonly by_precision: readonly WirePrecisionGroup[];
  readonly by_output_precision: readonly WirePrecisionGroup[];
  readonly findings: { readonly error: number; readonly warning: number; readonly info: number };
  readonly diagnostics: readonly WireDiagnostic[];
  readonly lede: { readonly headline: string; readonly text: string } | null;
  readonly missing: readonly WireMissing[];
}

export type Severity = 'error' | 'warning' | 'info';

export interface WireFinding {
  readonly rule: string;
  readonly severity: Severity;
  readonly layer_id: number | null;
  readonly layer: string | null;
  readonly message: string;
  readonly evidence: string | null;
  readonly estimated_ms: number | null;
  readonly estimate_method: string | null;
  readonly fix: string | null;
}

export interface WireRule {
  readonly id: string;
  readonly severity: Severity;
  readonly summary: string;
  readonly status: 'fired' | 'silent' | 'skipped';
  readonly reason: string | null;
  readonly count: number;
  readonly estimated_ms: number | null;
}

export interface WireTotal {
  readonly metric: string;
  readonly label: string;
  readonly unit: string;
  readonly better: 'lower' | 'higher' | 'none';
  readonly values: readonly (number | null)[];
}

export interface WireCompareGroup {
  readonly median_ms: readonly (number | null)[];
  readonly count: readonly (number | null)[];
}

export interface WireCompareType extends WireCompareGroup {
  readonly type: string | null;
  readonly family: string | null;
}

export interface WireComparePrecision extends WireCompareGroup {
  readonly precision: string | null;
}

export interface WireComparison {
  readonly engines: readonly { readonly name: string; readonly label: string | null }[];
  readonly totals: readonly WireTotal[];
  readonly by_type: readonly WireCompareType[];
  readonly by_precision: readonly WireComparePrecision[];
  readonly by_output_precision: readonly WireComparePrecision[];
}
