// Made by `planex schema --types page`: do not edit.

import * as r from './reader.ts';
import type { Reader } from './reader.ts';

/** Rows as columns; a column without any value is left out. */
export interface ColumnTable<Row> {
  readonly row_count: number;
  readonly columns: {
    readonly [Name in keyof Row]?: {
      readonly type: string;
      readonly unit: string;
      readonly values: readonly unknown[];
    };
  };
}

// The report's data: planex report --format json
/** What the report's page shows. */
export interface Report {
  readonly schema: 'planex.report/2';
  readonly generator: ReportGenerator;
  /** The first is shown first. */
  readonly engines: readonly ReportEngine[];
  /** Null with one engine. */
  readonly comparison: ReportComparison | null;
}

// The engines that planex serve shows: GET /api/engines
/** The engines that planex serve shows. */
export interface Engines {
  readonly schema: 'planex.engines/1';
  readonly generator: Generator;
  /** The first look at the folders is not over. */
  readonly is_searching: boolean;
  /** Why not all of what is there is listed. */
  readonly left_out: string | null;
  /** The paths that were given. */
  readonly places: readonly string[];
  /** The engines. */
  readonly engines: readonly ListedEngine[];
  /** Runs of one name, producer and device, from the oldest. */
  readonly trends: readonly (readonly TrendPoint[])[];
}

// Engines that were dropped and opened: POST /api/open
/** Engines that were dropped and opened. */
export interface Opened {
  readonly schema: 'planex.opened/1';
  /** What addresses name them by. */
  readonly ids: readonly string[];
}

// What went wrong, over HTTP
/** What went wrong, and what to do about it. */
export interface ErrorReply {
  readonly schema: 'planex.error/1';
  /** Which kind. */
  readonly code: 'usage' | 'not-found' | 'bad-input' | 'unsupported' | 'external-tool' | 'io' | 'cancelled' | 'internal';
  /** What was found, and what was expected. */
  readonly message: string;
  /** The file it is about. */
  readonly file: string | null;
  /** More lines of context. */
  readonly context: string | null;
  /** What to do about it. */
  readonly hint: string | null;
}

// The result of a query: planex query --format json
/** The result of a query. */
export interface Query {
  readonly schema: 'planex.query/1';
  /** The columns, from the first. */
  readonly columns: readonly TableColumn[];
  /** One list per row, in the order of columns. */
  readonly rows: readonly (readonly (number | string | null)[])[];
}

/** What wrote the report. */
export interface ReportGenerator {
  /** planex. */
  readonly name: string;
  /** Its version. */
  readonly version: string;
  /** What makes the report again. */
  readonly command: string | null;
}

/** An engine. */
export interface ReportEngine {
  /** How it is called beside others; short and unique. */
  readonly label: string;
  /** What the user named. */
  readonly path: string | null;
  readonly commands: readonly ReportCommand[];
  readonly left_out: readonly LeftOutFile[];
  readonly summary: Summary;
  /** Tables of the model, by name. */
  readonly tables: unknown;
  /** Its graphs. */
  readonly graph: unknown;
  /** By what a fix saves. */
  readonly findings: readonly Finding[];
  /** Every rule, whether it fired or not. */
  readonly rules: readonly RuleStatus[];
  /** What is not about single findings or rules. */
  readonly lint: ReportLint;
  readonly elsewhere: readonly SolvedElsewhere[];
  readonly timing: Timing;
  readonly explain: ReportExplain;
  /** Its texts, which tables name by their places. */
  readonly strings: readonly string[];
}

/** Engines side by side. */
export interface ReportComparison {
  /** In the order given; the first is the base. Every list of values below is in this order. */
  readonly engines: readonly ComparedEngine[];
  /** Figures of the whole engines. */
  readonly totals: readonly ComparedTotal[];
  /** Layers by type. */
  readonly by_type: readonly ComparedType[];
  /** Layers by the type of their first input. */
  readonly by_precision: readonly ComparedPrecision[];
  /** Layers by the type of their first output. */
  readonly by_output_precision: readonly ComparedPrecision[];
  /** From where on a speed-up is coloured. */
  readonly threshold_ratio: number;
  readonly words: ReportWords;
  /** Any two engines. */
  readonly engine_pairs: readonly ReportEnginePair[];
  /** Time by operation of the source model, as columns. */
  readonly ledger: unknown;
  /** Texts of the ledger. */
  readonly strings: readonly string[];
  /** Section, key, and a text an engine. */
  readonly summaries: readonly (readonly (string | null)[])[];
}

/** What made the document. */
export interface Generator {
  /** planex. */
  readonly name: string;
  /** Its version. */
  readonly version: string;
}

/** An engine that is served. */
export interface ListedEngine {
  /** What addresses name the engine by. */
  readonly id: string;
  /** Where it lies, as the path was given. */
  readonly place: string;
  /** Its files were sent by a page and are held in memory. */
  readonly is_dropped: boolean;
  /** Figures follow where it is ready. */
  readonly state: 'waiting' | 'ready' | 'failed';
  /** Its files changed, and what is said is of before. */
  readonly is_stale: boolean;
  /** Why it can't be read; several lines. */
  readonly error: string | null;
  /** When the last of its files was written, since 1970 (UTC). */
  readonly modified_ms: number | null;
  /** Of its files, as far as they are known. */
  readonly size_bytes: number;
  /** The first sentence of its summary; null: nothing stands out. */
  readonly headline?: string | null;
  /** Its name. */
  readonly name?: string | null;
  /** tensorrt, tensorrt-rtx, openvino or onnxruntime. */
  readonly producer?: string | null;
  /** Version of the producer. */
  readonly producer_version?: string | null;
  /** What it was built for or measured on. */
  readonly device?: string | null;
  /** How much its files tell. */
  readonly detail?: string | null;
  /** In which most of the layer time runs. */
  readonly precision?: string | null;
  /** First dimension of its first input. */
  readonly batch_size?: number | null;
  /** Median of the inferences, without a profiler. */
  readonly end_to_end_median_ms?: number | null;
  /** The sum over the layers, of what basis says. */
  readonly layers_ms?: number | null;
  /** Which times of layers. */
  readonly basis?: 'mean' | 'median' | null;
  /** Layers that do work. */
  readonly layer_count?: number;
  /** Weights. */
  readonly weight_bytes?: number | null;
  /** Time at the device's limits as a ratio of the measured time, of layers whose work is known, as explain speed has it; null without a known device. */
  readonly reached_ratio?: number | null;
  /** What lint found. */
  readonly findings?: FindingCounts;
}

/** A run of an engine that was run before. */
export interface TrendPoint {
  /** The engine. */
  readonly id: string;
  /** When its files were written, since 1970 (UTC). */
  readonly modified_ms: number;
  /** Median of its inferences. */
  readonly end_to_end_median_ms: number;
  /** Against the run before, as a ratio of it; null for the first. */
  readonly change_ratio: number | null;
}

/** A column of a table. */
export interface TableColumn {
  /** Its name. */
  readonly name: string;
  /** Of its values; null where every value is null. */
  readonly type: 'text' | 'int64' | 'double' | 'mixed' | null;
  /** ms, us, bytes, ratio, count and so on. */
  readonly unit: string | null;
}

/** How the engine was made, or is made again. */
export interface ReportCommand {
  /** recorded: a log or a manifest has the command line; options: a file has the program's options; made: planex's own, with what the files tell. */
  readonly origin: 'recorded' | 'options' | 'made';
  /** A phrase. */
  readonly what: string;
  /** One line for a shell. */
  readonly command: string;
  /** Where it is recorded; null: made. */
  readonly file: string | null;
}

/** A file that lay beside those that were read. */
export interface LeftOutFile {
  /** Its path. */
  readonly file: string;
  /** What it was recognized as. */
  readonly kind: string | null;
  /** Its size. */
  readonly size_bytes: number;
  /** Why it was left out. */
  readonly reason: string | null;
}

/** One engine in figures. */
export interface Summary {
  /** The document and its version. */
  readonly schema: 'planex.summary/2';
  readonly engine: Engine;
  /** Inputs of the engine. */
  readonly inputs: readonly Binding[];
  /** Outputs of the engine. */
  readonly outputs: readonly Binding[];
  /** Layers that do work. */
  readonly layer_count: number;
  /** All records of the engine. */
  readonly record_count: number;
  /** Tensors. */
  readonly tensor_count: number;
  /** Weights, each constant once. */
  readonly weight_bytes: number | null;
  /** Traffic: inputs and outputs, a tensor once per use. */
  readonly activation_bytes: number | null;
  /** Activation traffic and weights. */
  readonly footprint_bytes: number | null;
  /** Multiply-accumulates. */
  readonly macs: number | null;
  /** Operations: 2 per multiply-accumulate. */
  readonly flops: number | null;
  /** Layers whose bytes are not known: the sums are lower bounds. */
  readonly layers_without_bytes: number;
  /** Layers whose work is not known: the sums are lower bounds. */
  readonly layers_without_flops: number;
  /** Layers that do work and whose bytes moved are not known: footprint_bytes is a lower bound. */
  readonly layers_without_footprint: number;
  /** Of the shown optimization profile; null where it is not known. */
  readonly memory: Memory;
  readonly time: Time;
  /** Whether the times of inferences are steady; null without them. */
  readonly steady_state: SteadyFigures | null;
  /** By time, descending. */
  readonly by_type: readonly TypeGroup[];
  /** By the type that layers read. */
  readonly by_precision: readonly PrecisionGroup[];
  /** By the type that layers write. */
  readonly by_output_precision: readonly PrecisionGroup[];
  /** The slowest, slowest first. */
  readonly top_layers: readonly TopLayer[];
  /** Layers that only change type or layout (layers.is_reformat); null where it is known of none whether it does. */
  readonly reformats: ReformatLoad | null;
  /** What planex lint found. */
  readonly findings: FindingCounts;
  /** Odd things in the files, by kind. */
  readonly diagnostics: readonly DiagnosticGroup[];
  /** The summary in words. */
  readonly conclusion: Conclusion | null;
  /** Files that would tell more. */
  readonly missing: readonly MissingPiece[];
}

/** What is worth changing, or doubtful. */
export interface Finding {
  /** Permanent id of the rule. */
  readonly rule: string;
  /** How much it matters. */
  readonly severity: 'error' | 'warning' | 'info';
  /** The layer; null: the engine. */
  readonly layer_id: number | null;
  /** Its name. */
  readonly layer: string | null;
  /** What was found. */
  readonly message: string;
  /** The figures behind it. */
  readonly evidence: string;
  /** What a fix saves at most per inference. */
  readonly estimated_ms: number | null;
  /** How that is known; or why it is not. */
  readonly estimate_method: string | null;
  /** What the estimate adds up; empty where nothing is known of single layers. */
  readonly savings: readonly Saving[];
  /** What to do. */
  readonly fix: string;
  /** The same from build to build: what waivers and baselines may name. */
  readonly fingerprint: string;
  /** Why it is not shown and not counted; null where it is. */
  readonly suppressed: Suppression | null;
  /** The finding, by its place in this list, whose fix takes this one away as well: its symptom, which no count includes. */
  readonly folded_into: number | null;
  /** The findings that fold into this one. */
  readonly symptoms: readonly number[];
}

/** A rule, and what came of it. */
export interface RuleStatus {
  /** Permanent id. */
  readonly id: string;
  /** Whose engines it is about. */
  readonly pack: 'generic' | 'tensorrt' | 'tensorrt-rtx' | 'openvino' | 'onnxruntime';
  /** The highest of its findings, after --severity. */
  readonly severity: 'error' | 'warning' | 'info';
  /** When it fires. */
  readonly summary: string;
  /** Whether it ran, and fired. */
  readonly status: 'fired' | 'silent' | 'skipped';
  /** Why it was skipped, or what it could not judge. */
  readonly reason: string | null;
  /** Why it matters. */
  readonly rationale: string | null;
  /** What to do, in general. */
  readonly fix: string | null;
  /** What its findings show. */
  readonly evidence: string | null;
  /** How its estimates are made. */
  readonly estimate: string | null;
  /** Where the knowledge is from. */
  readonly source: string | null;
  /** Findings that are shown. */
  readonly count: number;
  /** Findings that are waived or in the baseline. */
  readonly suppressed_count: number;
  /** Findings that fold into those of other rules. */
  readonly folded_count: number;
  /** What fixes save per inference; a layer counts once. */
  readonly estimated_ms: number | null;
}

/** Sums over findings. */
export interface ReportLint {
  /** Of the findings that are shown. */
  readonly counts: LintCounts;
  /** Of the others. */
  readonly suppressed_counts: SuppressedCounts;
  /** Findings that are symptoms of others. */
  readonly folded_count: number;
  /** Each waiver and what became of it. */
  readonly waivers: readonly WaiverUse[];
  /** Null without --baseline. */
  readonly baseline: BaselineUse | null;
  /** Of all findings together; rules overlap, so it is less than their sum. */
  readonly estimated_ms: number | null;
  /** Where the gain of all fixes lies, end to end, if they do as well as those whose gain was measured; null without an estimate. */
  readonly estimate_band: EstimateBand | null;
}

/** A finding that another engine does not have in the same place. */
export interface SolvedElsewhere {
  /** Position in this engine's `findings`. */
  readonly finding: number;
  /** Position of the other engine. */
  readonly engine: number;
  /** Ids of the layers of the place in this engine. */
  readonly here: readonly number[];
  /** In the other one; may be empty. */
  readonly there: readonly number[];
  /** Sum of their times here. */
  readonly here_ms: number;
  /** Sum of their times there. */
  readonly there_ms: number;
  /** there_ms - here_ms. */
  readonly delta_ms: number;
}

/** How steady one engine ran. */
export interface Timing {
  /** The document and its version. */
  readonly schema: 'planex.timing/2';
  readonly engine: Producer;
  /** Whether the figures can be trusted, and which of them. */
  readonly conclusion: Headline;
  /** The verdict in words; empty without samples, or with too few. */
  readonly remarks: readonly TimingRemark[];
  /** Whole inferences. */
  readonly end_to_end: EndToEnd | null;
  /** Of the whole inferences. */
  readonly histogram: Histogram | null;
  /** Whether the times of inferences are steady; null without them. */
  readonly steady_state: SteadyState | null;
  /** Every timing field that the file has, the end-to-end one first. */
  readonly samples: TimingSamples;
  /** From the layers' times to that of an inference, in steps that add up. */
  readonly waterfall: readonly WaterfallStep[];
}

/** The figures of `planex explain`, a member a topic. */
export interface ReportExplain {
  /** What fills its memory. */
  readonly memory: ExplainMemory;
  /** Where types change. */
  readonly precision: ReportPrecision;
  /** Why it converts. */
  readonly reformats: ReportReformats;
  /** How near layers come to the device's limits. */
  readonly speed: ReportSpeed;
  /** What repeats. */
  readonly blocks: ReportBlocks;
  /** What pointwise layers compute. */
  readonly pointwise: ReportPointwise;
  /** Windows of convolutions. */
  readonly windows: ReportWindows;
}

/** One of the engines. */
export interface ComparedEngine {
  /** Its name. */
  readonly name: string;
  /** Short and unique here. */
  readonly label: string;
  /** What compiled it. */
  readonly producer: string | null;
  /** Version of that. */
  readonly producer_version: string | null;
  /** What it was built for or measured on. */
  readonly device: string | null;
  /** First dimension of its first input, where it is a batch. */
  readonly batch_size: number | null;
  /** What the times of layers are; null where there are none. */
  readonly time_basis: 'mean' | 'median' | null;
}

/** One figure of every engine. */
export interface ComparedTotal {
  /** Permanent id. */
  readonly metric: string;
  /** What it is, in words. */
  readonly label: string;
  /** Of the values; share: 0 to 1; ratio: a factor. */
  readonly unit: 'ms' | 'ratio' | 'share' | 'count' | 'bytes' | 'flops' | 'us' | 'per_s';
  /** Which values are better. */
  readonly better: 'lower' | 'higher' | 'none';
  /** One for each engine. */
  readonly values: readonly (number | null)[];
  /** Of these engines it says what other rows say; the terminal leaves it out. */
  readonly is_detail: boolean;
}

