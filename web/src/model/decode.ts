// Converts the JSON of planex.report/2 to the page's types. Wrong or missing parts become null or
// empty; only a document with another schema is refused.

import { grouped } from '../base/known.ts';
import { decodeComparison, type Comparison } from './comparison.ts';
import { Engine, type EngineFinding } from './engine.ts';
import { asArray, asObject, asText, type Json } from './json_value.ts';
import { readAs } from './reader.ts';
import {
  readReportEngine,
  readReportGenerator,
  readOptimize,
  readSweep,
  type Optimize,
  type ReportEngine,
  type Sweep,
} from './report_types.ts';

export interface Report {
  readonly generator: string;
  // The command that writes the report again.
  readonly command: string | null;
  readonly engines: readonly Engine[];
  readonly comparison: Comparison | null;
  // Null if the report contains engines.
  readonly sweep: Sweep | null;
  // Null if the engines were not found by planex optimize.
  readonly optimize: Optimize | null;
}

export const kSchema = 'planex.report/2';

// Adds what the parallel list says of each finding, by its index. A symptom is shown with its
// cause, and not counted for its rule; waived findings are separate anyway.
function findings(engine: ReportEngine): readonly EngineFinding[] {
  const elsewhere = grouped(engine.elsewhere, (solved) => solved.finding);
  return engine.findings.flatMap((finding, at) =>
    finding.folded_into !== null && finding.suppressed === null
      ? []
      : [{ ...finding, elsewhere: elsewhere.get(at) ?? [] }],
  );
}

// Ids of engines in links and side by side: the label, or label~2 for the second with the same
// label. `taken` are those of engines that are already on the page.
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
  const parts = asArray(o.engines).map((part) => {
    // Explanations are read when a view asks for them.
    const { timing, explain } = asObject(part);
    return {
      engine: readAs(readReportEngine, part),
      documents: { ...asObject(explain), timing },
    };
  });
  const ids = uniqueIds(
    parts.map(({ engine }) => (engine.label === '' ? engine.summary.engine.name : engine.label)),
    taken,
  );
  const engines = parts.map(
    ({ engine, documents }, i) =>
      new Engine(ids[i] ?? String(i), engine, findings(engine), documents),
  );
  if (engines.length === 0) throw new Error('the report contains no engine');
  const generator = readAs(readReportGenerator, o.generator);
  return {
    generator: `${generator.name} ${generator.version}`.trim(),
    command: generator.command,
    engines,
    comparison: decodeComparison(o.comparison, engines),
    sweep: asText(asObject(o.sweep).schema) === null ? null : readAs(readSweep, o.sweep),
    optimize:
      asText(asObject(o.optimize).schema) === null ? null : readAs(readOptimize, o.optimize),
  };
}
