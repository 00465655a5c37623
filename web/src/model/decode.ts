// From the JSON of planex.report/2 to what the page works with. Wrong or missing parts become null
// or empty; only a document of another schema is refused.

import {
  asArray,
  asChoice,
  asDims,
  asNumber,
  asNumbers,
  asObject,
  asText,
  type Json,
  type JsonObject,
} from './json_value.ts';
import { isNumber } from '../base/format.ts';
import { decodeComparison, type Comparison } from './comparison.ts';
import { Engine, kDocuments, type Documents } from './engine.ts';
import type {
  WireBinding,
  WireCommand,
  WireElsewhere,
  WireEndToEnd,
  WireFinding,
  WireGroup,
  WireHistogram,
  WireLeftOut,
  WireLint,
  WirePrecisionGroup,
  WireRule,
  WireSaving,
  WireSummary,
  WireSuppression,
  WireTime,
  WireTypeGroup,
} from './wire.ts';

export interface Report {
  readonly generator: string;
  // What makes the report again.
  readonly command: string | null;
  readonly engines: readonly Engine[];
  readonly comparison: Comparison | null;
}

export const kSchema = 'planex.report/2';

const kSeverities = ['error', 'warning', 'info'] as const;

function binding(json: Json): WireBinding {
  const o = asObject(json);
  return {
    name: asText(o.name) ?? '',
    dims: asDims(o.dims),
    dtype: asText(o.dtype),
    layout: asText(o.layout),
  };
}

function group(o: JsonObject): WireGroup {
  return {
    count: asNumber(o.count) ?? 0,
    median_ms: asNumber(o.median_ms),
    mean_ms: asNumber(o.mean_ms),
    share: asNumber(o.share),
  };
}

function typeGroup(json: Json): WireTypeGroup {
  const o = asObject(json);
  return { type: asText(o.type), family: asText(o.family), ...group(o) };
}

function precisionGroup(json: Json): WirePrecisionGroup {
  const o = asObject(json);
  return { precision: asText(o.precision), ...group(o) };
}

function endToEnd(json: Json | undefined): WireEndToEnd | null {
  if (json === null || json === undefined) return null;
  const o = asObject(json);
  const median = asNumber(o.median_ms);
  const mean = asNumber(o.mean_ms);
  if (median === null && mean === null) return null;
  return {
    source: asText(o.source),
    count: asNumber(o.count),
    mean_ms: mean,
    median_ms: median,
    min_ms: asNumber(o.min_ms),
    max_ms: asNumber(o.max_ms),
    p90_ms: asNumber(o.p90_ms),
    p95_ms: asNumber(o.p95_ms),
    p99_ms: asNumber(o.p99_ms),
  };
}

function histogram(json: Json | undefined): WireHistogram | null {
  const o = asObject(json);
  const start = asNumber(o.start_ms);
  const step = asNumber(o.step_ms);
  const counts = asNumbers(o.counts).map((c) => c ?? 0);
  if (start === null || step === null || counts.length === 0) return null;
  return { start_ms: start, step_ms: step, counts };
}

function time(json: Json | undefined): WireTime {
  const o = asObject(json);
  return {
    layers_mean_ms: asNumber(o.layers_mean_ms),
    layers_median_ms: asNumber(o.layers_median_ms),
    end_to_end: endToEnd(o.end_to_end),
    histogram: histogram(o.histogram),
    gap_ms: asNumber(o.gap_ms),
    overhead_us_per_layer: asNumber(o.overhead_us_per_layer),
    resolution_us: asNumber(o.resolution_us),
    throughput_per_s: asNumber(o.throughput_per_s),
  };
}