/** Layers of each engine, one value an engine. */
export interface ComparedType {
  /** Type in the producer's terms. */
  readonly type: string | null;
  /** What layers of the type do, in terms common to all producers. */
  readonly family?: 'convolution' | 'gemm' | 'opaque' | 'pointwise' | 'norm' | 'pool' | 'shuffle' | 'plugin' | 'reformat' | 'other';
  /** Sum of their median times. */
  readonly median_ms: readonly (number | null)[];
  /** Sum of their mean times. */
  readonly mean_ms: readonly (number | null)[];
  /** How many. */
  readonly count: readonly (number | null)[];
  /** Of the sum of the engine's layer times. */
  readonly share: readonly (number | null)[];
  /** Median time, else mean, for one item of the engine's batch. */
  readonly item_ms: readonly (number | null)[];
  /** The first engine's time divided by this one's. */
  readonly speed_up: readonly (number | null)[];
}

/** Layers of each engine, one value an engine. */
export interface ComparedPrecision {
  /** The type. */
  readonly precision: string | null;
  /** What layers of the type do, in terms common to all producers. */
  readonly family?: 'convolution' | 'gemm' | 'opaque' | 'pointwise' | 'norm' | 'pool' | 'shuffle' | 'plugin' | 'reformat' | 'other';
  /** Sum of their median times. */
  readonly median_ms: readonly (number | null)[];
  /** Sum of their mean times. */
  readonly mean_ms: readonly (number | null)[];
  /** How many. */
  readonly count: readonly (number | null)[];
  /** Of the sum of the engine's layer times. */
  readonly share: readonly (number | null)[];
  /** Median time, else mean, for one item of the engine's batch. */
  readonly item_ms: readonly (number | null)[];
  /** The first engine's time divided by this one's. */
  readonly speed_up: readonly (number | null)[];
}

/** The words that numbers in columns stand for. */
export interface ReportWords {
  /** How layers were paired. */
  readonly match: readonly string[];
  /** What changed, a bit each. */
  readonly change: readonly string[];
  /** Causes. */
  readonly cause: readonly string[];
  /** How noise is known. */
  readonly noise: readonly string[];
  /** How a layer's time was split. */
  readonly spread: readonly string[];
}

/** Two engines, and their layers in pairs. */
export interface ReportEnginePair {
  /** Position of the first engine. */
  readonly a: number;
  /** Position of the second engine. */
  readonly b: number;
  /** The second against the first, and the other way round. */
  readonly directions: readonly ReportDirection[];
  /** Layers in pairs, as columns. */
  readonly pairs: unknown;
}

/** Findings by severity. */
export interface FindingCounts {
  /** Errors. */
  readonly error: number;
  /** Warnings. */
  readonly warning: number;
  /** Hints. */
  readonly info: number;
}

/** An engine, and how that is known. */
export interface Engine {
  /** Name of the engine. */
  readonly name: string;
  /** tensorrt, tensorrt-rtx, openvino or onnxruntime. */
  readonly producer: string | null;
  /** Version of the producer, as exactly as the files tell. */
  readonly producer_version: string | null;
  /** How the version is known. */
  readonly version_evidence: string | null;
  /** The reader that made this model. */
  readonly importer: string | null;
  /** full; log: short lines of a log; names-only; no-layers: a log without any; failed: a build made no engine. */
  readonly detail: 'full' | 'log' | 'names-only' | 'no-layers' | 'failed' | null;
  /** What the engine was built for or measured on. */
  readonly device: string | null;
  /** First dimension of the first input, where it is a batch. */
  readonly batch_size: number | null;
  /** The optimization profile that is shown. */
  readonly profile_index: number | null;
}

/** An input or output of the engine. */
export interface Binding {
  /** Its name. */
  readonly name: string;
  /** -1 is a dynamic dimension; null where the file does not say. */
  readonly dims: readonly number[] | null;
  /** FP32, FP16, INT8, …. */
  readonly dtype: 'FP64' | 'FP32' | 'TF32' | 'FP16' | 'BF16' | 'FP8' | 'FP4' | 'INT64' | 'INT32' | 'INT16' | 'INT8' | 'INT4' | 'UINT64' | 'UINT32' | 'UINT16' | 'UINT8' | 'BOOL' | null;
  /** Memory layout. */
  readonly layout: string | null;
}

/** What the engine holds and moves. */
export interface Memory {
  /** Weights, each constant once. */
  readonly weight_bytes: number | null;
  /** Layers that may have weights and do not list them: with any, weight_bytes is a lower bound. */
  readonly layers_without_weights: number;
  /** Inputs and outputs of layers, a tensor once per use. */
  readonly traffic_bytes: number | null;
  /** Tensors that layers which do work read or write. */
  readonly tensor_count: number;
  /** Those, each once, in memory. */
  readonly tensor_bytes: number | null;
  /** Those, each once, their elements alone. */
  readonly tensor_data_bytes: number | null;
  /** Left out: with any, the sums are lower bounds. */
  readonly tensors_without_size: number;
  /** Counted as their elements alone. */
  readonly tensors_without_layout: number;
  /** The engine's inputs, which are the caller's. */
  readonly input_bytes: number | null;
  /** The engine's outputs, which are the caller's. */
  readonly output_bytes: number | null;
  /** The greatest scratch memory of one layer, as the layers tell. */
  readonly scratch_bytes: number | null;
  /** Of activations, in the order of execution. */
  readonly peak: SummaryPeak;
  /** As the builder reports it. */
  readonly reported_weight_bytes: number | null;
  /** As the builder reports it, scratch memory included. */
  readonly reported_activation_bytes: number | null;
  /** As the builder reports it: the greatest of one layer, an upper bound. */
  readonly reported_scratch_bytes: number | null;
  /** On the device for as long as an execution context lives. */
  readonly reported_device_persistent_bytes: number | null;
  /** On the host for as long as an execution context lives. */
  readonly reported_host_persistent_bytes: number | null;
}

/** From the times of layers to that of an inference. */
export interface Time {
  /** Sum of the layers' means. */
  readonly layers_mean_ms: number | null;
  /** Sum of the layers' medians. */
  readonly layers_median_ms: number | null;
  /** Which times of layers shares are of. */
  readonly share_basis: 'mean' | 'median' | null;
  /** Layers that do work and have no time though others have: the sums lack them. */
  readonly layers_without_time: number;
  /** Records that do no work and have a time, such as the condition of an If: with by_type they make Σ layers. */
  readonly other_records: OtherRecords;
  /** Whole inferences. */
  readonly end_to_end: EndToEnd | null;
  /** Of the whole inferences. */
  readonly histogram: Histogram | null;
  /** Sum of layers minus end to end. */
  readonly gap_ms: number | null;
  /** Whole inferences while layers were timed. */
  readonly profiled_median_ms: number | null;
  /** What timing a layer costs. */
  readonly overhead_us_per_layer: number | null;
  /** The profiler's step. */
  readonly resolution_us: number | null;
  /** Inferences per second. */
  readonly throughput_per_s: number | null;
}

/** Whether the times of inferences are steady. */
export interface SteadyFigures {
  /** The answer in a word. */
  readonly verdict: 'too-few' | 'steady' | 'steady-after-warm-up' | 'drifts' | 'steps' | 'two-modes';
  /** What matters, in one line. */
  readonly text: string;
  /** compute or latency. */
  readonly field: 'compute' | 'latency';
  /** Usable samples. */
  readonly sample_count: number;
  /** Samples that are no positive time. */
  readonly unusable_count: number;
  /** From the start of the first sample to the end of the last. */
  readonly duration_ms: number | null;
  /** Inferences that begin before an earlier one has ended. */
  readonly overlapping_share: number;
  /** Inferences that run at once, the 99th percentile. */
  readonly concurrent: number;
  /** Standard deviation ÷ mean of all usable samples. */
  readonly variation: number;
  /** Changes of level after the warm-up. */
  readonly step_count: number;
  /** Levels after the warm-up, by time. */
  readonly levels: readonly Level[];
  /** Null where there is none. */
  readonly warm_up: WarmUp | null;
  /** Null where there are too few samples. */
  readonly drift: Drift | null;
  /** Null where the trusted samples have one. */
  readonly modes: Modes | null;
  /** Null where there are none. */
  readonly spikes: Spikes | null;
  /** The samples to take figures from. */
  readonly trusted: TrustedFigures | null;
  readonly clocks: Clocks;
}

/** Layers of one type. */
export interface TypeGroup {
  /** What they share; null: not known. */
  readonly type: string | null;
  /** The type in terms common to all producers. */
  readonly family?: 'convolution' | 'gemm' | 'opaque' | 'pointwise' | 'norm' | 'pool' | 'shuffle' | 'plugin' | 'reformat' | 'other';
  /** Layers. */
  readonly count: number;
  /** Sum of medians. */
  readonly median_ms: number | null;
  /** Sum of means. */
  readonly mean_ms: number | null;
  /** Of the sum of layer times, 0 to 1. */
  readonly share: number | null;
}

/** Layers of one precision. */
export interface PrecisionGroup {
  /** What they share; null: not known. */
  readonly precision: string | null;
  /** The type in terms common to all producers. */
  readonly family?: 'convolution' | 'gemm' | 'opaque' | 'pointwise' | 'norm' | 'pool' | 'shuffle' | 'plugin' | 'reformat' | 'other';
  /** Layers. */
  readonly count: number;
  /** Sum of medians. */
  readonly median_ms: number | null;
  /** Sum of means. */
  readonly mean_ms: number | null;
  /** Of the sum of layer times, 0 to 1. */
  readonly share: number | null;
}

/** One of the slowest layers. */
export interface TopLayer {
  /** Position of the record in the engine's own list. */
  readonly layer_id: number;
  /** Its name. */
  readonly name: string;
  /** What the layer does, in the producer's terms. */
  readonly type: string;
  /** Median time of one inference. */
  readonly median_ms: number | null;
  /** Mean time of one inference. */
  readonly mean_ms: number | null;
  /** Of the sum of layer times. */
  readonly share: number | null;
}

/** Layers that only change type or layout. */
export interface ReformatLoad {
  /** Layers. */
  readonly count: number;
  /** Sum under the basis; null where none of them has a time. */
  readonly time_ms: number | null;
  /** Of Σ layers. */
  readonly share: number | null;
}

/** Diagnostics of one code. */
export interface DiagnosticGroup {
  /** Which kind. */
  readonly code: string;
  /** How much it matters. */
  readonly severity: 'error' | 'warning' | 'info';
  /** The first of its kind. */
  readonly message: string;
  /** How many there are. */
  readonly count: number;
  /** The file of the first. */
  readonly file: string | null;
}

/** The answer in words. */
export interface Conclusion {
  /** In one clause. */
  readonly headline: string;
  /** The numbers behind it. */
  readonly text: string;
}

/** A file that would tell more. */
export interface MissingPiece {
  /** Which kind of file. */
  readonly id: 'engine' | 'layer-details' | 'layer-information' | 'profile' | 'times' | 'source-model';
  /** The file. */
  readonly what: string;
  /** What is unknown without it. */
  readonly consequence: string;
  /** What would make it. */
  readonly command: string;
  /** It tells more, but nothing of such an engine lacks without it. */
  readonly is_optional: boolean;
}

/** What a fix saves of one layer. */
export interface Saving {
  /** The layer. */
  readonly layer_id: number;
  /** Of the layer's measured time. */
  readonly fraction: number;
  /** This finding's part; null: the layer was not measured. */
  readonly ms: number | null;
}

/** Why a finding is not shown. */
export interface Suppression {
  /** What suppresses it. */
  readonly by: 'waiver' | 'baseline';
  /** Its place in the file of waivers or in the baseline. */
  readonly entry: number;
  /** Why it is accepted. */
  readonly reason: string | null;
}

/** Findings that are shown. */
export interface LintCounts {
  /** Errors. */
  readonly error: number;
  /** Warnings. */
  readonly warning: number;
  /** Hints. */
  readonly info: number;
}

/** Findings that are not shown. */
export interface SuppressedCounts {
  /** Waived. */
  readonly waiver: number;
  /** In the baseline. */
  readonly baseline: number;
}

/** A waiver, and what became of it. */
export interface WaiverUse {
  /** The rule whose findings it is about. */
  readonly rule: string | null;
  /** The layer that they are about. */
  readonly layer: string | null;
  /** The layers, as a regular expression. */
  readonly layer_regex: string | null;
  /** The one finding. */
  readonly fingerprint: string | null;
  /** Why it is accepted. */
  readonly reason: string | null;
  /** Who accepted it. */
  readonly by: string | null;
  /** The last day on which it holds. */
  readonly expires: string | null;
  /** What became of it. */
  readonly state: 'holds' | 'expired' | 'unused' | 'not-judged' | 'unknown-rule';
  /** Findings it is about, also where another waiver came first. */
  readonly matched_count: number;
}

/** The baseline, and what became of it. */
export interface BaselineUse {
  /** Why its findings are accepted. */
  readonly reason: string | null;
  /** Its findings. */
  readonly count: number;
  /** Entries that no finding matches any more. */
  readonly resolved: readonly BaselineEntry[];
}

/** Where the gain of all fixes lies. */
export interface EstimateBand {
  /** The least. */
  readonly low_ms: number;
  /** The most. */
  readonly high_ms: number;
  /** Gained of predicted, the least. */
  readonly low_ratio: number;
  /** Gained of predicted, the most. */
  readonly high_ratio: number;
  /** Pairs of engines that the ratios are from. */
  readonly pair_count: number;
}

/** An engine, what made it, and what it ran on. */
export interface Producer {
  /** Name of the engine. */
  readonly name: string;
  /** tensorrt, tensorrt-rtx, openvino or onnxruntime. */
  readonly producer: string | null;
  /** Version of the producer, as exactly as the files tell. */
  readonly producer_version: string | null;
  /** What the engine was built for or measured on. */
  readonly device: string | null;
}

/** The answer in words. */
export interface Headline {
  /** In one clause. */
  readonly headline: string;
  /** The numbers behind it, where there are some. */
  readonly text: string | null;
}

/** One thing that times show. */
export interface TimingRemark {
  /** What it is about. */
  readonly id: 'warm-up' | 'drift' | 'steps' | 'values' | 'spikes' | 'clocks' | 'streams';
  /** In words. */
  readonly text: string;
}

/** Times of whole inferences, without a profiler. */
export interface EndToEnd {
  /** times: of the times file; log, report: summary in a log, or in a benchmark's report. */
  readonly source: 'times' | 'log' | 'report';
  /** compute or latency. */
  readonly field: 'compute' | 'latency';
  /** Inferences; null where that is not recorded. */
  readonly count: number | null;
  /** Mean. */
  readonly mean_ms: number | null;
  /** Median. */
  readonly median_ms: number | null;
  /** Least time. */
  readonly min_ms: number | null;
  /** Greatest time. */
  readonly max_ms: number | null;
  /** 90th percentile. */
  readonly p90_ms: number | null;
  /** 95th percentile. */
  readonly p95_ms: number | null;
  /** 99th percentile. */
  readonly p99_ms: number | null;
}

/** How many inferences took how long. */
export interface Histogram {
  /** Where the first bin begins. */
  readonly start_ms: number;
  /** Width of a bin. */
  readonly step_ms: number;
  /** Inferences in each bin. */
  readonly counts: readonly number[];
}

/** Whether the times of inferences are steady, in full. */
export interface SteadyState {
  /** The answer in a word. */
  readonly verdict: 'too-few' | 'steady' | 'steady-after-warm-up' | 'drifts' | 'steps' | 'two-modes';
  /** What matters, in one line. */
  readonly text: string;
  /** compute or latency. */
  readonly field: 'compute' | 'latency';
  /** Usable samples. */
  readonly sample_count: number;
  /** Samples that are no positive time. */
  readonly unusable_count: number;
  /** From the start of the first sample to the end of the last. */
  readonly duration_ms: number | null;
  /** Inferences that begin before an earlier one has ended. */
  readonly overlapping_share: number;
  /** Inferences that run at once, the 99th percentile. */
  readonly concurrent: number;
  /** Standard deviation ÷ mean of all usable samples. */
  readonly variation: number;
  /** Changes of level after the warm-up. */
  readonly step_count: number;
  /** Levels after the warm-up, by time. */
  readonly levels: readonly Level[];
  /** Null where there is none. */
  readonly warm_up: WarmUp | null;
  /** Null where there are too few samples. */
  readonly drift: Drift | null;
  /** Null where the trusted samples have one. */
  readonly modes: Modes | null;
  /** Null where there are none. */
  readonly spikes: Spikes | null;
  /** The samples to take figures from. */
  readonly trusted: TrustedFigures | null;
  readonly clocks: Clocks;
  /** Levels in their order. */
  readonly phases: readonly TimingPhase[];
  /** Changes of level after the warm-up. */
  readonly steps: readonly Step[];
  /** Levels that lasted for less than 2 % of the samples. */
  readonly excursions: readonly Excursion[];
  /** For a picture. */
  readonly series: TimingOverview;
}

