// The view's answer in a sentence: what converting types costs, where the type changes most, what is
// folded. No rule applies, no sentence.

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

function share(part: number): string {
  const words: readonly (readonly [number, number, string])[] = [
    [0.23, 0.27, 'A quarter'],
    [0.31, 0.36, 'A third'],
    [0.47, 0.53, 'Half'],
  ];
  const word = words.find(([from, to]) => part >= from && part <= to)?.[2];
  return word ?? `${percent(part)} %`;
}

export function graphConclusion(store: Store): Conclusion | null {
  const { engine, basis } = store;
  const reformats = [...engine.workRows].filter((row) => engine.isReformat(row));
  const total = engine.total(basis);
  const ms = engine.sum(engine.times(basis), Int32Array.from(reformats));
  const ways = new Map<string, number>();
  for (const row of reformats) {
    const way = layerPrecisionText(engine, row);
    if (way.includes('→')) ways.set(way, (ways.get(way) ?? 0) + 1);
  }
  const [most] = [...ways].sort((a, b) => b[1] - a[1]);
  const often = most === undefined || most[1] === 1 ? 'once' : `${integer(most[1])} times`;
  const way = most === undefined ? '' : `, ${visible(most[0])} ${often}`;
  if (total > 0 && ms / total >= kWorthSaying) {
    return {
      headline: `${share(ms / total)} of the layer time goes into conversions of type or layout.`,
      text: `${plural(reformats.length, 'reformat')} ${reformats.length === 1 ? 'takes' : 'take'} ${fixed(ms, 3)} of ${fixed(total, 3)} ms${way}.`,
    };
  }
  if (reformats.length > 0) {
    return {
      headline: `${integer(reformats.length)} of ${plural(engine.workRows.length, 'layer')} ${reformats.length === 1 ? 'converts' : 'convert'} types or layouts.`,
      text: total > 0 ? `Together ${percent(ms / total)} % of Σ layers${way}.` : '',
    };
  }
  return null;
}
