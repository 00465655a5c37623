// How the figures were taken: on what, with what, on how many samples; and what is left at the ends.

import {
  column,
  div,
  kMissing,
  numbers,
  percent,
  plainTable,
  plural,
  sectionTitle,
  span,
  visible,
  wideTable,
  type Content,
  type EngineAccuracy,
  type OutputLoss,
} from '../../public/index.ts';
import { dbText } from './data.ts';

// Words of a badge; what a record does not say is left out.
export function badges(accuracy: EngineAccuracy): readonly string[] {
  const { verified, disturbed, runtime_version: version, isa } = accuracy;
  const taps =
    verified + disturbed === 0
      ? null
      : `${plural(verified, 'tap')} verified` +
        (disturbed > 0 ? `, ${String(disturbed)} disturbed` : '');
  return [
    version === null ? null : `OpenVINO ${version.split('-')[0] ?? version}`,
    isa,
    accuracy.method === null ? null : `scales: ${accuracy.method}`,
    accuracy.weight_bits === null ? null : `weights on ${String(accuracy.weight_bits)} bits`,
    accuracy.target === null ? null : `placed for ${accuracy.target}`,
    accuracy.calibration_count === null
      ? null
      : `calibrated on ${plural(accuracy.calibration_count, 'sample')}`,
    accuracy.sample_count !== null
      ? `compared on ${plural(accuracy.sample_count, 'sample')}`
      : accuracy.judge_count === null
        ? null
        : `judged on ${plural(accuracy.judge_count, 'sample')}`,
    taps,
  ]
    .filter((text) => text !== null && text !== '')
    .map((text) => visible(text ?? ''));
}

export function badgeLine(accuracy: EngineAccuracy): HTMLElement {
  return div('accuracy-badges', ...badges(accuracy).map((text) => span('chip', text)));
}

const kCompared: Readonly<Record<string, string>> = {
  simulated: 'float → simulated',
  engine: 'float → engine',
  'engine-to-simulated': 'simulated → engine',
};
const kRecords: Readonly<Record<string, string>> = {
  quantize: 'planex quantize',
  search: 'planex search',
  accuracy: 'planex accuracy',
};

export function outputsTable(accuracy: EngineAccuracy): HTMLElement | null {
  const { outputs } = accuracy;
  if (outputs.length === 0) return null;
  const hasClasses = outputs.some(({ top1_ratio }) => top1_ratio !== null);
  const share = (ratio: number | null): string =>
    ratio === null ? kMissing : `${percent(ratio)} %`;
  const loss = (one: OutputLoss): Content => {
    const bad = (one.nan_count ?? 0) + (one.inf_count ?? 0);
    return [
      dbText(one.sqnr_db, one.is_equal, kMissing),
      bad > 0 ? span('slower', ` ${plural(bad, 'NaN or infinity', 'NaN or infinities')}`) : null,
    ];
  };
  return div(
    'block accuracy-outputs',
    sectionTitle('Outputs', hasClasses ? 'top-1: how often the largest class is the same' : ''),
    wideTable(
      'Outputs',
      plainTable('', outputs, [
        column('output', ({ tensor }) => visible(tensor ?? ''), { cellClass: 'name' }),
        column('record', ({ record }) => kRecords[record ?? ''] ?? '', { cellClass: 'soft' }),
        column(
          'what is compared',
          ({ compared }) => kCompared[compared ?? ''] ?? visible(compared ?? ''),
        ),
        numbers('SQNR, dB', loss),
        hasClasses && numbers('top-1', (one) => share(one.top1_ratio)),
        hasClasses && numbers('top-5', (one) => share(one.top5_ratio)),
      ]),
    ),
  );
}