/** Times of single inferences. */
export interface TimingSamples {
  /** Samples. */
  readonly count: number;
  /** The end-to-end one first. */
  readonly fields: readonly FieldSamples[];
}

/** A step from layer times to an inference's. */
export interface WaterfallStep {
  /** What it is. */
  readonly kind: 'type' | 'others' | 'layers' | 'between' | 'profiled' | 'overhead' | 'unexplained' | 'end-to-end' | 'to-device' | 'from-device' | 'rest' | 'latency';
  /** Begins at 0. */
  readonly is_sum: boolean;
  /** Type of the layers. */
  readonly type: string | null;
  /** The type in terms common to all producers. */
  readonly family: 'convolution' | 'gemm' | 'opaque' | 'pointwise' | 'norm' | 'pool' | 'shuffle' | 'plugin' | 'reformat' | 'other' | null;
  /** Layers, or records. */
  readonly count: number | null;
  /** Where it begins. */
  readonly from_ms: number;
  /** Where it ends. */
  readonly to_ms: number;
}

/** What memory is held when, and who holds the most. */
export interface ExplainMemory {
  /** The document and its version. */
  readonly schema: 'planex.explain-memory/2';
  /** Name of the engine. */
  readonly engine: string;
  readonly conclusion: MemoryConclusion;
  /** What is held beside, in words. */
  readonly other_memory_text: string | null;
  readonly peak: MemoryPeak;
  readonly other_memory: OtherMemory;
  /** What is held at the peak, greatest first. */
  readonly contributors: readonly PeakContributor[];
  /** Lists of one length, in execution order. */
  readonly frames: { readonly layer_id: readonly number[]; readonly live_bytes: readonly number[]; readonly scratch_bytes: readonly (number | null)[]; };
  /** given: by the file; packed: the greatest first, each at the lowest free place. */
  readonly offsets: 'given' | 'packed' | null;
  /** The end of the highest of the placed tensors. */
  readonly height_bytes: number | null;
  /** Memories of activations that have a size, one row each: on one stream those that a frame lies within add up to its live_bytes. */
  readonly tensors: { readonly tensor_id: readonly number[]; readonly dtype: readonly ('FP64' | 'FP32' | 'TF32' | 'FP16' | 'BF16' | 'FP8' | 'FP4' | 'INT64' | 'INT32' | 'INT16' | 'INT8' | 'INT4' | 'UINT64' | 'UINT32' | 'UINT16' | 'UINT8' | 'BOOL' | null)[]; readonly bytes: readonly number[]; readonly first_layer_id: readonly number[]; readonly last_layer_id: readonly number[]; readonly offset_bytes: readonly (number | null)[]; };
}

/** Where the precision changes. */
export interface ReportPrecision {
  /** The document and its version. */
  readonly schema: 'planex.report-precision/1';
  /** Which times of layers. */
  readonly time_basis: 'mean' | 'median' | null;
  /** Sum over all layers. */
  readonly layers_time_ms: number | null;
  readonly totals: PrecisionTotals;
  /** Most time first; they add up to the engine. */
  readonly transitions: readonly PrecisionChange[];
  /** What islands are islands in: quantized: floats between quantized layers; half: FP32 between FP16 or BF16 layers; none: one precision only. */
  readonly island_base: 'none' | 'quantized' | 'half';
  /** Layers that read another type than their `precision` says. */
  readonly read_dtype: ColumnTable<ReportReadType>;
  /** Most time first. */
  readonly islands: ColumnTable<ReportIsland>;
}

/** Why an engine converts. */
export interface ReportReformats {
  /** The document and its version. */
  readonly schema: 'planex.report-reformats/2';
  /** Which times of layers. */
  readonly time_basis: 'mean' | 'median' | null;
  /** Sum of all layers, which shares are of. */
  readonly layers_time_ms: number | null;
  readonly totals: ReformatTotals;
  /** By what they do; kinds that there are. */
  readonly by_kind: readonly ReformatKind[];
  /** By the producer's types, most time first. */
  readonly by_type: readonly ReformatType[];
  /** By origin, most time first. */
  readonly by_origin: readonly ReformatOrigin[];
  /** Chains of conversions, the most time first. */
  readonly groups: ColumnTable<ReportReformatGroup>;
  /** In execution order. */
  readonly reformats: ColumnTable<ReportReformat>;
}

/** How near each layer comes to the device's limits. */
export interface ReportSpeed {
  /** The document and its version. */
  readonly schema: 'planex.report-speed/2';
  readonly device: SpeedDevice;
  /** Which times of layers. */
  readonly basis: 'mean' | 'median' | null;
  /** Σ layers: total.time_ms + others_ms. */
  readonly layers_time_ms: number | null;
  /** Time of records that do no work. */
  readonly others_ms: number | null;
  /** time_ms = bound_ms + headroom_ms + unknown_bound_ms. */
  readonly total: SpeedTotal;
  /** By headroom_ms, descending. */
  readonly by_type: readonly SpeedOfType[];
  readonly best_seen: SpeedBestSeen;
  readonly faster_than_bound: FasterThanBound;
  /** What the fastest layer takes. */
  readonly floor_ms: number | null;
  readonly overhead: SpeedOverhead;
  /** A row for each row of `layers`. */
  readonly layers: ColumnTable<ReportSpeedLayer>;
}

/** What an engine is made of, block by block. */
export interface ReportBlocks {
  /** The document and its version. */
  readonly schema: 'planex.report-blocks/2';
  /** Which times of layers. */
  readonly basis: 'mean' | 'median' | null;
  /** time_ms = in_blocks_ms + rest_ms; in_blocks_ms is of repeated blocks that are not nested. */
  readonly total: BlocksTotal;
  /** In execution order, a series before those in it. */
  readonly repeated: readonly RepeatedBlock[];
  /** In execution order. */
  readonly attention: ColumnTable<ReportAttention>;
  /** By time, descending. */
  readonly opaque: ColumnTable<ReportOpaque>;
}

/** What pointwise layers and generated kernels compute. */
export interface ReportPointwise {
  /** The document and its version. */
  readonly schema: 'planex.report-pointwise/1';
  /** Which times of layers. */
  readonly time_basis: 'mean' | 'median' | null;
  /** Sum of all layers, which shares are of. */
  readonly layers_time_ms: number | null;
  /** Sums over `layers`. */
  readonly all: LayerTotals;
  /** Of pointwise layers of which it is unknown. */
  readonly unknown: LayerTotals;
  /** By operation_count. */
  readonly groups: readonly ReportPointwiseGroup[];
  /** In execution order. */
  readonly layers: ColumnTable<ReportPointwiseLayer>;
}

/** The windows of an engine's convolutions. */
export interface ReportWindows {
  /** The document and its version. */
  readonly schema: 'planex.report-windows/1';
  /** In execution order. */
  readonly layers: ColumnTable<ReportWindow>;
}

/** One engine against another. */
export interface ReportDirection {
  readonly verdict: Verdict;
  /** The verdict as the terminal says it. */
  readonly verdict_sentence: string;
  /** Sum of layer times of the first engine. */
  readonly a_ms: number | null;
  /** Sum of layer times of the other one. */
  readonly b_ms: number | null;
  /** b less a. */
  readonly delta_ms: number | null;
  /** The difference of the sums of layer times by its greatest causes. */
  readonly sentence: string | null;
  /** So few layers match that the engines are likely of different models; then no speed-up is given. */
  readonly are_unrelated: boolean;
  /** What both engines tell and differ in. */
  readonly settings: readonly SettingDifference[];
  readonly counts: PairCounts;
  /** How far the times of pairs scatter of which nothing else is different; no change of a layer is called more than noise that is not more than this. Null of fewer than six. */
  readonly unchanged: UnchangedPairs | null;
  /** They add up to delta_ms. */
  readonly causes: readonly DifferenceCause[];
  /** All layers of a type as one, with the noise of the difference. */
  readonly types: readonly TypeDifference[];
}

/** Activations at their peak. */
export interface SummaryPeak {
  /** The most that activations take at once. */
  readonly bytes: number | null;
  /** The same with the scratch memory of the layers that run; null where no layer tells its own. */
  readonly with_scratch_bytes: number | null;
  /** Position of the record in the engine's own list. */
  readonly layer_id: number | null;
  /** Its name. */
  readonly layer: string | null;
  /** Tensors that are held there. */
  readonly tensor_count: number;
  /** Left out: with any, the peak is a lower bound. */
  readonly tensors_without_size: number;
  /** With several the peak is an upper bound. */
  readonly stream_count: number;
}

/** Records that do no work and have a time. */
export interface OtherRecords {
  /** Records. */
  readonly count: number;
  /** Sum of medians. */
  readonly median_ms: number | null;
  /** Sum of means. */
  readonly mean_ms: number | null;
  /** Of Σ layers. */
  readonly share: number | null;
  /** Each once, sorted. */
  readonly types: readonly string[];
}

/** Phases that are about as fast. */
export interface Level {
  /** Median. */
  readonly median_ms: number;
  /** Of the samples after the warm-up. */
  readonly share: number;
}

/** Samples before the times settle. */
export interface WarmUp {
  /** Position of the first sample, by start, from 0. */
  readonly first: number;
  /** Position of the last one. */
  readonly last: number;
  /** Samples in it that are usable. */
  readonly count: number;
  /** Since the start of the first sample; null where the file has no start times. */
  readonly start_ms: number | null;
  /** End of the last one, since the same. */
  readonly end_ms: number | null;
  /** Median of its first phase. */
  readonly from_ms: number;
  /** Median of what follows. */
  readonly to_ms: number;
}

/** A trend over all samples after the warm-up. */
export interface Drift {
  /** It is beyond chance, large enough to matter, and tells more than steps would. */
  readonly is_significant: boolean;
  /** From the end of the warm-up to the last sample, of the median. */
  readonly change_ratio: number;
  /** The same in 1000 samples. */
  readonly per_1000_samples_ratio: number;
  /** The same in a second. */
  readonly per_second_ratio: number | null;
  /** How likely it is by chance. */
  readonly p_value: number;
}

/** Two values that samples gather around. */
export interface Modes {
  /** The lower one. */
  readonly low_ms: number;
  /** The higher one. */
  readonly high_ms: number;
  /** Samples at the lower one, of the trusted ones. */
  readonly low_share: number;
  /** Samples at the higher one, of the trusted ones. */
  readonly high_share: number;
  /** high − low, of low. */
  readonly change_ratio: number;
  /** By how much two normal distributions are preferred to one. */
  readonly bic_gain: number;
  /** Samples from one change of side to the next. */
  readonly mean_run: number;
  /** Of the rarer side. */
  readonly period: Period | null;
}

/** Single samples far above their level. */
export interface Spikes {
  /** A spike is above its level times 1 + this. */
  readonly threshold_ratio: number;
  /** Spikes. */
  readonly count: number;
  /** Of the samples after the warm-up. */
  readonly share: number;
  /** What they take beyond the level, of all time. */
  readonly cost_share: number;
  /** Median of the spikes. */
  readonly median_ms: number | null;
  /** The greatest. */
  readonly max_ms: number | null;
  /** Bursts: one spike, or several close together. */
  readonly burst_count: number;
  /** Of bursts. */
  readonly period: Period | null;
  /** Of spikes within bursts. */
  readonly inner_period: Period | null;
}

/** The samples to take figures from. */
export interface TrustedFigures {
  /** Position of the first sample, by start, from 0. */
  readonly first: number;
  /** Position of the last one. */
  readonly last: number;
  /** Samples in it that are usable. */
  readonly count: number;
  /** Since the start of the first sample; null where the file has no start times. */
  readonly start_ms: number | null;
  /** End of the last one, since the same. */
  readonly end_ms: number | null;
  /** Of all usable samples. */
  readonly share: number;
  /** Median. */
  readonly median_ms: number;
  /** 95 % confidence interval of the median: from. */
  readonly median_low_ms: number;
  /** 95 % confidence interval of the median: to. */
  readonly median_high_ms: number;
  /** Mean. */
  readonly mean_ms: number;
  /** Least time. */
  readonly min_ms: number;
  /** Greatest time. */
  readonly max_ms: number;
  /** 90th percentile. */
  readonly p90_ms: number;
  /** 95th percentile. */
  readonly p95_ms: number;
  /** 99th percentile. */
  readonly p99_ms: number;
  /** Standard deviation ÷ mean. */
  readonly variation: number;
  /** Of neighbours, spikes clipped. */
  readonly autocorrelation: number;
  /** Independent samples that say as much about the level. */
  readonly effective_count: number;
}

/** Whether clocks changed during the measurement. */
export interface Clocks {
  /** A sign is there. None is no proof that they were locked. */
  readonly likely_unlocked: boolean;
  /** What speaks for it. */
  readonly signs: readonly ('steps' | 'warm-up' | 'drift' | 'modes')[];
}

/** A finding as it was. */
export interface BaselineEntry {
  /** Id of the rule. */
  readonly rule: string;
  /** The same from build to build. */
  readonly fingerprint: string;
  /** What the layer was called. */
  readonly layer: string | null;
  /** What was said. */
  readonly message: string | null;
}

/** Samples of one level. */
export interface TimingPhase {
  /** Position of the first sample, by start, from 0. */
  readonly first: number;
  /** Position of the last one. */
  readonly last: number;
  /** Samples in it that are usable. */
  readonly count: number;
  /** Since the start of the first sample; null where the file has no start times. */
  readonly start_ms: number | null;
  /** End of the last one, since the same. */
  readonly end_ms: number | null;
  /** Part of the warm-up. */
  readonly is_warm_up: boolean;
  /** Part of what figures are taken from. */
  readonly is_trusted: boolean;
  /** Median. */
  readonly median_ms: number;
  /** 1.4826 · median absolute deviation ÷ median: spread without spikes. */
  readonly spread_ratio: number;
  /** Median less that of the trusted samples, of the latter. */
  readonly change_ratio: number | null;
  /** Spikes in it. */
  readonly spike_count: number;
}

/** A change of level after the warm-up. */
export interface Step {
  /** Position of the first sample after it. */
  readonly at: number;
  /** Its start, since that of the first sample. */
  readonly at_ms: number | null;
  /** Median before it. */
  readonly before_ms: number;
  /** Median after it. */
  readonly after_ms: number;
  /** after_ms less before_ms, of before_ms. */
  readonly change_ratio: number;
}

/** A level that soon returned to the one before. */
export interface Excursion {
  /** Position of the first sample, by start, from 0. */
  readonly first: number;
  /** Position of the last one. */
  readonly last: number;
  /** Samples in it that are usable. */
  readonly count: number;
  /** Since the start of the first sample; null where the file has no start times. */
  readonly start_ms: number | null;
  /** End of the last one, since the same. */
  readonly end_ms: number | null;
  /** Median. */
  readonly median_ms: number;
  /** Of the median of its phase. */
  readonly change_ratio: number;
}

/** The series in equal parts. */
export interface TimingOverview {
  /** Median of each part. */
  readonly median_ms: readonly number[];
  /** Greatest time of each part. */
  readonly max_ms: readonly number[];
}

/** One timing field of the file. */
export interface FieldSamples {
  /** Which: a column of the table iterations, without its unit. */
  readonly field: 'latency' | 'compute' | 'enqueue' | 'h2d' | 'd2h';
  /** It is the end-to-end figure. */
  readonly is_end_to_end: boolean;
  /** The field that has the same time in every sample: bins and series are then left out. */
  readonly same_as: string | null;
  /** Of all usable samples. */
  readonly all: SampleFigures | null;
  /** Of the trusted samples. */
  readonly trusted: SampleFigures | null;
  /** Times are multiples of it: the clock's step, or the file's decimals. */
  readonly step_ms: number | null;
  /** Of the samples after the warm-up. */
  readonly bins: SampleBins | null;
  /** Of the middle alone, finer; null where that has room enough in bins. */
  readonly middle_bins: SampleBins | null;
  /** In a report only: the samples in at most 2000 equal parts. */
  readonly series?: SampleSeries;
}

