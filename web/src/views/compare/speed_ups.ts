// How many times as fast each engine is as A, by type and overall: coloured from the threshold on,
// and only if the difference is more than noise.

import {
  familySwatch,
  isNumber,
  ratioClass,
  ratioText,
  visible,
  type Comparison,
  type Way,
} from '../../public/index.ts';
import { timesOf } from '../../public/plot/stacks.ts';
import type { EngineTable } from './engine_table.ts';

interface SpeedUpRow {
  readonly label: string;
  // Of a type; undefined in the rows of whole engines.
  readonly family?: string | null;
  readonly times: readonly (number | null)[];
  // Null: the noise is unknown.
  readonly exceedsNoise: (way: Way) => boolean | null;
}

// The end-to-end row exceeds noise if the verdict says so.
function verdictNoise({ verdict: { judgement } }: Way): boolean | null {
  if (judgement === 'within-noise') return false;
  return judgement === 'faster' || judgement === 'slower' ? true : null;
}

function rowsOf(figures: Comparison): readonly SpeedUpRow[] {
  const timesOfAll = (metric: string): readonly (readonly (number | null)[])[] =>
    figures.totals.filter((total) => total.metric === metric).map(({ values }) => values);
  return [
    ...timesOfAll('end_to_end_median_ms').map((times) => {
      return { label: 'end to end', times, exceedsNoise: verdictNoise };
    }),
    ...timesOfAll('layers_time_ms').map((times) => {
      return { label: 'Σ layers', times, exceedsNoise: () => null };
    }),
    ...figures.by_type.map((group) => ({
      label: group.type ?? 'unknown',
      family: group.family ?? null,
      times: timesOf(group),
      exceedsNoise: ({ types }: Way) =>
        types.find(({ type }) => type === group.type)?.exceeds_noise ?? null,
    })),
  ];
}

// The time of `base` ÷ each engine's.
export function speedUpsTable(figures: Comparison, base: number): EngineTable<SpeedUpRow> {
  const ratioOf = ({ times }: SpeedUpRow, engine: number): number | null => {
    const [own, time] = [times[base], times[engine]];
    const areUnrelated = figures.pairs(base, engine)?.way.are_unrelated === true;
    return isNumber(own) && isNumber(time) && time > 0 && !areUnrelated ? own / time : null;
  };
  const noiseOf = (row: SpeedUpRow, engine: number): boolean | null => {
    const way = figures.pairs(base, engine)?.way;
    return way === undefined ? null : row.exceedsNoise(way);
  };
  return {
    className: 'totals auto speed-ups',
    rows: rowsOf(figures),
    of: 'type',
    head: ({ family, label }) => [
      family === undefined ? null : familySwatch(family),
      visible(label.slice(0, 60)),
    ],
    cell: (row, engine) => {
      const ratio = ratioOf(row, engine);
      const isNoise = ratio !== null && noiseOf(row, engine) === false;
      return `${isNoise ? '≈ ' : ''}${ratioText(ratio)}`;
    },
    tone: (row, engine) =>
      ratioClass(ratioOf(row, engine), figures.threshold_ratio, noiseOf(row, engine)),
    lead: [['type', null, ({ label }) => label]],
    unit: ', ×',
    value: [2, ratioOf],
  };
}