function summary(json: Json | undefined): WireSummary {
  const o = asObject(json);
  const engine = asObject(o.engine);
  const findings = asObject(o.findings);
  const conclusion = asObject(o.conclusion);
  const headline = asText(conclusion.headline);
  return {
    engine: {
      name: asText(engine.name) ?? 'engine',
      producer: asText(engine.producer),
      producer_version: asText(engine.producer_version),
      version_evidence: asText(engine.version_evidence),
      importer: asText(engine.importer),
      device: asText(engine.device),
      batch_size: asNumber(engine.batch_size),
      profile_index: asNumber(engine.profile_index),
      detail: asChoice(engine.detail, ['full', 'names-only'] as const, 'full'),
    },
    inputs: asArray(o.inputs).map(binding),
    outputs: asArray(o.outputs).map(binding),
    layer_count: asNumber(o.layer_count) ?? 0,
    record_count: asNumber(o.record_count) ?? 0,
    tensor_count: asNumber(o.tensor_count),
    weight_bytes: asNumber(o.weight_bytes),
    activation_bytes: asNumber(o.activation_bytes),
    footprint_bytes: asNumber(o.footprint_bytes),
    macs: asNumber(o.macs),
    flops: asNumber(o.flops),
    peak_bytes: asNumber(asObject(asObject(o.memory).peak).bytes),
    time: time(o.time),
    by_type: asArray(o.by_type).map(typeGroup),
    by_precision: asArray(o.by_precision).map(precisionGroup),
    by_output_precision: asArray(o.by_output_precision).map(precisionGroup),
    findings: {
      error: asNumber(findings.error) ?? 0,
      warning: asNumber(findings.warning) ?? 0,
      info: asNumber(findings.info) ?? 0,
    },
    diagnostics: asArray(o.diagnostics).map((d) => {
      const row = asObject(d);
      return {
        code: asText(row.code) ?? '',
        severity: asText(row.severity) ?? 'info',
        message: asText(row.message) ?? '',
        count: asNumber(row.count),
        file: asText(row.file),
      };
    }),
    conclusion: headline === null ? null : { headline, text: asText(conclusion.text) ?? '' },
    missing: asArray(o.missing).map((m) => {
      const row = asObject(m);
      return {
        id: asText(row.id),
        what: asText(row.what) ?? '',
        consequence: asText(row.consequence) ?? '',
        command: asText(row.command),
        is_optional: row.is_optional === true,
      };
    }),
  };
}

function suppression(json: Json | undefined): WireSuppression | null {
  if (json === null || json === undefined) return null;
  const o = asObject(json);
  return {
    by: asChoice(o.by, ['waiver', 'baseline'] as const, 'waiver'),
    reason: asText(o.reason),
  };
}

function saving(json: Json): readonly WireSaving[] {
  const o = asObject(json);
  const layer = asNumber(o.layer_id);
  const fraction = asNumber(o.fraction);
  return layer === null || fraction === null
    ? []
    : [{ layer_id: layer, fraction, ms: asNumber(o.ms) }];
}

// By the finding's place in the list.
function elsewhere(json: Json | undefined): ReadonlyMap<number, readonly WireElsewhere[]> {
  const map = new Map<number, WireElsewhere[]>();
  for (const item of asArray(json)) {
    const o = asObject(item);
    const at = asNumber(o.finding);
    const engine = asNumber(o.engine);
    const times = [o.here_ms, o.there_ms, o.delta_ms].map(asNumber);
    const [here_ms, there_ms, delta_ms] = times;
    if (at === null || engine === null) continue;
    if (!isNumber(here_ms) || !isNumber(there_ms) || !isNumber(delta_ms)) continue;
    const layers = (list: Json | undefined): readonly number[] => asNumbers(list).filter(isNumber);
    const one = {
      engine,
      here: layers(o.here),
      there: layers(o.there),
      here_ms,
      there_ms,
      delta_ms,
    };
    map.set(at, [...(map.get(at) ?? []), one]);
  }
  return map;
}

function findings(list: Json | undefined, others: Json | undefined): readonly WireFinding[] {
  const solved = elsewhere(others);
  // A symptom is shown with its cause, and counted with no rule; waived ones stand apart anyway.
  const isSymptom = (json: Json): boolean => {
    const { folded_into, suppressed } = asObject(json);
    return asNumber(folded_into) !== null && suppression(suppressed) === null;
  };
  return asArray(list).flatMap((json, i) =>
    isSymptom(json) ? [] : [finding(json, solved.get(i) ?? [])],
  );
}

function finding(json: Json, solved: readonly WireElsewhere[]): WireFinding {
  const o = asObject(json);
  return {
    rule: asText(o.rule) ?? '',
    severity: asChoice(o.severity, kSeverities, 'info'),
    layer_id: asNumber(o.layer_id),
    layer: asText(o.layer),
    message: asText(o.message) ?? '',
    evidence: asText(o.evidence),
    estimated_ms: asNumber(o.estimated_ms),
    estimate_method: asText(o.estimate_method),
    savings: asArray(o.savings).flatMap(saving),
    fix: asText(o.fix),
    fingerprint: asText(o.fingerprint),
    suppressed: suppression(o.suppressed),
    elsewhere: solved,
  };
}