/** The answer in words. */
export interface MemoryConclusion {
  /** The peak, or why it is not known. */
  readonly headline: string;
  /** Who holds it, and what would lower it. */
  readonly text: string | null;
}

/** When most memory is held, and by how much. */
export interface MemoryPeak {
  /** Activations that are held at once; null: not known. */
  readonly bytes: number | null;
  /** Position of the record in the engine's own list. */
  readonly layer_id: number | null;
  /** Its name. */
  readonly layer: string | null;
  /** The same with the scratch memory of layers; null where none tells its own. */
  readonly with_scratch_bytes: number | null;
  /** Tensors that are held at the peak. */
  readonly contributor_count: number;
  /** Streams; with several, bytes is an upper bound. */
  readonly stream_count: number;
  /** Tensors that are not in the sum, which is then a lower bound. */
  readonly tensors_without_size: number;
  /** Of the peak, what its layer reads or writes. */
  readonly used_bytes: number;
  /** Of the peak, what waits for later layers. */
  readonly live_through_bytes: number;
  /** Index into contributors: without which the peak is lowest; null where that is less than a hundredth lower. */
  readonly best_contributor_to_move: number | null;
}

/** What is held beside activations. */
export interface OtherMemory {
  /** Weights, biases and constants in their stored types. */
  readonly weight_bytes: number | null;
  /** The engine's inputs, which are the caller's. */
  readonly input_bytes: number | null;
  /** The engine's outputs, which are the caller's. */
  readonly output_bytes: number | null;
  /** Activations with scratch memory, as the builder reports them. */
  readonly reported_activation_bytes: number | null;
  /** Scratch memory, as the builder reports it. */
  readonly reported_scratch_bytes: number | null;
  /** What an execution context holds for as long as it lives, as the builder reports it. */
  readonly reported_device_persistent_bytes: number | null;
}

/** A tensor that is held at the peak. */
export interface PeakContributor {
  /** Row of the table of tensors. */
  readonly tensor_id: number;
  /** Its name. */
  readonly tensor: string;
  /** Its memory. */
  readonly bytes: number;
  /** The first layer that touches it. */
  readonly first_layer_id: number;
  /** The last layer that touches it. */
  readonly last_layer_id: number;
  /** Layers from the first to the last, both counted. */
  readonly span: number;
  /** bytes × span. */
  readonly byte_layers: number;
  /** The layer at the peak neither reads nor writes it: it waits for a later one. */
  readonly is_live_through: boolean;
  /** The peak, were it not held between the layers that touch it; null unless it is one of the largest that wait, on one stream. */
  readonly peak_without_bytes: number | null;
}

/** all = in_islands + outside_islands. */
export interface PrecisionTotals {
  /** All layers that do work. */
  readonly all: LayerTotals;
  /** Those that read and write two types. */
  readonly changing: LayerTotals;
  /** Those in islands. */
  readonly in_islands: LayerTotals;
  /** The others. */
  readonly outside_islands: LayerTotals;
}

/** Layers that read one type and write another. */
export interface PrecisionChange {
  /** Type of their first data input. */
  readonly from: 'FP64' | 'FP32' | 'TF32' | 'FP16' | 'BF16' | 'FP8' | 'FP4' | 'INT64' | 'INT32' | 'INT16' | 'INT8' | 'INT4' | 'UINT64' | 'UINT32' | 'UINT16' | 'UINT8' | 'BOOL' | null;
  /** Type of their first output. */
  readonly to: 'FP64' | 'FP32' | 'TF32' | 'FP16' | 'BF16' | 'FP8' | 'FP4' | 'INT64' | 'INT32' | 'INT16' | 'INT8' | 'INT4' | 'UINT64' | 'UINT32' | 'UINT16' | 'UINT8' | 'BOOL' | null;
  /** All of them: conversions + matrix + others. */
  readonly all: LayerTotals;
  /** Layers that only change type or layout. */
  readonly conversions: LayerTotals;
  /** Convolutions and matrix products. */
  readonly matrix: LayerTotals;
  /** The others. */
  readonly others: LayerTotals;
}

/** What a layer reads. */
export interface ReportReadType {
  /** Position of the record in the engine's own list. */
  readonly layer_id: number;
  /** Type that it reads. */
  readonly dtype: 'FP64' | 'FP32' | 'TF32' | 'FP16' | 'BF16' | 'FP8' | 'FP4' | 'INT64' | 'INT32' | 'INT16' | 'INT8' | 'INT4' | 'UINT64' | 'UINT32' | 'UINT16' | 'UINT8' | 'BOOL' | null;
}

/** Wide tensors that hang together. */
export interface ReportIsland {
  /** Where narrow layers are beside it. */
  readonly ends: 'between' | 'head' | 'stem' | 'alone';
  /** The first wide tensor in execution order. */
  readonly tensor: string | null;
  /** Its type. */
  readonly dtype: 'FP64' | 'FP32' | 'TF32' | 'FP16' | 'BF16' | 'FP8' | 'FP4' | 'INT64' | 'INT32' | 'INT16' | 'INT8' | 'INT4' | 'UINT64' | 'UINT32' | 'UINT16' | 'UINT8' | 'BOOL' | null;
  /** What writes it; null at the engine's input. */
  readonly writer_layer_id: number | null;
  /** Its wide tensors. */
  readonly tensor_count: number;
  /** Its layers in execution order. */
  readonly layer_ids: readonly number[];
  /** What each does in the island. */
  readonly roles: readonly string[];
  /** Moved in the wide types. */
  readonly wide_bytes: number | null;
  /** The same elements in the narrow type. */
  readonly narrow_bytes: number | null;
}

/** all = avoidable + needed + unclear. */
export interface ReformatTotals {
  /** All conversions. */
  readonly all: LayerTotals;
  /** Those that can go: avoidable_in_model + avoidable_by_caller. */
  readonly avoidable: LayerTotals;
  /** Those that go when the model changes. */
  readonly avoidable_in_model: LayerTotals;
  /** Those that go when the caller binds other formats. */
  readonly avoidable_by_caller: LayerTotals;
  /** Those that can't go. */
  readonly needed: LayerTotals;
  /** Those of which the file does not say enough. */
  readonly unclear: LayerTotals;
}

/** Conversions of one kind. */
export interface ReformatKind {
  /** What they do. */
  readonly kind: 'quantize' | 'dequantize' | 'round-trip' | 'cast' | 'layout' | 'copy' | 'unknown';
  /** Sums over them. */
  readonly totals: LayerTotals;
}

/** Conversions of one word. */
export interface ReformatType {
  /** The layer's type, in the producer's terms. */
  readonly type: string | null;
  /** Sums over them. */
  readonly totals: LayerTotals;
}

/** Conversions of one word. */
export interface ReformatOrigin {
  /** Why a reformat exists, as written: QDQ, REFORMAT, CONCAT, ... */
  readonly origin: string | null;
  /** Sums over them. */
  readonly totals: LayerTotals;
}

/** A chain of conversions. */
export interface ReportReformatGroup {
  /** What it begins with. */
  readonly tensor: string | null;
  /** What writes that. */
  readonly writer_layer_id: number | null;
}

/** A conversion, and why it is there. */
export interface ReportReformat {
  /** Position of the record in the engine's own list. */
  readonly layer_id: number;
  /** What it does. */
  readonly kind: 'quantize' | 'dequantize' | 'round-trip' | 'cast' | 'layout' | 'copy' | 'unknown';
  /** Row of `ports`: what it reads. */
  readonly from_port: number | null;
  /** Row of `ports`: what it writes. */
  readonly to_port: number | null;
  /** Type that it reads. */
  readonly from_dtype: 'FP64' | 'FP32' | 'TF32' | 'FP16' | 'BF16' | 'FP8' | 'FP4' | 'INT64' | 'INT32' | 'INT16' | 'INT8' | 'INT4' | 'UINT64' | 'UINT32' | 'UINT16' | 'UINT8' | 'BOOL' | null;
  /** Type that it writes. */
  readonly to_dtype: 'FP64' | 'FP32' | 'TF32' | 'FP16' | 'BF16' | 'FP8' | 'FP4' | 'INT64' | 'INT32' | 'INT16' | 'INT8' | 'INT4' | 'UINT64' | 'UINT32' | 'UINT16' | 'UINT8' | 'BOOL' | null;
  /** Words: type, layout, strides. */
  readonly differs: string | null;
  /** Before the chain: layer, port, layer, port, … */
  readonly producers: readonly number[];
  /** Behind the chain: layer, port, layer, port, … */
  readonly consumers: readonly number[];
  /** It converts an input of the engine. */
  readonly at_engine_input: boolean;
  /** It converts an output of the engine. */
  readonly at_engine_output: boolean;
  /** Whether it can go. */
  readonly verdict: 'avoidable' | 'needed' | 'unclear';
  /** Who can change that: model, caller or nobody. */
  readonly changed_by: 'model' | 'caller' | null;
  /** Why it is there. */
  readonly reason: 'writer-could-quantize' | 'addition-could-quantize' | 'before-pool' | 'reader-could-read-quantized' | 'share-one' | 'round-trip' | 'weights-at-run-time' | 'float-convolution' | 'bind-input' | 'quantized-input' | 'bind-output' | 'quantized-output' | 'kernel-choice' | 'reader-in-float' | 'model-casts' | 'float-writer' | 'writer-keeps-float' | 'float-reader' | 'float-precisions' | 'layout-of-neighbour' | 'channels' | 'edge-layout' | 'copies' | 'types-unknown' | null;
  /** How sure that is. */
  readonly confidence: 'high' | 'medium' | 'low' | null;
  /** The same in words. */
  readonly cause: string | null;
  /** What to change. */
  readonly advice: string | null;
  /** The format that the caller would hand over. */
  readonly io_format: string | null;
  /** The layer that causes it. */
  readonly cause_layer_id: number | null;
  /** What is worth a Q/DQ pair. */
  readonly tensors: readonly string[];
  /** Its chain: a row of `groups`. */
  readonly group: number;
}

/** What layers are held against. */
export interface SpeedDevice {
  /** The device, as the engine's files call it. */
  readonly reported_name: string | null;
  /** Why there are no limits. */
  readonly problem: string | null;
  /** What to do about it. */
  readonly hint: string | null;
  /** Which option helps. */
  readonly remedy: 'name' | 'probe' | 'describe' | null;
  /** Null where it is not known which device ran the engine. */
  readonly limits: DeviceLimits | null;
}

/** Sums over layers that do work. */
export interface SpeedTotal {
  /** Layers. */
  readonly count: number;
  /** Time of those that have one. */
  readonly time_ms: number | null;
  /** Bounds of those that have a time and a bound. */
  readonly bound_ms: number | null;
  /** Time of the same above their bounds. */
  readonly headroom_ms: number | null;
  /** Time of layers without a bound. */
  readonly unknown_bound_ms: number;
  /** bound_ms / (bound_ms + headroom_ms). */
  readonly reached: number | null;
  /** Layers that memory limits. */
  readonly memory_count: number;
  /** Layers that arithmetic limits. */
  readonly compute_count: number;
  /** Layers that do too little to take longer than a start. */
  readonly launch_count: number;
  /** Layers without a bound. */
  readonly unknown_count: number;
}

/** Sums over layers of one type. */
export interface SpeedOfType {
  /** Type of the layers. */
  readonly type: string | null;
  /** Layers. */
  readonly count: number;
  /** Time of those that have one. */
  readonly time_ms: number | null;
  /** Bounds of those that have a time and a bound. */
  readonly bound_ms: number | null;
  /** Time of the same above their bounds. */
  readonly headroom_ms: number | null;
  /** Time of layers without a bound. */
  readonly unknown_bound_ms: number;
  /** bound_ms / (bound_ms + headroom_ms). */
  readonly reached: number | null;
  /** Layers that memory limits. */
  readonly memory_count: number;
  /** Layers that arithmetic limits. */
  readonly compute_count: number;
  /** Layers that do too little to take longer than a start. */
  readonly launch_count: number;
  /** Layers without a bound. */
  readonly unknown_count: number;
}

/** The best that layers of this engine achieved. */
export interface SpeedBestSeen {
  /** Of layers that read all of their tensors, from memory. */
  readonly bandwidth: BestBandwidth | null;
  /** By type. */
  readonly flops: readonly BestFlops[];
}

/** Layers that are faster than their bounds. */
export interface FasterThanBound {
  /** Layers. */
  readonly count: number;
  /** By how much in all. */
  readonly ms: number;
  /** Layers that may read or write parts of their tensors. */
  readonly parts: number;
  /** Layers that read what was still in a cache. */
  readonly cache: number;
  /** Layers that multiply less than the product has, or ran at a higher clock. */
  readonly rate: number;
}

/** What of the times is the profiler's own. */
export interface SpeedOverhead {
  /** Of each layer. */
  readonly us_per_layer: number | null;
  /** In all. */
  readonly ms: number | null;
}

/** Bounds of one row of `layers`. */
export interface ReportSpeedLayer {
  /** bytes over the device's bandwidth. */
  readonly memory_ms: number | null;
  /** Its operations over the device's peak for rate_type. */
  readonly compute_ms: number | null;
  /** What the fastest layer takes. */
  readonly launch_ms: number | null;
  /** What it reads and writes at least, where not footprint_bytes. */
  readonly bytes: number | null;
  /** Which column is the bound; null: not known. */
  readonly limit: 'memory' | 'compute' | 'launch' | null;
  /** The type whose peak it is held against. */
  readonly rate_type: string | null;
  /** How that type is known. */
  readonly rate_evidence: string | null;
  /** Its bound by the best that any layer of this engine achieved. */
  readonly observed_bound_ms: number | null;
}

/** Sums over all layers that do work. */
export interface BlocksTotal {
  /** Layers that do work. */
  readonly layer_count: number;
  /** Those in repeated blocks. */
  readonly layers_in_blocks: number;
  /** The others. */
  readonly rest_count: number;
  /** Σ layers: time_ms + others_ms. */
  readonly layers_time_ms: number | null;
  /** Of records that do no work and have a time. */
  readonly others_ms: number | null;
  /** Time of layers that do work. */
  readonly time_ms: number | null;
  /** Time of those in repeated blocks. */
  readonly in_blocks_ms: number | null;
  /** Time of the others. */
  readonly rest_ms: number | null;
  /** Time of attention, in repeated blocks or not. */
  readonly attention_ms: number | null;
  /** Time of opaque layers, in repeated blocks or not. */
  readonly opaque_ms: number | null;
}

/** A part of the engine that repeats. */
export interface RepeatedBlock {
  /** Name of the series. */
  readonly name: string;
  /** Where the series is in the hierarchy. */
  readonly path: string;
  /** It is inside another series of the list, whose times have its own. */
  readonly is_nested: boolean;
  /** How often it is there. */
  readonly instance_count: number;
  /** Layers of all instances. */
  readonly layer_count: number;
  /** Sum of its layers' times under the basis. */
  readonly time_ms: number | null;
  /** Of Σ layers. */
  readonly share: number | null;
  /** Time of the fastest instance. */
  readonly instance_min_ms: number | null;
  /** Median time of an instance. */
  readonly instance_median_ms: number | null;
  /** Time of the slowest instance. */
  readonly instance_max_ms: number | null;
  /** (slowest - fastest) / median instance. */
  readonly spread: number | null;
  /** Instances that stand out. */
  readonly outliers: readonly BlockOutlier[];
}

/** Layers that compute attention. */
export interface ReportAttention {
  /** Its layers in execution order. */
  readonly layer_ids: readonly number[];
  /** How it is known: kernel, sources or graph. */
  readonly evidence: 'kernel' | 'sources' | 'graph';
  /** What was recognized. */
  readonly evidence_text: string | null;
}

/** A layer that hides others. */
export interface ReportOpaque {
  /** Position of the record in the engine's own list. */
  readonly layer_id: number;
  /** Operations of the source model in it. */
  readonly operation_count: number;
  /** The first node of the stretch that it hides. */
  readonly first: string | null;
  /** The last node of that stretch. */
  readonly last: string | null;
  /** Types of its operations, the most frequent first. */
  readonly part_types: readonly string[];
  /** How many of each type. */
  readonly part_counts: readonly number[];
}

