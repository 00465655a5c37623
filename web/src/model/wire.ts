// The published form of the data: planex.report/2, as docs/reference/report-data.md describes it.
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
  // engine, layer-details, layer-information, profile, times, source-model.
  readonly id: string | null;
  readonly what: string;
  readonly consequence: string;
  readonly command: string | null;
  readonly is_optional: boolean;
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
  // Of activations, held at once at most; null where none has a size.
  readonly peak_bytes: number | null;
  readonly by_type: readonly WireTypeGroup[];
  readonly by_precision: readonly WirePrecisionGroup[];
  readonly by_output_precision: readonly WirePrecisionGroup[];
  readonly findings: { readonly error: number; readonly warning: number; readonly info: number };
  readonly diagnostics: readonly WireDiagnostic[];
  readonly conclusion: { readonly headline: string; readonly text: string } | null;
  readonly missing: readonly WireMissing[];
}

export type Severity = 'error' | 'warning' | 'info';

// What a fix saves of one layer's time; null: the layer was not measured.
export interface WireSaving {
  readonly layer_id: number;
  readonly fraction: number;
  readonly ms: number | null;
}

// Why a finding is not counted.
export interface WireSuppression {
  readonly by: 'waiver' | 'baseline';
  readonly reason: string | null;
}

// Another engine of the report that does not have the finding in the same place.
export interface WireElsewhere {
  readonly engine: number;
  // Layers of that place, here and there.
  readonly here: readonly number[];
  readonly there: readonly number[];
  readonly here_ms: number;
  readonly there_ms: number;
  readonly delta_ms: number;
}

export interface WireFinding {
  readonly rule: string;
  readonly severity: Severity;
  readonly layer_id: number | null;
  readonly layer: string | null;
  readonly message: string;
  readonly evidence: string | null;
  readonly estimated_ms: number | null;
  readonly estimate_method: string | null;
  readonly savings: readonly WireSaving[];
  readonly fix: string | null;
  // The same from build to build; null where the program that wrote the report had none.
  readonly fingerprint: string | null;
  readonly suppressed: WireSuppression | null;
  readonly elsewhere: readonly WireElsewhere[];
}

export interface WireRule {
  readonly id: string;
  readonly pack: string | null;
  readonly severity: Severity;
  readonly summary: string;
  readonly status: 'fired' | 'silent' | 'skipped';
  readonly reason: string | null;
  readonly count: number;
  readonly suppressed_count: number;
  readonly estimated_ms: number | null;
  // Phrases without a full stop: why it exists, what to do, what its findings show, how it estimates,
  // where the knowledge is from.
  readonly rationale: string | null;
  readonly fix: string | null;
  readonly evidence: string | null;
  readonly estimate: string | null;
  readonly source: string | null;
}

export interface WireWaiver {
  readonly rule: string | null;
  readonly layer: string | null;
  readonly layer_regex: string | null;
  readonly fingerprint: string | null;
  readonly reason: string | null;
  readonly expires: string | null;
  readonly state: string | null;
  readonly matched_count: number;
}

export interface WireLint {
  // Of all findings that are shown, each layer counted once.
  readonly estimated_ms: number | null;
  readonly waivers: readonly WireWaiver[];
}

// How the engine was made, and how to make it again.
export interface WireCommand {
  readonly origin: 'recorded' | 'options' | 'made';
  readonly what: string;
  readonly command: string;
  readonly file: string | null;
}

export interface WireLeftOut {
  readonly file: string;
  readonly kind: string | null;
  readonly size_bytes: number | null;
  readonly reason: string | null;
}

export interface WireTotal {
  readonly metric: string;
  readonly label: string;
  readonly unit: string;
  readonly better: 'lower' | 'higher' | 'none';
  readonly values: readonly (number | null)[];
  // Says what other rows say, of these engines.
  readonly isDetail: boolean;
}

export interface WireCompareGroup {
  readonly median_ms: readonly (number | null)[];
  readonly mean_ms: readonly (number | null)[];
  // For one item of the batch.
  readonly item_ms: readonly (number | null)[];
  // Of Σ layers of the engine.
  readonly share: readonly (number | null)[];
  readonly count: readonly (number | null)[];
}

export interface WireCompareType extends WireCompareGroup {
  readonly type: string | null;
  readonly family: string | null;
}

export interface WireComparePrecision extends WireCompareGroup {
  readonly precision: string | null;
}