function rule(json: Json): WireRule {
  const o = asObject(json);
  return {
    id: asText(o.id) ?? '',
    pack: asText(o.pack),
    severity: asChoice(o.severity, kSeverities, 'info'),
    summary: asText(o.summary) ?? '',
    status: asChoice(o.status, ['fired', 'silent', 'skipped'] as const, 'silent'),
    reason: asText(o.reason),
    count: asNumber(o.count) ?? 0,
    suppressed_count: asNumber(o.suppressed_count) ?? 0,
    estimated_ms: asNumber(o.estimated_ms),
    rationale: asText(o.rationale),
    fix: asText(o.fix),
    evidence: asText(o.evidence),
    estimate: asText(o.estimate),
    source: asText(o.source),
  };
}

function lint(json: Json | undefined): WireLint {
  const o = asObject(json);
  return {
    estimated_ms: asNumber(o.estimated_ms),
    waivers: asArray(o.waivers).map((w) => {
      const row = asObject(w);
      return {
        rule: asText(row.rule),
        layer: asText(row.layer),
        layer_regex: asText(row.layer_regex),
        fingerprint: asText(row.fingerprint),
        reason: asText(row.reason),
        expires: asText(row.expires),
        state: asText(row.state),
        matched_count: asNumber(row.matched_count) ?? 0,
      };
    }),
  };
}

function command(json: Json): readonly WireCommand[] {
  const o = asObject(json);
  const line = asText(o.command);
  if (line === null) return [];
  return [
    {
      origin: asChoice(o.origin, ['recorded', 'options', 'made'] as const, 'made'),
      what: asText(o.what) ?? '',
      command: line,
      file: asText(o.file),
    },
  ];
}

function leftOut(json: Json): WireLeftOut {
  const o = asObject(json);
  return {
    file: asText(o.file) ?? '',
    kind: asText(o.kind),
    size_bytes: asNumber(o.size_bytes),
    reason: asText(o.reason),
  };
}

// "timing" stands beside "explain", whose members are the topics.
function documents(engine: JsonObject): Documents {
  const parts: JsonObject = { ...asObject(engine.explain), timing: engine.timing };
  return Object.fromEntries(
    kDocuments.flatMap((name) => {
      const part = asObject(parts[name]);
      return asText(part.schema) === null ? [] : [[name, part]];
    }),
  );
}

// Engines as they stand in links and side by side: the label, or label~2 for the second of the same.
// `taken` are those of engines that are on the page already.
function uniqueIds(names: readonly string[], taken: readonly string[]): readonly string[] {
  const seen = new Map<string, number>(taken.map((name) => [name, 1]));
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name}~${String(count)}`;
  });
}

export function decodeReport(json: Json, taken: readonly string[] = []): Report {
  const o = asObject(json);
  const schema = asText(o.schema);
  if (schema !== kSchema) {
    throw new Error(`this page reads ${kSchema}; the data is ${schema ?? 'unlabeled'}`);
  }
  const wire = asArray(o.engines).map(asObject);
  const summaries = wire.map((e) => summary(e.summary));
  const ids = uniqueIds(
    summaries.map((s, i) => {
      const label = asText(wire[i]?.label);
      return label === null || label === '' ? s.engine.name : label;
    }),
    taken,
  );
  const engines = wire.map(
    (e, i) =>
      new Engine({
        id: ids[i] ?? String(i),
        summary: summaries[i] ?? summary(null),
        strings: asArray(e.strings).map((s) => asText(s) ?? ''),
        tables: asObject(e.tables),
        graph: e.graph,
        findings: findings(e.findings, e.elsewhere),
        rules: asArray(e.rules).map(rule),
        lint: lint(e.lint),
        path: asText(e.path),
        commands: asArray(e.commands).flatMap(command),
        leftOut: asArray(e.left_out).map(leftOut),
        documents: documents(e),
      }),
  );
  if (engines.length === 0) throw new Error('the report holds no engine');
  const generator = asObject(o.generator);
  return {
    generator: [asText(generator.name) ?? 'planex', asText(generator.version)]
      .filter((part) => part !== null)
      .join(' '),
    command: asText(generator.command),
    engines,
    comparison: decodeComparison(o.comparison),
  };
}
