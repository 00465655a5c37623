// How the values were measured: on what data, with what, on how many samples; and the loss at the
// outputs.

import {
  column,
  div,
  kMissing,
  knownQuantity,
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

// Texts of the badges; facts that the record lacks are left out.
export function badges(accuracy: EngineAccuracy): readonly string[] {
  const { verified, disturbed, runtime_version: version, sample_count: compared } = accuracy;
  const { judge_count: judged, weight_bits: bits } = accuracy;
  const said = (before: string, value: string | null): string | null =>
    value === null ? null : `${before} ${value}`;
  const samples = (before: string, count: number | null): string | null =>
    said(before, count === null ? null : plural(count, 'sample'));
  const behind = disturbed > 0 ? `, ${String(disturbed)} disturbed` : '';
  return [
    said('OpenVINO', version?.split('-')[0] ?? version),
    accuracy.isa,
    said('scales:', accuracy.method),
    said('weights on', bits === null ? null : `${String(bits)} bits`),
    said('placed for', accuracy.target),
    samples('calibrated on', accuracy.calibration_count),
    samples('compared on', compared) ?? samples('judged on', judged),
    verified + disturbed === 0 ? null : `${plural(verified, 'tap')} verified${behind}`,
  ].flatMap((text) => (text === null || text === '' ? [] : [visible(text)]));
}

export const badgeLine = (accuracy: EngineAccuracy): HTMLElement =>
  div('flow accuracy-badges', ...badges(accuracy).map((text) => span('chip', text)));

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
  const share = (ratio: number): string => `${percent(ratio)} %`;
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
      plainTable('auto', outputs, [
        column('output', ({ tensor }) => visible(tensor ?? ''), { cellClass: 'name' }),
        column('record', ({ record }) => kRecords[record ?? ''] ?? '', { cellClass: 'soft' }),
        column(
          'what is compared',
          ({ compared }) => kCompared[compared ?? ''] ?? visible(compared ?? ''),
        ),
        numbers('SQNR, dB', loss),
        knownQuantity(outputs, 'top1', 'top-1', (one) => one.top1_ratio, share),
        knownQuantity(outputs, 'top5', 'top-5', (one) => one.top5_ratio, share),
      ]),
    ),
  );
}
