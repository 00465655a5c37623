// The first line: how much was read, and what is odd about it.

import { bytesText, plural, type Engine, type Conclusion } from '../../public/index.ts';

function sum(values: readonly (number | null)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}

export function filesConclusion(engine: Engine): Conclusion {
  const { files } = engine;
  const size = sum(files.rows.map((row) => files.number('size_bytes', row)));
  const headline = `${plural(files.rowCount, 'file')} read, ${bytesText(size)}.`;
  const parts: string[] = [];
  // For records about layers: all were matched to their layer, or how many were not.
  let records = 0;
  let joined = 0;
  for (const row of files.rows) {
    const found = files.number('joined_count', row);
    if (found === null) continue;
    joined += found;
    records += files.number('record_count', row) ?? found;
  }
  if (records > 0) {
    parts.push(
      joined >= records
        ? 'Every record was matched to its layer.'
        : `${plural(records - joined, 'record')} of ${String(records)} matched no layer.`,
    );
  }
  const changed = files.rows.filter((row) => files.number('is_as_made', row) === 0).length;
  if (changed > 0) {
    parts.push(`${plural(changed, 'file is', 'files are')} not as recorded in the manifest.`);
  }
  const odd = sum(engine.summary.diagnostics.map((d) => d.count));
  parts.push(odd === 0 ? 'No irregularities.' : `${plural(odd, 'diagnostic')}.`);
  const missing = engine.summary.missing.filter((piece) => !piece.is_optional).length;
  if (missing > 0) parts.push(`${plural(missing, 'input is', 'inputs are')} missing.`);
  return { headline, text: parts.join(' ') };
}
