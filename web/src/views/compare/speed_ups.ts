// How many times as fast each engine is as A, by type and as a whole: coloured from the threshold on,
// and only where the difference is more than noise.

import {
  familySwatch,
  isNumber,
  visible,
  type Comparison,
  type Report,
  type Way,
} from '../../public/index.ts';
import { timesOf } from '../../public/stacks.ts';
import type { EngineTable } from './engine_table.ts';
import { ratioClass, ratioText } from './numbers.ts';

interface SpeedUp {
  readonly ratio: number | null;
  // Null: nothing is known of the noise.
  readonly exceedsNoise: boolean | null;
}

interface SpeedUpRow {
  readonly label: string;
  // Of a type; undefined in the rows of whole engines.
  readonly family: string | null | undefined;
  readonly cells: readonly SpeedUp[];
}

// The end-to-end row is real where the verdict says so.
function verdictNoise({ verdict: { judgement } }: Way): boolean | null {
  if (judgement === 'within-noise') return false;
  return judgement === 'faster' || judgement === 'slower' ? true : null;
}

// A's time ÷ each engine's.
function speedUps(figures: Comparison, report: Report, base: number): readonly SpeedUpRow[] {
  const cells = (
    times: readonly (number | null)[],
    noise: (way: Way) => boolean | null,
  ): readonly SpeedUp[] =>
    report.engines.map((_, engine) => {
      const way = figures.pairs(base, engine)?.way;
      const [own, time] = [times[base], times[engine]];
      const isKnown = isNumber(own) && isNumber(time) && time > 0 && way?.are_unrelated !== true;
      return {
        ratio: isKnown ? own / time : null,
        exceedsNoise: engine === base || way === undefined ? null : noise(way),
      };
    });
  const whole = (
    metric: string,
    label: string,
    noise: (way: Way) => boolean | null,
  ): readonly SpeedUpRow[] =>
    figures.totals
      .filter((total) => total.metric === metric)
      .map(({ values }) => ({ label, family: undefined, cells: cells(values, noise) }));
  return [
    ...whole('end_to_end_median_ms', 'end to end', verdictNoise),
    ...whole('layers_time_ms', 'Σ layers', () => null),
    ...figures.by_type.map((group) => ({
      label: group.type ?? 'unknown',
      family: group.family ?? null,
      cells: cells(timesOf(group), ({ types }) => {
        return types.find(({ type }) => type === group.type)?.exceeds_noise ?? null;
      }),
    })),
  ];
}

export function speedUpsTable(
  figures: Comparison,
  report: Report,
  base: number,
): EngineTable<SpeedUpRow> {
  const of = ({ cells }: SpeedUpRow, engine: number): SpeedUp =>
    cells[engine] ?? { ratio: null, exceedsNoise: null };
  return {
    className: 'totals auto speed-ups',
    rows: speedUps(figures, report, base),
    of: 'type',
    head: ({ family, label }) => [
      family === undefined ? null : familySwatch(family),
      visible(label.slice(0, 60)),
    ],
    cell: (row, engine) => {
      const { ratio, exceedsNoise } = of(row, engine);
      return ratio !== null && exceedsNoise === false ? `≈ ${ratioText(ratio)}` : ratioText(ratio);
    },
    tone: (row, engine) => {
      const { ratio, exceedsNoise } = of(row, engine);
      return ratioClass(ratio, figures.threshold_ratio, exceedsNoise);
    },
    lead: [['type', null, ({ label }) => label]],
    unit: ', ×',
    value: [2, (row, engine) => of(row, engine).ratio],
  };
}
