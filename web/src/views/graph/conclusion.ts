// The view's answer in a sentence: what converting types costs, where the type changes most, what
// is folded. If no rule applies, there is no sentence.

import {
  fixed,
  integer,
  layerPrecisionText,
  percent,
  plural,
  visible,
  type Store,
  type Conclusion,
} from '../../public/index.ts';

const kWorthSaying = 0.02;

const kShares: readonly (readonly [number, number, string])[] = [
  [0.23, 0.27, 'A quarter'],
  [0.31, 0.36, 'A third'],
  [0.47, 0.53, 'Half'],
];

export function graphConclusion({ engine, basis }: Store): Conclusion | null {
  // Boxes without edges, and why.
  if (engine.namesOnly && engine.ports.rowCount === 0) {
    return {
      headline: 'No edges: the files list layer names only.',
      text: 'Build with --profilingVerbosity=detailed to record what layers read and write.',
    };
  }
  const reformats = engine.workRows.filter((row) => engine.isReformat(row));
  if (reformats.length === 0) return null;
  const total = engine.total(basis);
  const ms = engine.sum(engine.times(basis), reformats);
  const ways = new Map<string, number>();
  for (const row of reformats) {
    const way = layerPrecisionText(engine, row);
    if (way.includes('→')) ways.set(way, (ways.get(way) ?? 0) + 1);
  }
  const [most] = [...ways].sort((a, b) => b[1] - a[1]);
  const often = most?.[1] === 1 ? 'once' : `${integer(most?.[1] ?? 0)} times`;
  const way = most === undefined ? '' : `, ${visible(most[0])} ${often}`;
  const isOne = reformats.length === 1;
  const part = total > 0 ? ms / total : 0;
  if (part >= kWorthSaying) {
    const share = kShares.find(([from, to]) => part >= from && part <= to)?.[2];
    return {
      headline: `${share ?? `${percent(part)} %`} of the layer time goes into conversions of type or layout.`,
      text: `${plural(reformats.length, 'reformat')} ${isOne ? 'takes' : 'take'} ${fixed(ms, 3)} of ${fixed(total, 3)} ms${way}.`,
    };
  }
  return {
    headline: `${integer(reformats.length)} of ${plural(engine.workRows.length, 'layer')} ${isOne ? 'converts' : 'convert'} types or layouts.`,
    text: total > 0 ? `Together ${percent(part)} % of Σ layers${way}.` : '',
  };
}
