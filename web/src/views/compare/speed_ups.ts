// How many times as fast each engine is as A, by type and as a whole: coloured from the threshold on,
// and only where the difference is more than noise.

import {
  column,
  familySwatch,
  figureTable,
  isNumber,
  numbers,
  plainTable,
  span,
  visible,
  type Comparison,
  type EnginePair,
  type FigureTable,
  type Report,
} from '../../public/index.ts';
import { timesOf } from '../../public/stacks.ts';
import { ratioClass, ratioText } from './numbers.ts';
import { engineHead } from './totals.ts';

export interface SpeedUp {
  readonly ratio: number | null;
  // Null: nothing is known of the noise.
  readonly exceedsNoise: boolean | null;
}

export interface SpeedUpRow {
  readonly label: string;
  readonly family: string | null;
  // Null in the rows of whole engines.
  readonly type: string | null;
  readonly isType: boolean;
  readonly cells: readonly (SpeedUp | null)[];
}

const kWholes: Readonly<Record<string, string>> = {
  end_to_end_median_ms: 'end to end',
  layers_time_ms: 'Σ layers',
};

function ratioOf(base: number | null | undefined, time: number | null | undefined): number | null {
  return isNumber(base) && isNumber(time) && time > 0 ? base / time : null;
}

// A's time ÷ each engine's. The end-to-end row is real where the verdict says so.
export function speedUps(figures: Comparison, base: number): readonly SpeedUpRow[] {
  const count = figures.engines.length;
  const engines = Array.from({ length: count }, (_, i) => i);
  const areUnrelated = (engine: number): boolean =>
    figures.pairs(base, engine)?.way.are_unrelated === true;
  const wholes = figures.totals.flatMap((total): SpeedUpRow | readonly SpeedUpRow[] => {
    const label = Object.hasOwn(kWholes, total.metric) ? kWholes[total.metric] : undefined;
    if (label === undefined) return [];
    const isEndToEnd = total.metric === 'end_to_end_median_ms';
    return {
      label,
      family: null,
      type: null,
      isType: false,
      cells: engines.map((engine): SpeedUp | null => {
        if (engine === base) return { ratio: 1, exceedsNoise: null };
        if (areUnrelated(engine)) return null;
        const judgement = figures.pairs(base, engine)?.way.verdict.judgement;
        const isClear = judgement === 'faster' || judgement === 'slower';
        const isNoise = judgement === 'within-noise';
        return {
          ratio: ratioOf(total.values[base], total.values[engine]),
          exceedsNoise: isEndToEnd && (isClear || isNoise) ? isClear : null,
        };
      }),
    };
  });
  const types = figures.by_type.map((group): SpeedUpRow => {
    const times = timesOf(group);
    return {
      label: group.type ?? 'unknown',
      family: group.family ?? null,
      type: group.type,
      isType: true,
      cells: engines.map((engine): SpeedUp | null => {
        if (engine === base) return isNumber(times[base]) ? { ratio: 1, exceedsNoise: null } : null;
        if (areUnrelated(engine)) return null;
        const changes = figures.pairs(base, engine)?.way.types ?? [];
        const change = changes.find((c) => c.type === group.type);
        const ratio = ratioOf(times[base], times[engine]);
        return ratio === null ? null : { ratio, exceedsNoise: change?.exceeds_noise ?? null };
      }),
    };
  });
  return [...wholes, ...types];
}

export interface SpeedUpsSpec {
  readonly report: Report;
  readonly figures: Comparison;
  readonly enginePair: EnginePair;
}

export function speedUpsTable({ report, figures, enginePair }: SpeedUpsSpec): HTMLElement {
  const text = (up: SpeedUp | null | undefined): string => {
    const ratio = up?.ratio ?? null;
    return ratio !== null && up?.exceedsNoise === false
      ? `≈ ${ratioText(ratio)}`
      : ratioText(ratio);
  };
  const tone = (up: SpeedUp | null | undefined): string =>
    ratioClass(up?.ratio ?? null, figures.threshold_ratio, up?.exceedsNoise ?? null);
  return plainTable('totals speed-ups', speedUps(figures, enginePair.a), [
    column(
      span('offscreen', 'type'),
      ({ isType, family, label }) => [
        isType ? familySwatch(family) : null,
        visible(label.slice(0, 60)),
      ],
      { isHead: true },
    ),
    ...report.engines.map((_, i) =>
      numbers<SpeedUpRow>(engineHead(report, i, enginePair), ({ cells }) => text(cells[i]), {
        cellClass: ({ cells }) => tone(cells[i]),
      }),
    ),
  ]);
}

export function speedUpsData({ report, figures, enginePair }: SpeedUpsSpec): FigureTable {
  return figureTable(speedUps(figures, enginePair.a), [
    ['type', null, ({ label }) => label],
    ...report.engines.map(
      ({ id }, i) => [`${visible(id)}, ×`, 2, ({ cells }: SpeedUpRow) => cells[i]?.ratio] as const,
    ),
  ]);
}