/** Sums over some of an engine's layers. */
export interface LayerTotals {
  /** Layers. */
  readonly count: number;
  /** Sum of what is known. */
  readonly time_ms: number | null;
  /** Of the sum of all layer times. */
  readonly share: number | null;
  /** Activations read and written, without padding. */
  readonly io_bytes: number | null;
  /** Layers that the sum of times lacks. */
  readonly without_time: number;
  /** Layers that the sum of bytes lacks. */
  readonly without_bytes: number;
}

/** Layers that fuse as many operations. */
export interface ReportPointwiseGroup {
  /** Operations of each. */
  readonly operation_count: number;
  /** Sums over the layers. */
  readonly totals: LayerTotals;
  /** Their time over all their operations. */
  readonly ms_per_operation: number | null;
}

/** What a pointwise layer computes. */
export interface ReportPointwiseLayer {
  /** Position of the record in the engine's own list. */
  readonly layer_id: number;
  /** Operations that it fuses. */
  readonly operation_count: number;
  /** parameters: the layer lists them; name: the kernel's name does, cut to four letters. */
  readonly evidence: 'parameters' | 'name';
  /** Its operations, at most 64. */
  readonly operations: readonly string[];
}

/** The window of a convolution. */
export interface ReportWindow {
  /** Position of the record in the engine's own list. */
  readonly layer_id: number;
  /** Its size, a number for each spatial dimension. */
  readonly kernel: readonly number[];
  /** Its steps. */
  readonly stride: readonly number[];
  /** The distance of its elements. */
  readonly dilation: readonly number[];
  /** Groups of channels. */
  readonly groups: number | null;
  /** parameters: the layer lists it; operation: the ONNX operation it stems from; weights: the dims of its weights. */
  readonly evidence: 'parameters' | 'operation' | 'weights';
}

/** Whether the candidate is slower than the base. */
export interface Verdict {
  /** slower: the whole interval lies above 0; faster: below; within-noise: 0 is in it; unclear: see the reason; unknown: there is nothing to judge by. */
  readonly judgement: 'slower' | 'faster' | 'within-noise' | 'unclear' | 'unknown';
  /** Why there is no clear judgment. */
  readonly unclear_reason: 'none' | 'no-times' | 'layer-sums-only' | 'no-samples' | 'different-figures' | 'too-few-samples' | 'different-streams' | 'drift' | 'steps' | 'two-modes' | 'single-run';
  /** Where the times are from. */
  readonly source: 'samples' | 'summary' | 'layer-sum' | 'none';
  /** Which figure: compute or latency; null for sums of layers. */
  readonly field: string | null;
  /** Candidate divided by base, less 1. */
  readonly change_ratio: number | null;
  /** Lower end of the 95 % interval of change_ratio. */
  readonly low_ratio: number | null;
  /** Upper end of it. */
  readonly high_ratio: number | null;
  /** low_ratio without what runs differ by: how well these very runs are known. */
  readonly within_runs_low_ratio: number | null;
  /** The same of high_ratio. */
  readonly within_runs_high_ratio: number | null;
  /** Standard deviation of a run's median from run to run: measured or assumed. */
  readonly run_spread_ratio: number | null;
  /** It is measured: there are four runs or more. */
  readonly is_run_spread_measured: boolean;
  /** How far apart unchanged engines may come to lie by what runs differ by, in 95 of 100 comparisons. */
  readonly run_difference_ratio: number | null;
  /** The least true slow-down that would be judged slower in 9 of 10 such comparisons. */
  readonly detectable_ratio: number | null;
  /** Samples a run would have needed for its own error to be no greater than what runs differ by; null where more would not help. */
  readonly needed_sample_count: number | null;
  readonly base: VerdictSide;
  readonly candidate: VerdictSide;
  /** What the interval is, in words. */
  readonly method: string | null;
  readonly gate: VerdictGate;
}

/** What the engines were asked for. */
export interface SettingDifference {
  /** Permanent id. */
  readonly key: string;
  /** What it is, in words. */
  readonly label: string;
  /** What the first engine was asked for. */
  readonly a: string | null;
  /** What the other one was asked for. */
  readonly b: string | null;
}

/** How many pairs there are. */
export interface PairCounts {
  /** Layers of both engines. */
  readonly matched: number;
  /** Those of them that have a change. */
  readonly changed: number;
  /** Layers of the first engine alone. */
  readonly only_a: number;
  /** Layers of the other one alone. */
  readonly only_b: number;
}

/** Pairs of which nothing but the time differs. */
export interface UnchangedPairs {
  /** How many. */
  readonly pairs: number;
  /** What all of them are slower by, of the mean of both times; no noise. */
  readonly shift_ratio: number;
  /** Standard deviation around it, from the median of absolute deviations. */
  readonly scatter_ms: number;
}

/** What a part of the difference is of. */
export interface DifferenceCause {
  /** The cause. */
  readonly cause: 'reformats-removed' | 'reformats-added' | 'reformats-kept' | 'removed' | 'added' | 'fused' | 'split' | 'regrouped' | 'precision' | 'dims' | 'kernel' | 'same' | 'no-work';
  /** The cause in words. */
  readonly text: string;
  /** The cause as part of a sentence, without its time. */
  readonly clause: string;
  /** Pairs of that cause. */
  readonly pairs: number;
  /** Layers of the first engine. */
  readonly a_layers: number;
  /** Layers of the other one. */
  readonly b_layers: number;
  /** Their time in the first engine. */
  readonly a_ms: number | null;
  /** Their time in the other one. */
  readonly b_ms: number | null;
  /** b less a. */
  readonly delta_ms: number | null;
}

/** All layers of a type as one. */
export interface TypeDifference {
  /** Type in the producer's terms. */
  readonly type: string | null;
  /** Layers of the first engine. */
  readonly a_layers: number;
  /** Layers of the other one. */
  readonly b_layers: number;
  /** b less a; null where a layer has no time. */
  readonly delta_ms: number | null;
  /** Lower end of the 95 % interval of delta_ms. */
  readonly low_ms: number | null;
  /** Upper end of it. */
  readonly high_ms: number | null;
  /** The change is more than noise; null where the noise of the times is unknown. */
  readonly exceeds_noise: boolean | null;
}

/** Events that come regularly. */
export interface Period {
  /** Time from one to the next. */
  readonly period_ms: number | null;
  /** Samples from one to the next. */
  readonly period_samples: number;
  /** Which of the two is more regular. */
  readonly regular_in: 'time' | 'samples' | 'both';
  /** Events. */
  readonly event_count: number;
  /** Intervals that are one to three periods, of all. */
  readonly hit_ratio: number;
  /** How far hits are from the period at most, as a ratio. */
  readonly tolerance: number;
  /** How likely that is by chance. */
  readonly p_value: number;
}

/** Times of samples. */
export interface SampleFigures {
  /** Samples. */
  readonly count: number;
  /** Mean. */
  readonly mean_ms: number;
  /** Median. */
  readonly median_ms: number;
  /** Least time. */
  readonly min_ms: number;
  /** Greatest time. */
  readonly max_ms: number;
  /** 90th percentile. */
  readonly p90_ms: number;
  /** 95th percentile. */
  readonly p95_ms: number;
  /** 99th percentile. */
  readonly p99_ms: number;
}

/** How times are distributed. */
export interface SampleBins {
  /** Where the first bin begins. */
  readonly start_ms: number;
  /** Width of a bin. */
  readonly step_ms: number;
  /** Of the samples after the warm-up. */
  readonly counts: readonly number[];
  /** The trusted ones of them. */
  readonly trusted: readonly number[];
  /** Samples before the first bin. */
  readonly below: number;
  /** Samples behind the last one. */
  readonly above: number;
}

/** Samples in equal parts, by start. */
export interface SampleSeries {
  /** Position of the first sample of each part. */
  readonly first: readonly number[];
  /** Least usable time of each part. */
  readonly min_ms: readonly (number | null)[];
  /** Greatest usable time; left out where it is min_ms. */
  readonly max_ms?: readonly (number | null)[];
  /** Median of the usable samples around each part. */
  readonly running_ms: readonly (number | null)[];
  /** Start of each part's first sample; left out where a start is missing. */
  readonly start_ms?: readonly number[];
}

/** What the device can do at most. */
export interface DeviceLimits {
  /** The device, as the table of devices calls it. */
  readonly name: string;
  /** Where its peaks are from. */
  readonly source: string | null;
  /** Where its bandwidth is from. */
  readonly bandwidth_source: string | null;
  /** What the table says about it. */
  readonly note: string | null;
  /** Bandwidth of its memory. */
  readonly bytes_per_s: number | null;
  /** Operations per second of matrix units, by type. */
  readonly matrix_flops_per_s: Readonly<Record<string, number>>;
  /** Operations per second of vector units, by type. */
  readonly vector_flops_per_s: Readonly<Record<string, number>>;
  /** Sentences: what was scaled, derived or left open. */
  readonly remarks: readonly string[];
}

/** The best of the engine's own layers. */
export interface BestBandwidth {
  /** What it achieved. */
  readonly bytes_per_s: number;
  /** Position of the record in the engine's own list. */
  readonly layer_id: number;
  /** Its name. */
  readonly layer: string;
}

/** The best of a type. */
export interface BestFlops {
  /** Type of the operations. */
  readonly type: 'FP64' | 'FP32' | 'TF32' | 'FP16' | 'BF16' | 'FP8' | 'FP4' | 'INT64' | 'INT32' | 'INT16' | 'INT8' | 'INT4' | 'UINT64' | 'UINT32' | 'UINT16' | 'UINT8' | 'BOOL';
  /** What it achieved. */
  readonly flops_per_s: number;
  /** Position of the record in the engine's own list. */
  readonly layer_id: number;
  /** Its name. */
  readonly layer: string;
}

/** An instance that stands out. */
export interface BlockOutlier {
  /** Which one. */
  readonly name: string;
  /** Its time. */
  readonly time_ms: number | null;
  /** Its time over that of the median instance. */
  readonly ratio: number | null;
  /** Its types, precisions or edges are not those of most instances. */
  readonly has_other_shape: boolean;
}

/** One side of a comparison: a run, or several. */
export interface VerdictSide {
  /** Runs of the engine. */
  readonly run_count: number;
  /** Geometric mean of the medians of the runs. */
  readonly median_ms: number | null;
  /** Samples of all runs. */
  readonly sample_count: number;
  /** The greatest deviation of a run's median from median_ms; 0 for one run. */
  readonly greatest_deviation_ratio: number;
}

/** Whether a slow-down fails. */
export interface VerdictGate {
  /** off; passed: the whole interval lies at or below the threshold; failed: above it; undecided: the interval has the threshold in it; unknown: nothing to judge by. */
  readonly result: 'off' | 'passed' | 'failed' | 'undecided' | 'unknown';
  /** The slow-down that fails. */
  readonly threshold_ratio: number | null;
  /** What the gate judges by: as low_ratio of the verdict, for a machine that holds its clock where no run was repeated. */
  readonly low_ratio: number | null;
  /** The other end of that interval. */
  readonly high_ratio: number | null;
  /** The least true slow-down that would fail in 9 of 10 such comparisons. */
  readonly detectable_ratio: number | null;
  /** The gate says no. */
  readonly fails: boolean;
}

export const readReport: Reader<Report> = /* @__PURE__ */ r.objectOf(() => ({
  schema: r.oneOf('planex.report/2'),
  generator: r.later(() => readReportGenerator),
  engines: r.listOf(r.later(() => readReportEngine)),
  comparison: r.orNull(r.later(() => readReportComparison)),
}));
export const readEngines: Reader<Engines> = /* @__PURE__ */ r.objectOf(() => ({
  schema: r.oneOf('planex.engines/1'),
  generator: r.later(() => readGenerator),
  is_searching: r.truth,
  left_out: r.orNull(r.text),
  places: r.listOf(r.text),
  engines: r.listOf(r.later(() => readListedEngine)),
  trends: r.listOf(r.listOf(r.later(() => readTrendPoint))),
}));
export const readOpened: Reader<Opened> = /* @__PURE__ */ r.objectOf(() => ({
  schema: r.oneOf('planex.opened/1'),
  ids: r.listOf(r.text),
}));
export const readErrorReply: Reader<ErrorReply> = /* @__PURE__ */ r.objectOf(() => ({
  schema: r.oneOf('planex.error/1'),
  code: r.oneOf('usage', 'not-found', 'bad-input', 'unsupported', 'external-tool', 'io', 'cancelled', 'internal'),
  message: r.text,
  file: r.orNull(r.text),
  context: r.orNull(r.text),
  hint: r.orNull(r.text),
}));
export const readQuery: Reader<Query> = /* @__PURE__ */ r.objectOf(() => ({
  schema: r.oneOf('planex.query/1'),
  columns: r.listOf(r.later(() => readTableColumn)),
  rows: r.listOf(r.listOf(r.orNull(r.scalar))),
}));
export const readReportGenerator: Reader<ReportGenerator> = /* @__PURE__ */ r.objectOf(() => ({
  name: r.text,
  version: r.text,
  command: r.orNull(r.text),
}));
export const readReportEngine: Reader<ReportEngine> = /* @__PURE__ */ r.objectOf(() => ({
  label: r.text,
  path: r.orNull(r.text),
  commands: r.listOf(r.later(() => readReportCommand)),
  left_out: r.listOf(r.later(() => readLeftOutFile)),
  summary: r.later(() => readSummary),
  tables: r.anything,
  graph: r.anything,
  findings: r.listOf(r.later(() => readFinding)),
  rules: r.listOf(r.later(() => readRuleStatus)),
  lint: r.later(() => readReportLint),
  elsewhere: r.listOf(r.later(() => readSolvedElsewhere)),
  timing: r.later(() => readTiming),
  explain: r.later(() => readReportExplain),
  strings: r.listOf(r.text),
}));
export const readReportComparison: Reader<ReportComparison> = /* @__PURE__ */ r.objectOf(() => ({
  engines: r.listOf(r.later(() => readComparedEngine)),
  totals: r.listOf(r.later(() => readComparedTotal)),
  by_type: r.listOf(r.later(() => readComparedType)),
  by_precision: r.listOf(r.later(() => readComparedPrecision)),
  by_output_precision: r.listOf(r.later(() => readComparedPrecision)),
  threshold_ratio: r.real,
  words: r.later(() => readReportWords),
  engine_pairs: r.listOf(r.later(() => readReportEnginePair)),
  ledger: r.anything,
  strings: r.listOf(r.text),
  summaries: r.listOf(r.listOf(r.orNull(r.text))),
}));
export const readGenerator: Reader<Generator> = /* @__PURE__ */ r.objectOf(() => ({
  name: r.text,
  version: r.text,
}));
export const readListedEngine: Reader<ListedEngine> = /* @__PURE__ */ r.objectOf(() => ({
  id: r.text,
  place: r.text,
  is_dropped: r.truth,
  state: r.oneOf('waiting', 'ready', 'failed'),
  is_stale: r.truth,
  error: r.orNull(r.text),
  modified_ms: r.orNull(r.integer),
  size_bytes: r.integer,
  headline: r.optional(r.orNull(r.text)),
  name: r.optional(r.orNull(r.text)),
  producer: r.optional(r.orNull(r.text)),
  producer_version: r.optional(r.orNull(r.text)),
  device: r.optional(r.orNull(r.text)),
  detail: r.optional(r.orNull(r.text)),
  precision: r.optional(r.orNull(r.text)),
  batch_size: r.optional(r.orNull(r.integer)),
  end_to_end_median_ms: r.optional(r.orNull(r.real)),
  layers_ms: r.optional(r.orNull(r.real)),
  basis: r.optional(r.orNull(r.oneOf('mean', 'median'))),
  layer_count: r.optional(r.integer),
  weight_bytes: r.optional(r.orNull(r.integer)),
  reached_ratio: r.optional(r.orNull(r.real)),
  findings: r.optional(r.later(() => readFindingCounts)),
}));
export const readTrendPoint: Reader<TrendPoint> = /* @__PURE__ */ r.objectOf(() => ({
  id: r.text,
  modified_ms: r.integer,
  end_to_end_median_ms: r.real,
  change_ratio: r.orNull(r.real),
}));
export const readTableColumn: Reader<TableColumn> = /* @__PURE__ */ r.objectOf(() => ({
  name: r.text,
  type: r.orNull(r.oneOf('text', 'int64', 'double', 'mixed')),
  unit: r.orNull(r.text),
}));
export const readReportCommand: Reader<ReportCommand> = /* @__PURE__ */ r.objectOf(() => ({
  origin: r.oneOf('recorded', 'options', 'made'),
  what: r.text,
  command: r.text,
  file: r.orNull(r.text),
}));
export const readLeftOutFile: Reader<LeftOutFile> = /* @__PURE__ */ r.objectOf(() => ({
  file: r.text,
  kind: r.orNull(r.text),
  size_bytes: r.integer,
  reason: r.orNull(r.text),
}));
export const readSummary: Reader<Summary> = /* @__PURE__ */ r.objectOf(() => ({
  schema: r.oneOf('planex.summary/2'),
  engine: r.later(() => readEngine),
  inputs: r.listOf(r.later(() => readBinding)),
  outputs: r.listOf(r.later(() => readBinding)),
  layer_count: r.integer,
  record_count: r.integer,
  tensor_count: r.integer,
  weight_bytes: r.orNull(r.integer),
  activation_bytes: r.orNull(r.integer),
  footprint_bytes: r.orNull(r.integer),
  macs: r.orNull(r.integer),
  flops: r.orNull(r.integer),
  layers_without_bytes: r.integer,
  layers_without_flops: r.integer,
  layers_without_footprint: r.integer,
  memory: r.later(() => readMemory),
  time: r.later(() => readTime),
  steady_state: r.orNull(r.later(() => readSteadyFigures)),
  by_type: r.listOf(r.later(() => readTypeGroup)),
  by_precision: r.listOf(r.later(() => readPrecisionGroup)),
  by_output_precision: r.listOf(r.later(() => readPrecisionGroup)),
  top_layers: r.listOf(r.later(() => readTopLayer)),
  reformats: r.orNull(r.later(() => readReformatLoad)),
  findings: r.later(() => readFindingCounts),
  diagnostics: r.listOf(r.later(() => readDiagnosticGroup)),
  conclusion: r.orNull(r.later(() => readConclusion)),
  missing: r.listOf(r.later(() => readMissingPiece)),
}));
export const readFinding: Reader<Finding> = /* @__PURE__ */ r.objectOf(() => ({
  rule: r.text,
  severity: r.oneOf('error', 'warning', 'info'),
  layer_id: r.orNull(r.integer),
  layer: r.orNull(r.text),
  message: r.text,
  evidence: r.text,
  estimated_ms: r.orNull(r.real),
  estimate_method: r.orNull(r.text),
  savings: r.listOf(r.later(() => readSaving)),
  fix: r.text,
  fingerprint: r.text,
  suppressed: r.orNull(r.later(() => readSuppression)),
  folded_into: r.orNull(r.integer),
  symptoms: r.listOf(r.integer),
}));
export const readRuleStatus: Reader<RuleStatus> = /* @__PURE__ */ r.objectOf(() => ({
  id: r.text,
  pack: r.oneOf('generic', 'tensorrt', 'tensorrt-rtx', 'openvino', 'onnxruntime'),
  severity: r.oneOf('error', 'warning', 'info'),
  summary: r.text,
  status: r.oneOf('fired', 'silent', 'skipped'),
  reason: r.orNull(r.text),
  rationale: r.orNull(r.text),
  fix: r.orNull(r.text),
  evidence: r.orNull(r.text),
  estimate: r.orNull(r.text),
  source: r.orNull(r.text),
  count: r.integer,
  suppressed_count: r.integer,
  folded_count: r.integer,
  estimated_ms: r.orNull(r.real),
}));
export const readReportLint: Reader<ReportLint> = /* @__PURE__ */ r.objectOf(() => ({
  counts: r.later(() => readLintCounts),
  suppressed_counts: r.later(() => readSuppressedCounts),
  folded_count: r.integer,
  waivers: r.listOf(r.later(() => readWaiverUse)),
  baseline: r.orNull(r.later(() => readBaselineUse)),
  estimated_ms: r.orNull(r.real),
  estimate_band: r.orNull(r.later(() => readEstimateBand)),
}));
export const readSolvedElsewhere: Reader<SolvedElsewhere> = /* @__PURE__ */ r.objectOf(() => ({
  finding: r.integer,
  engine: r.integer,
  here: r.listOf(r.integer),
  there: r.listOf(r.integer),
  here_ms: r.real,
  there_ms: r.real,
  delta_ms: r.real,
}));
export const readTiming: Reader<Timing> = /* @__PURE__ */ r.objectOf(() => ({
  schema: r.oneOf('planex.timing/2'),
  engine: r.later(() => readProducer),
  conclusion: r.later(() => readHeadline),
  remarks: r.listOf(r.later(() => readTimingRemark)),
  end_to_end: r.orNull(r.later(() => readEndToEnd)),
  histogram: r.orNull(r.later(() => readHistogram)),
  steady_state: r.orNull(r.later(() => readSteadyState)),
  samples: r.later(() => readTimingSamples),
  waterfall: r.listOf(r.later(() => readWaterfallStep)),
}));
export const readReportExplain: Reader<ReportExplain> = /* @__PURE__ */ r.objectOf(() => ({
  memory: r.later(() => readExplainMemory),
  precision: r.later(() => readReportPrecision),
  reformats: r.later(() => readReportReformats),
  speed: r.later(() => readReportSpeed),
  blocks: r.later(() => readReportBlocks),
  pointwise: r.later(() => readReportPointwise),
  windows: r.later(() => readReportWindows),
}));
export const readComparedEngine: Reader<ComparedEngine> = /* @__PURE__ */ r.objectOf(() => ({
  name: r.text,
  label: r.text,
  producer: r.orNull(r.text),
  producer_version: r.orNull(r.text),
  device: r.orNull(r.text),
  batch_size: r.orNull(r.integer),
  time_basis: r.orNull(r.oneOf('mean', 'median')),
}));
export const readComparedTotal: Reader<ComparedTotal> = /* @__PURE__ */ r.objectOf(() => ({
  metric: r.text,
  label: r.text,
  unit: r.oneOf('ms', 'ratio', 'share', 'count', 'bytes', 'flops', 'us', 'per_s'),
  better: r.oneOf('lower', 'higher', 'none'),
  values: r.listOf(r.orNull(r.real)),
  is_detail: r.truth,
}));
export const readComparedType: Reader<ComparedType> = /* @__PURE__ */ r.objectOf(() => ({
  type: r.orNull(r.text),
  family: r.optional(r.oneOf('convolution', 'gemm', 'opaque', 'pointwise', 'norm', 'pool', 'shuffle', 'plugin', 'reformat', 'other')),
  median_ms: r.listOf(r.orNull(r.real)),
  mean_ms: r.listOf(r.orNull(r.real)),
  count: r.listOf(r.orNull(r.real)),
  share: r.listOf(r.orNull(r.real)),
  item_ms: r.listOf(r.orNull(r.real)),
  speed_up: r.listOf(r.orNull(r.real)),
}));
export const readComparedPrecision: Reader<ComparedPrecision> = /* @__PURE__ */ r.objectOf(() => ({
  precision: r.orNull(r.text),
  family: r.optional(r.oneOf('convolution', 'gemm', 'opaque', 'pointwise', 'norm', 'pool', 'shuffle', 'plugin', 'reformat', 'other')),
  median_ms: r.listOf(r.orNull(r.real)),
  mean_ms: r.listOf(r.orNull(r.real)),
  count: r.listOf(r.orNull(r.real)),
  share: r.listOf(r.orNull(r.real)),
  item_ms: r.listOf(r.orNull(r.real)),
  speed_up: r.listOf(r.orNull(r.real)),
}));
export const readReportWords: Reader<ReportWords> = /* @__PURE__ */ r.objectOf(() => ({
  match: r.listOf(r.text),
  change: r.listOf(r.text),
  cause: r.listOf(r.text),
  noise: r.listOf(r.text),
  spread: r.listOf(r.text),
}));
export const readReportEnginePair: Reader<ReportEnginePair> = /* @__PURE__ */ r.objectOf(() => ({
  a: r.integer,
  b: r.integer,
  directions: r.listOf(r.later(() => readReportDirection)),
  pairs: r.anything,
}));
export const readFindingCounts: Reader<FindingCounts> = /* @__PURE__ */ r.objectOf(() => ({
  error: r.integer,
  warning: r.integer,
  info: r.integer,
}));
export const readEngine: Reader<Engine> = /* @__PURE__ */ r.objectOf(() => ({
  name: r.text,
  producer: r.orNull(r.text),
  producer_version: r.orNull(r.text),
  version_evidence: r.orNull(r.text),
  importer: r.orNull(r.text),
  detail: r.orNull(r.oneOf('full', 'log', 'names-only', 'no-layers', 'failed')),
  device: r.orNull(r.text),
  batch_size: r.orNull(r.integer),
  profile_index: r.orNull(r.integer),
}));
export const readBinding: Reader<Binding> = /* @__PURE__ */ r.objectOf(() => ({
  name: r.text,
  dims: r.orNull(r.listOf(r.integer)),
  dtype: r.orNull(r.oneOf('FP64', 'FP32', 'TF32', 'FP16', 'BF16', 'FP8', 'FP4', 'INT64', 'INT32', 'INT16', 'INT8', 'INT4', 'UINT64', 'UINT32', 'UINT16', 'UINT8', 'BOOL')),
  layout: r.orNull(r.text),
}));
export const readMemory: Reader<Memory> = /* @__PURE__ */ r.objectOf(() => ({
  weight_bytes: r.orNull(r.integer),
  layers_without_weights: r.integer,
  traffic_bytes: r.orNull(r.integer),
  tensor_count: r.integer,
  tensor_bytes: r.orNull(r.integer),
  tensor_data_bytes: r.orNull(r.integer),
  tensors_without_size: r.integer,
  tensors_without_layout: r.integer,
  input_bytes: r.orNull(r.integer),
  output_bytes: r.orNull(r.integer),
  scratch_bytes: r.orNull(r.integer),
  peak: r.later(() => readSummaryPeak),
  reported_weight_bytes: r.orNull(r.integer),
  reported_activation_bytes: r.orNull(r.integer),
  reported_scratch_bytes: r.orNull(r.integer),
  reported_device_persistent_bytes: r.orNull(r.integer),
  reported_host_persistent_bytes: r.orNull(r.integer),
}));
export const readTime: Reader<Time> = /* @__PURE__ */ r.objectOf(() => ({
  layers_mean_ms: r.orNull(r.real),
  layers_median_ms: r.orNull(r.real),
  share_basis: r.orNull(r.oneOf('mean', 'median')),
  layers_without_time: r.integer,
  other_records: r.later(() => readOtherRecords),
  end_to_end: r.orNull(r.later(() => readEndToEnd)),
  histogram: r.orNull(r.later(() => readHistogram)),
  gap_ms: r.orNull(r.real),
  profiled_median_ms: r.orNull(r.real),
  overhead_us_per_layer: r.orNull(r.real),
  resolution_us: r.orNull(r.real),
  throughput_per_s: r.orNull(r.real),
}));
export const readSteadyFigures: Reader<SteadyFigures> = /* @__PURE__ */ r.objectOf(() => ({
  verdict: r.oneOf('too-few', 'steady', 'steady-after-warm-up', 'drifts', 'steps', 'two-modes'),
  text: r.text,
  field: r.oneOf('compute', 'latency'),
  sample_count: r.integer,
  unusable_count: r.integer,
  duration_ms: r.orNull(r.real),
  overlapping_share: r.real,
  concurrent: r.integer,
  variation: r.real,
  step_count: r.integer,
  levels: r.listOf(r.later(() => readLevel)),
  warm_up: r.orNull(r.later(() => readWarmUp)),
  drift: r.orNull(r.later(() => readDrift)),
  modes: r.orNull(r.later(() => readModes)),
  spikes: r.orNull(r.later(() => readSpikes)),
  trusted: r.orNull(r.later(() => readTrustedFigures)),
  clocks: r.later(() => readClocks),
}));
export const readTypeGroup: Reader<TypeGroup> = /* @__PURE__ */ r.objectOf(() => ({
  type: r.orNull(r.text),
  family: r.optional(r.oneOf('convolution', 'gemm', 'opaque', 'pointwise', 'norm', 'pool', 'shuffle', 'plugin', 'reformat', 'other')),
  count: r.integer,
  median_ms: r.orNull(r.real),
  mean_ms: r.orNull(r.real),
  share: r.orNull(r.real),
}));
export const readPrecisionGroup: Reader<PrecisionGroup> = /* @__PURE__ */ r.objectOf(() => ({
  precision: r.orNull(r.text),
  family: r.optional(r.oneOf('convolution', 'gemm', 'opaque', 'pointwise', 'norm', 'pool', 'shuffle', 'plugin', 'reformat', 'other')),
  count: r.integer,
  median_ms: r.orNull(r.real),
  mean_ms: r.orNull(r.real),
  share: r.orNull(r.real),
}));
export const readTopLayer: Reader<TopLayer> = /* @__PURE__ */ r.objectOf(() => ({
  layer_id: r.integer,
  name: r.text,
  type: r.text,
  median_ms: r.orNull(r.real),
  mean_ms: r.orNull(r.real),
  share: r.orNull(r.real),
}));
export const readReformatLoad: Reader<ReformatLoad> = /* @__PURE__ */ r.objectOf(() => ({
  count: r.integer,
  time_ms: r.orNull(r.real),
  share: r.orNull(r.real),
}));
export const readDiagnosticGroup: Reader<DiagnosticGroup> = /* @__PURE__ */ r.objectOf(() => ({
  code: r.text,
  severity: r.oneOf('error', 'warning', 'info'),
  message: r.text,
  count: r.integer,
  file: r.orNull(r.text),
}));
export const readConclusion: Reader<Conclusion> = /* @__PURE__ */ r.objectOf(() => ({
  headline: r.text,
  text: r.text,
}));
export const readMissingPiece: Reader<MissingPiece> = /* @__PURE__ */ r.objectOf(() => ({
  id: r.oneOf('engine', 'layer-details', 'layer-information', 'profile', 'times', 'source-model'),
  what: r.text,
  consequence: r.text,
  command: r.text,
  is_optional: r.truth,
}));
export const readSaving: Reader<Saving> = /* @__PURE__ */ r.objectOf(() => ({
  layer_id: r.integer,
  fraction: r.real,
  ms: r.orNull(r.real),
}));
export const readSuppression: Reader<Suppression> = /* @__PURE__ */ r.objectOf(() => ({
  by: r.oneOf('waiver', 'baseline'),
  entry: r.integer,
  reason: r.orNull(r.text),
}));
export const readLintCounts: Reader<LintCounts> = /* @__PURE__ */ r.objectOf(() => ({
  error: r.integer,
  warning: r.integer,
  info: r.integer,
}));
export const readSuppressedCounts: Reader<SuppressedCounts> = /* @__PURE__ */ r.objectOf(() => ({
  waiver: r.integer,
  baseline: r.integer,
}));
export const readWaiverUse: Reader<WaiverUse> = /* @__PURE__ */ r.objectOf(() => ({
  rule: r.orNull(r.text),
  layer: r.orNull(r.text),
  layer_regex: r.orNull(r.text),
  fingerprint: r.orNull(r.text),
  reason: r.orNull(r.text),
  by: r.orNull(r.text),
  expires: r.orNull(r.text),
  state: r.oneOf('holds', 'expired', 'unused', 'not-judged', 'unknown-rule'),
  matched_count: r.integer,
}));
export const readBaselineUse: Reader<BaselineUse> = /* @__PURE__ */ r.objectOf(() => ({
  reason: r.orNull(r.text),
  count: r.integer,
  resolved: r.listOf(r.later(() => readBaselineEntry)),
}));
export const readEstimateBand: Reader<EstimateBand> = /* @__PURE__ */ r.objectOf(() => ({
  low_ms: r.real,
  high_ms: r.real,
  low_ratio: r.real,
  high_ratio: r.real,
  pair_count: r.integer,
}));
export const readProducer: Reader<Producer> = /* @__PURE__ */ r.objectOf(() => ({
  name: r.text,
  producer: r.orNull(r.text),
  producer_version: r.orNull(r.text),
  device: r.orNull(r.text),
}));
export const readHeadline: Reader<Headline> = /* @__PURE__ */ r.objectOf(() => ({
  headline: r.text,
  text: r.orNull(r.text),
}));
export const readTimingRemark: Reader<TimingRemark> = /* @__PURE__ */ r.objectOf(() => ({
  id: r.oneOf('warm-up', 'drift', 'steps', 'values', 'spikes', 'clocks', 'streams'),
  text: r.text,
}));
export const readEndToEnd: Reader<EndToEnd> = /* @__PURE__ */ r.objectOf(() => ({
  source: r.oneOf('times', 'log', 'report'),
  field: r.oneOf('compute', 'latency'),
  count: r.orNull(r.integer),
  mean_ms: r.orNull(r.real),
  median_ms: r.orNull(r.real),
  min_ms: r.orNull(r.real),
  max_ms: r.orNull(r.real),
  p90_ms: r.orNull(r.real),
  p95_ms: r.orNull(r.real),
  p99_ms: r.orNull(r.real),
}));
export const readHistogram: Reader<Histogram> = /* @__PURE__ */ r.objectOf(() => ({
  start_ms: r.real,
  step_ms: r.real,
  counts: r.listOf(r.integer),
}));
export const readSteadyState: Reader<SteadyState> = /* @__PURE__ */ r.objectOf(() => ({
  verdict: r.oneOf('too-few', 'steady', 'steady-after-warm-up', 'drifts', 'steps', 'two-modes'),
  text: r.text,
  field: r.oneOf('compute', 'latency'),
  sample_count: r.integer,
  unusable_count: r.integer,
  duration_ms: r.orNull(r.real),
  overlapping_share: r.real,
  concurrent: r.integer,
  variation: r.real,
  step_count: r.integer,
  levels: r.listOf(r.later(() => readLevel)),
  warm_up: r.orNull(r.later(() => readWarmUp)),
  drift: r.orNull(r.later(() => readDrift)),
  modes: r.orNull(r.later(() => readModes)),
  spikes: r.orNull(r.later(() => readSpikes)),
  trusted: r.orNull(r.later(() => readTrustedFigures)),
  clocks: r.later(() => readClocks),
  phases: r.listOf(r.later(() => readTimingPhase)),
  steps: r.listOf(r.later(() => readStep)),
  excursions: r.listOf(r.later(() => readExcursion)),
  series: r.later(() => readTimingOverview),
}));
export const readTimingSamples: Reader<TimingSamples> = /* @__PURE__ */ r.objectOf(() => ({
  count: r.integer,
  fields: r.listOf(r.later(() => readFieldSamples)),
}));
export const readWaterfallStep: Reader<WaterfallStep> = /* @__PURE__ */ r.objectOf(() => ({
  kind: r.oneOf('type', 'others', 'layers', 'between', 'profiled', 'overhead', 'unexplained', 'end-to-end', 'to-device', 'from-device', 'rest', 'latency'),
  is_sum: r.truth,
  type: r.orNull(r.text),
  family: r.orNull(r.oneOf('convolution', 'gemm', 'opaque', 'pointwise', 'norm', 'pool', 'shuffle', 'plugin', 'reformat', 'other')),
  count: r.orNull(r.integer),
  from_ms: r.real,
  to_ms: r.real,
}));
export const readExplainMemory: Reader<ExplainMemory> = /* @__PURE__ */ r.objectOf(() => ({
  schema: r.oneOf('planex.explain-memory/2'),
  engine: r.text,
  conclusion: r.later(() => readMemoryConclusion),
  other_memory_text: r.orNull(r.text),
  peak: r.later(() => readMemoryPeak),
  other_memory: r.later(() => readOtherMemory),
  contributors: r.listOf(r.later(() => readPeakContributor)),
  frames: r.objectOf(() => ({ layer_id: r.listOf(r.integer), live_bytes: r.listOf(r.integer), scratch_bytes: r.listOf(r.orNull(r.integer)), })),
  offsets: r.orNull(r.oneOf('given', 'packed')),
  height_bytes: r.orNull(r.integer),
  tensors: r.objectOf(() => ({ tensor_id: r.listOf(r.integer), dtype: r.listOf(r.orNull(r.oneOf('FP64', 'FP32', 'TF32', 'FP16', 'BF16', 'FP8', 'FP4', 'INT64', 'INT32', 'INT16', 'INT8', 'INT4', 'UINT64', 'UINT32', 'UINT16', 'UINT8', 'BOOL'))), bytes: r.listOf(r.integer), first_layer_id: r.listOf(r.integer), last_layer_id: r.listOf(r.integer), offset_bytes: r.listOf(r.orNull(r.integer)), })),
}));
export const readReportPrecision: Reader<ReportPrecision> = /* @__PURE__ */ r.objectOf(() => ({
  schema: r.oneOf('planex.report-precision/1'),
  time_basis: r.orNull(r.oneOf('mean', 'median')),
  layers_time_ms: r.orNull(r.real),
  totals: r.later(() => readPrecisionTotals),
  transitions: r.listOf(r.later(() => readPrecisionChange)),
  island_base: r.oneOf('none', 'quantized', 'half'),
  read_dtype: r.tableOf(),
  islands: r.tableOf(),
}));
export const readReportReformats: Reader<ReportReformats> = /* @__PURE__ */ r.objectOf(() => ({
  schema: r.oneOf('planex.report-reformats/2'),
  time_basis: r.orNull(r.oneOf('mean', 'median')),
  layers_time_ms: r.orNull(r.real),
  totals: r.later(() => readReformatTotals),
  by_kind: r.listOf(r.later(() => readReformatKind)),
  by_type: r.listOf(r.later(() => readReformatType)),
  by_origin: r.listOf(r.later(() => readReformatOrigin)),
  groups: r.tableOf(),
  reformats: r.tableOf(),
}));
export const readReportSpeed: Reader<ReportSpeed> = /* @__PURE__ */ r.objectOf(() => ({
  schema: r.oneOf('planex.report-speed/2'),
  device: r.later(() => readSpeedDevice),
  basis: r.orNull(r.oneOf('mean', 'median')),
  layers_time_ms: r.orNull(r.real),
  others_ms: r.orNull(r.real),
  total: r.later(() => readSpeedTotal),
  by_type: r.listOf(r.later(() => readSpeedOfType)),
  best_seen: r.later(() => readSpeedBestSeen),
  faster_than_bound: r.later(() => readFasterThanBound),
  floor_ms: r.orNull(r.real),
  overhead: r.later(() => readSpeedOverhead),
  layers: r.tableOf(),
}));
export const readReportBlocks: Reader<ReportBlocks> = /* @__PURE__ */ r.objectOf(() => ({
  schema: r.oneOf('planex.report-blocks/2'),
  basis: r.orNull(r.oneOf('mean', 'median')),
  total: r.later(() => readBlocksTotal),
  repeated: r.listOf(r.later(() => readRepeatedBlock)),
  attention: r.tableOf(),
  opaque: r.tableOf(),
}));
export const readReportPointwise: Reader<ReportPointwise> = /* @__PURE__ */ r.objectOf(() => ({
  schema: r.oneOf('planex.report-pointwise/1'),
  time_basis: r.orNull(r.oneOf('mean', 'median')),
  layers_time_ms: r.orNull(r.real),
  all: r.later(() => readLayerTotals),
  unknown: r.later(() => readLayerTotals),
  groups: r.listOf(r.later(() => readReportPointwiseGroup)),
  layers: r.tableOf(),
}));
export const readReportWindows: Reader<ReportWindows> = /* @__PURE__ */ r.objectOf(() => ({
  schema: r.oneOf('planex.report-windows/1'),
  layers: r.tableOf(),
}));
export const readReportDirection: Reader<ReportDirection> = /* @__PURE__ */ r.objectOf(() => ({
  verdict: r.later(() => readVerdict),
  verdict_sentence: r.text,
  a_ms: r.orNull(r.real),
  b_ms: r.orNull(r.real),
  delta_ms: r.orNull(r.real),
  sentence: r.orNull(r.text),
  are_unrelated: r.truth,
  settings: r.listOf(r.later(() => readSettingDifference)),
  counts: r.later(() => readPairCounts),
  unchanged: r.orNull(r.later(() => readUnchangedPairs)),
  causes: r.listOf(r.later(() => readDifferenceCause)),
  types: r.listOf(r.later(() => readTypeDifference)),
}));
export const readSummaryPeak: Reader<SummaryPeak> = /* @__PURE__ */ r.objectOf(() => ({
  bytes: r.orNull(r.integer),
  with_scratch_bytes: r.orNull(r.integer),
  layer_id: r.orNull(r.integer),
  layer: r.orNull(r.text),
  tensor_count: r.integer,
  tensors_without_size: r.integer,
  stream_count: r.integer,
}));
export const readOtherRecords: Reader<OtherRecords> = /* @__PURE__ */ r.objectOf(() => ({
  count: r.integer,
  median_ms: r.orNull(r.real),
  mean_ms: r.orNull(r.real),
  share: r.orNull(r.real),
  types: r.listOf(r.text),
}));
export const readLevel: Reader<Level> = /* @__PURE__ */ r.objectOf(() => ({
  median_ms: r.real,
  share: r.real,
}));
export const readWarmUp: Reader<WarmUp> = /* @__PURE__ */ r.objectOf(() => ({
  first: r.integer,
  last: r.integer,
  count: r.integer,
  start_ms: r.orNull(r.real),
  end_ms: r.orNull(r.real),
  from_ms: r.real,
  to_ms: r.real,
}));
export const readDrift: Reader<Drift> = /* @__PURE__ */ r.objectOf(() => ({
  is_significant: r.truth,
  change_ratio: r.real,
  per_1000_samples_ratio: r.real,
  per_second_ratio: r.orNull(r.real),
  p_value: r.real,
}));
export const readModes: Reader<Modes> = /* @__PURE__ */ r.objectOf(() => ({
  low_ms: r.real,
  high_ms: r.real,
  low_share: r.real,
  high_share: r.real,
  change_ratio: r.real,
  bic_gain: r.real,
  mean_run: r.real,
  period: r.orNull(r.later(() => readPeriod)),
}));
export const readSpikes: Reader<Spikes> = /* @__PURE__ */ r.objectOf(() => ({
  threshold_ratio: r.real,
  count: r.integer,
  share: r.real,
  cost_share: r.real,
  median_ms: r.orNull(r.real),
  max_ms: r.orNull(r.real),
  burst_count: r.integer,
  period: r.orNull(r.later(() => readPeriod)),
  inner_period: r.orNull(r.later(() => readPeriod)),
}));
export const readTrustedFigures: Reader<TrustedFigures> = /* @__PURE__ */ r.objectOf(() => ({
  first: r.integer,
  last: r.integer,
  count: r.integer,
  start_ms: r.orNull(r.real),
  end_ms: r.orNull(r.real),
  share: r.real,
  median_ms: r.real,
  median_low_ms: r.real,
  median_high_ms: r.real,
  mean_ms: r.real,
  min_ms: r.real,
  max_ms: r.real,
  p90_ms: r.real,
  p95_ms: r.real,
  p99_ms: r.real,
  variation: r.real,
  autocorrelation: r.real,
  effective_count: r.real,
}));
export const readClocks: Reader<Clocks> = /* @__PURE__ */ r.objectOf(() => ({
  likely_unlocked: r.truth,
  signs: r.listOf(r.oneOf('steps', 'warm-up', 'drift', 'modes')),
}));
export const readBaselineEntry: Reader<BaselineEntry> = /* @__PURE__ */ r.objectOf(() => ({
  rule: r.text,
  fingerprint: r.text,
  layer: r.orNull(r.text),
  message: r.orNull(r.text),
}));
export const readTimingPhase: Reader<TimingPhase> = /* @__PURE__ */ r.objectOf(() => ({
  first: r.integer,
  last: r.integer,
  count: r.integer,
  start_ms: r.orNull(r.real),
  end_ms: r.orNull(r.real),
  is_warm_up: r.truth,
  is_trusted: r.truth,
  median_ms: r.real,
  spread_ratio: r.real,
  change_ratio: r.orNull(r.real),
  spike_count: r.integer,
}));
export const readStep: Reader<Step> = /* @__PURE__ */ r.objectOf(() => ({
  at: r.integer,
  at_ms: r.orNull(r.real),
  before_ms: r.real,
  after_ms: r.real,
  change_ratio: r.real,
}));
export const readExcursion: Reader<Excursion> = /* @__PURE__ */ r.objectOf(() => ({
  first: r.integer,
  last: r.integer,
  count: r.integer,
  start_ms: r.orNull(r.real),
  end_ms: r.orNull(r.real),
  median_ms: r.real,
  change_ratio: r.real,
}));
export const readTimingOverview: Reader<TimingOverview> = /* @__PURE__ */ r.objectOf(() => ({
  median_ms: r.listOf(r.real),
  max_ms: r.listOf(r.real),
}));
export const readFieldSamples: Reader<FieldSamples> = /* @__PURE__ */ r.objectOf(() => ({
  field: r.oneOf('latency', 'compute', 'enqueue', 'h2d', 'd2h'),
  is_end_to_end: r.truth,
  same_as: r.orNull(r.text),
  all: r.orNull(r.later(() => readSampleFigures)),
  trusted: r.orNull(r.later(() => readSampleFigures)),
  step_ms: r.orNull(r.real),
  bins: r.orNull(r.later(() => readSampleBins)),
  middle_bins: r.orNull(r.later(() => readSampleBins)),
  series: r.optional(r.later(() => readSampleSeries)),
}));
export const readMemoryConclusion: Reader<MemoryConclusion> = /* @__PURE__ */ r.objectOf(() => ({
  headline: r.text,
  text: r.orNull(r.text),
}));
export const readMemoryPeak: Reader<MemoryPeak> = /* @__PURE__ */ r.objectOf(() => ({
  bytes: r.orNull(r.integer),
  layer_id: r.orNull(r.integer),
  layer: r.orNull(r.text),
  with_scratch_bytes: r.orNull(r.integer),
  contributor_count: r.integer,
  stream_count: r.integer,
  tensors_without_size: r.integer,
  used_bytes: r.integer,
  live_through_bytes: r.integer,
  best_contributor_to_move: r.orNull(r.integer),
}));
export const readOtherMemory: Reader<OtherMemory> = /* @__PURE__ */ r.objectOf(() => ({
  weight_bytes: r.orNull(r.integer),
  input_bytes: r.orNull(r.integer),
  output_bytes: r.orNull(r.integer),
  reported_activation_bytes: r.orNull(r.integer),
  reported_scratch_bytes: r.orNull(r.integer),
  reported_device_persistent_bytes: r.orNull(r.integer),
}));
export const readPeakContributor: Reader<PeakContributor> = /* @__PURE__ */ r.objectOf(() => ({
  tensor_id: r.integer,
  tensor: r.text,
  bytes: r.integer,
  first_layer_id: r.integer,
  last_layer_id: r.integer,
  span: r.integer,
  byte_layers: r.integer,
  is_live_through: r.truth,
  peak_without_bytes: r.orNull(r.integer),
}));
export const readPrecisionTotals: Reader<PrecisionTotals> = /* @__PURE__ */ r.objectOf(() => ({
  all: r.later(() => readLayerTotals),
  changing: r.later(() => readLayerTotals),
  in_islands: r.later(() => readLayerTotals),
  outside_islands: r.later(() => readLayerTotals),
}));
export const readPrecisionChange: Reader<PrecisionChange> = /* @__PURE__ */ r.objectOf(() => ({
  from: r.orNull(r.oneOf('FP64', 'FP32', 'TF32', 'FP16', 'BF16', 'FP8', 'FP4', 'INT64', 'INT32', 'INT16', 'INT8', 'INT4', 'UINT64', 'UINT32', 'UINT16', 'UINT8', 'BOOL')),
  to: r.orNull(r.oneOf('FP64', 'FP32', 'TF32', 'FP16', 'BF16', 'FP8', 'FP4', 'INT64', 'INT32', 'INT16', 'INT8', 'INT4', 'UINT64', 'UINT32', 'UINT16', 'UINT8', 'BOOL')),
  all: r.later(() => readLayerTotals),
  conversions: r.later(() => readLayerTotals),
  matrix: r.later(() => readLayerTotals),
  others: r.later(() => readLayerTotals),
}));
export const readReportReadType: Reader<ReportReadType> = /* @__PURE__ */ r.objectOf(() => ({
  layer_id: r.integer,
  dtype: r.orNull(r.oneOf('FP64', 'FP32', 'TF32', 'FP16', 'BF16', 'FP8', 'FP4', 'INT64', 'INT32', 'INT16', 'INT8', 'INT4', 'UINT64', 'UINT32', 'UINT16', 'UINT8', 'BOOL')),
}));
export const readReportIsland: Reader<ReportIsland> = /* @__PURE__ */ r.objectOf(() => ({
  ends: r.oneOf('between', 'head', 'stem', 'alone'),
  tensor: r.orNull(r.text),
  dtype: r.orNull(r.oneOf('FP64', 'FP32', 'TF32', 'FP16', 'BF16', 'FP8', 'FP4', 'INT64', 'INT32', 'INT16', 'INT8', 'INT4', 'UINT64', 'UINT32', 'UINT16', 'UINT8', 'BOOL')),
  writer_layer_id: r.orNull(r.integer),
  tensor_count: r.integer,
  layer_ids: r.listOf(r.integer),
  roles: r.listOf(r.text),
  wide_bytes: r.orNull(r.integer),
  narrow_bytes: r.orNull(r.integer),
}));
export const readReformatTotals: Reader<ReformatTotals> = /* @__PURE__ */ r.objectOf(() => ({
  all: r.later(() => readLayerTotals),
  avoidable: r.later(() => readLayerTotals),
  avoidable_in_model: r.later(() => readLayerTotals),
  avoidable_by_caller: r.later(() => readLayerTotals),
  needed: r.later(() => readLayerTotals),
  unclear: r.later(() => readLayerTotals),
}));
export const readReformatKind: Reader<ReformatKind> = /* @__PURE__ */ r.objectOf(() => ({
  kind: r.oneOf('quantize', 'dequantize', 'round-trip', 'cast', 'layout', 'copy', 'unknown'),
  totals: r.later(() => readLayerTotals),
}));
export const readReformatType: Reader<ReformatType> = /* @__PURE__ */ r.objectOf(() => ({
  type: r.orNull(r.text),
  totals: r.later(() => readLayerTotals),
}));
export const readReformatOrigin: Reader<ReformatOrigin> = /* @__PURE__ */ r.objectOf(() => ({
  origin: r.orNull(r.text),
  totals: r.later(() => readLayerTotals),
}));
export const readReportReformatGroup: Reader<ReportReformatGroup> = /* @__PURE__ */ r.objectOf(() => ({
  tensor: r.orNull(r.text),
  writer_layer_id: r.orNull(r.integer),
}));
export const readReportReformat: Reader<ReportReformat> = /* @__PURE__ */ r.objectOf(() => ({
  layer_id: r.integer,
  kind: r.oneOf('quantize', 'dequantize', 'round-trip', 'cast', 'layout', 'copy', 'unknown'),
  from_port: r.orNull(r.integer),
  to_port: r.orNull(r.integer),
  from_dtype: r.orNull(r.oneOf('FP64', 'FP32', 'TF32', 'FP16', 'BF16', 'FP8', 'FP4', 'INT64', 'INT32', 'INT16', 'INT8', 'INT4', 'UINT64', 'UINT32', 'UINT16', 'UINT8', 'BOOL')),
  to_dtype: r.orNull(r.oneOf('FP64', 'FP32', 'TF32', 'FP16', 'BF16', 'FP8', 'FP4', 'INT64', 'INT32', 'INT16', 'INT8', 'INT4', 'UINT64', 'UINT32', 'UINT16', 'UINT8', 'BOOL')),
  differs: r.orNull(r.text),
  producers: r.listOf(r.integer),
  consumers: r.listOf(r.integer),
  at_engine_input: r.truth,
  at_engine_output: r.truth,
  verdict: r.oneOf('avoidable', 'needed', 'unclear'),
  changed_by: r.orNull(r.oneOf('model', 'caller')),
  reason: r.orNull(r.oneOf('writer-could-quantize', 'addition-could-quantize', 'before-pool', 'reader-could-read-quantized', 'share-one', 'round-trip', 'weights-at-run-time', 'float-convolution', 'bind-input', 'quantized-input', 'bind-output', 'quantized-output', 'kernel-choice', 'reader-in-float', 'model-casts', 'float-writer', 'writer-keeps-float', 'float-reader', 'float-precisions', 'layout-of-neighbour', 'channels', 'edge-layout', 'copies', 'types-unknown')),
  confidence: r.orNull(r.oneOf('high', 'medium', 'low')),
  cause: r.orNull(r.text),
  advice: r.orNull(r.text),
  io_format: r.orNull(r.text),
  cause_layer_id: r.orNull(r.integer),
  tensors: r.listOf(r.text),
  group: r.integer,
}));
export const readSpeedDevice: Reader<SpeedDevice> = /* @__PURE__ */ r.objectOf(() => ({
  reported_name: r.orNull(r.text),
  problem: r.orNull(r.text),
  hint: r.orNull(r.text),
  remedy: r.orNull(r.oneOf('name', 'probe', 'describe')),
  limits: r.orNull(r.later(() => readDeviceLimits)),
}));
export const readSpeedTotal: Reader<SpeedTotal> = /* @__PURE__ */ r.objectOf(() => ({
  count: r.integer,
  time_ms: r.orNull(r.real),
  bound_ms: r.orNull(r.real),
  headroom_ms: r.orNull(r.real),
  unknown_bound_ms: r.real,
  reached: r.orNull(r.real),
  memory_count: r.integer,
  compute_count: r.integer,
  launch_count: r.integer,
  unknown_count: r.integer,
}));
export const readSpeedOfType: Reader<SpeedOfType> = /* @__PURE__ */ r.objectOf(() => ({
  type: r.orNull(r.text),
  count: r.integer,
  time_ms: r.orNull(r.real),
  bound_ms: r.orNull(r.real),
  headroom_ms: r.orNull(r.real),
  unknown_bound_ms: r.real,
  reached: r.orNull(r.real),
  memory_count: r.integer,
  compute_count: r.integer,
  launch_count: r.integer,
  unknown_count: r.integer,
}));
export const readSpeedBestSeen: Reader<SpeedBestSeen> = /* @__PURE__ */ r.objectOf(() => ({
  bandwidth: r.orNull(r.later(() => readBestBandwidth)),
  flops: r.listOf(r.later(() => readBestFlops)),
}));
export const readFasterThanBound: Reader<FasterThanBound> = /* @__PURE__ */ r.objectOf(() => ({
  count: r.integer,
  ms: r.real,
  parts: r.integer,
  cache: r.integer,
  rate: r.integer,
}));
export const readSpeedOverhead: Reader<SpeedOverhead> = /* @__PURE__ */ r.objectOf(() => ({
  us_per_layer: r.orNull(r.real),
  ms: r.orNull(r.real),
}));
export const readReportSpeedLayer: Reader<ReportSpeedLayer> = /* @__PURE__ */ r.objectOf(() => ({
  memory_ms: r.orNull(r.real),
  compute_ms: r.orNull(r.real),
  launch_ms: r.orNull(r.real),
  bytes: r.orNull(r.integer),
  limit: r.orNull(r.oneOf('memory', 'compute', 'launch')),
  rate_type: r.orNull(r.text),
  rate_evidence: r.orNull(r.text),
  observed_bound_ms: r.orNull(r.real),
}));
export const readBlocksTotal: Reader<BlocksTotal> = /* @__PURE__ */ r.objectOf(() => ({
  layer_count: r.integer,
  layers_in_blocks: r.integer,
  rest_count: r.integer,
  layers_time_ms: r.orNull(r.real),
  others_ms: r.orNull(r.real),
  time_ms: r.orNull(r.real),
  in_blocks_ms: r.orNull(r.real),
  rest_ms: r.orNull(r.real),
  attention_ms: r.orNull(r.real),
  opaque_ms: r.orNull(r.real),
}));
export const readRepeatedBlock: Reader<RepeatedBlock> = /* @__PURE__ */ r.objectOf(() => ({
  name: r.text,
  path: r.text,
  is_nested: r.truth,
  instance_count: r.integer,
  layer_count: r.integer,
  time_ms: r.orNull(r.real),
  share: r.orNull(r.real),
  instance_min_ms: r.orNull(r.real),
  instance_median_ms: r.orNull(r.real),
  instance_max_ms: r.orNull(r.real),
  spread: r.orNull(r.real),
  outliers: r.listOf(r.later(() => readBlockOutlier)),
}));
export const readReportAttention: Reader<ReportAttention> = /* @__PURE__ */ r.objectOf(() => ({
  layer_ids: r.listOf(r.integer),
  evidence: r.oneOf('kernel', 'sources', 'graph'),
  evidence_text: r.orNull(r.text),
}));
export const readReportOpaque: Reader<ReportOpaque> = /* @__PURE__ */ r.objectOf(() => ({
  layer_id: r.integer,
  operation_count: r.integer,
  first: r.orNull(r.text),
  last: r.orNull(r.text),
  part_types: r.listOf(r.text),
  part_counts: r.listOf(r.integer),
}));
export const readLayerTotals: Reader<LayerTotals> = /* @__PURE__ */ r.objectOf(() => ({
  count: r.integer,
  time_ms: r.orNull(r.real),
  share: r.orNull(r.real),
  io_bytes: r.orNull(r.integer),
  without_time: r.integer,
  without_bytes: r.integer,
}));
export const readReportPointwiseGroup: Reader<ReportPointwiseGroup> = /* @__PURE__ */ r.objectOf(() => ({
  operation_count: r.integer,
  totals: r.later(() => readLayerTotals),
  ms_per_operation: r.orNull(r.real),
}));
export const readReportPointwiseLayer: Reader<ReportPointwiseLayer> = /* @__PURE__ */ r.objectOf(() => ({
  layer_id: r.integer,
  operation_count: r.integer,
  evidence: r.oneOf('parameters', 'name'),
  operations: r.listOf(r.text),
}));
export const readReportWindow: Reader<ReportWindow> = /* @__PURE__ */ r.objectOf(() => ({
  layer_id: r.integer,
  kernel: r.listOf(r.integer),
  stride: r.listOf(r.integer),
  dilation: r.listOf(r.integer),
  groups: r.orNull(r.integer),
  evidence: r.oneOf('parameters', 'operation', 'weights'),
}));
export const readVerdict: Reader<Verdict> = /* @__PURE__ */ r.objectOf(() => ({
  judgement: r.oneOf('slower', 'faster', 'within-noise', 'unclear', 'unknown'),
  unclear_reason: r.oneOf('none', 'no-times', 'layer-sums-only', 'no-samples', 'different-figures', 'too-few-samples', 'different-streams', 'drift', 'steps', 'two-modes', 'single-run'),
  source: r.oneOf('samples', 'summary', 'layer-sum', 'none'),
  field: r.orNull(r.text),
  change_ratio: r.orNull(r.real),
  low_ratio: r.orNull(r.real),
  high_ratio: r.orNull(r.real),
  within_runs_low_ratio: r.orNull(r.real),
  within_runs_high_ratio: r.orNull(r.real),
  run_spread_ratio: r.orNull(r.real),
  is_run_spread_measured: r.truth,
  run_difference_ratio: r.orNull(r.real),
  detectable_ratio: r.orNull(r.real),
  needed_sample_count: r.orNull(r.integer),
  base: r.later(() => readVerdictSide),
  candidate: r.later(() => readVerdictSide),
  method: r.orNull(r.text),
  gate: r.later(() => readVerdictGate),
}));
export const readSettingDifference: Reader<SettingDifference> = /* @__PURE__ */ r.objectOf(() => ({
  key: r.text,
  label: r.text,
  a: r.orNull(r.text),
  b: r.orNull(r.text),
}));
export const readPairCounts: Reader<PairCounts> = /* @__PURE__ */ r.objectOf(() => ({
  matched: r.integer,
  changed: r.integer,
  only_a: r.integer,
  only_b: r.integer,
}));
export const readUnchangedPairs: Reader<UnchangedPairs> = /* @__PURE__ */ r.objectOf(() => ({
  pairs: r.integer,
  shift_ratio: r.real,
  scatter_ms: r.real,
}));
export const readDifferenceCause: Reader<DifferenceCause> = /* @__PURE__ */ r.objectOf(() => ({
  cause: r.oneOf('reformats-removed', 'reformats-added', 'reformats-kept', 'removed', 'added', 'fused', 'split', 'regrouped', 'precision', 'dims', 'kernel', 'same', 'no-work'),
  text: r.text,
  clause: r.text,
  pairs: r.integer,
  a_layers: r.integer,
  b_layers: r.integer,
  a_ms: r.orNull(r.real),
  b_ms: r.orNull(r.real),
  delta_ms: r.orNull(r.real),
}));
export const readTypeDifference: Reader<TypeDifference> = /* @__PURE__ */ r.objectOf(() => ({
  type: r.orNull(r.text),
  a_layers: r.integer,
  b_layers: r.integer,
  delta_ms: r.orNull(r.real),
  low_ms: r.orNull(r.real),
  high_ms: r.orNull(r.real),
  exceeds_noise: r.orNull(r.truth),
}));
export const readPeriod: Reader<Period> = /* @__PURE__ */ r.objectOf(() => ({
  period_ms: r.orNull(r.real),
  period_samples: r.real,
  regular_in: r.oneOf('time', 'samples', 'both'),
  event_count: r.integer,
  hit_ratio: r.real,
  tolerance: r.real,
  p_value: r.real,
}));
export const readSampleFigures: Reader<SampleFigures> = /* @__PURE__ */ r.objectOf(() => ({
  count: r.integer,
  mean_ms: r.real,
  median_ms: r.real,
  min_ms: r.real,
  max_ms: r.real,
  p90_ms: r.real,
  p95_ms: r.real,
  p99_ms: r.real,
}));
export const readSampleBins: Reader<SampleBins> = /* @__PURE__ */ r.objectOf(() => ({
  start_ms: r.real,
  step_ms: r.real,
  counts: r.listOf(r.integer),
  trusted: r.listOf(r.integer),
  below: r.integer,
  above: r.integer,
}));
export const readSampleSeries: Reader<SampleSeries> = /* @__PURE__ */ r.objectOf(() => ({
  first: r.listOf(r.integer),
  min_ms: r.listOf(r.orNull(r.real)),
  max_ms: r.optional(r.listOf(r.orNull(r.real))),
  running_ms: r.listOf(r.orNull(r.real)),
  start_ms: r.optional(r.listOf(r.real)),
}));
export const readDeviceLimits: Reader<DeviceLimits> = /* @__PURE__ */ r.objectOf(() => ({
  name: r.text,
  source: r.orNull(r.text),
  bandwidth_source: r.orNull(r.text),
  note: r.orNull(r.text),
  bytes_per_s: r.orNull(r.real),
  matrix_flops_per_s: r.mapOf(r.real),
  vector_flops_per_s: r.mapOf(r.real),
  remarks: r.listOf(r.text),
}));
export const readBestBandwidth: Reader<BestBandwidth> = /* @__PURE__ */ r.objectOf(() => ({
  bytes_per_s: r.real,
  layer_id: r.integer,
  layer: r.text,
}));
export const readBestFlops: Reader<BestFlops> = /* @__PURE__ */ r.objectOf(() => ({
  type: r.oneOf('FP64', 'FP32', 'TF32', 'FP16', 'BF16', 'FP8', 'FP4', 'INT64', 'INT32', 'INT16', 'INT8', 'INT4', 'UINT64', 'UINT32', 'UINT16', 'UINT8', 'BOOL'),
  flops_per_s: r.real,
  layer_id: r.integer,
  layer: r.text,
}));
export const readBlockOutlier: Reader<BlockOutlier> = /* @__PURE__ */ r.objectOf(() => ({
  name: r.text,
  time_ms: r.orNull(r.real),
  ratio: r.orNull(r.real),
  has_other_shape: r.truth,
}));
export const readVerdictSide: Reader<VerdictSide> = /* @__PURE__ */ r.objectOf(() => ({
  run_count: r.integer,
  median_ms: r.orNull(r.real),
  sample_count: r.integer,
  greatest_deviation_ratio: r.real,
}));
export const readVerdictGate: Reader<VerdictGate> = /* @__PURE__ */ r.objectOf(() => ({
  result: r.oneOf('off', 'passed', 'failed', 'undecided', 'unknown'),
  threshold_ratio: r.orNull(r.real),
  low_ratio: r.orNull(r.real),
  high_ratio: r.orNull(r.real),
  detectable_ratio: r.orNull(r.real),
  fails: r.truth,
}));
