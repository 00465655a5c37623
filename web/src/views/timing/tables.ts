// What is said of the measurement in words and figures: the verdict, percentiles, phases.

import {
  column,
  div,
  el,
  Figure,
  figureTable,
  fixed,
  htmlBody,
  integer,
  isNumber,
  kMissing,
  missingNotice,
  numbers,
  percent,
  plainTable,
  sectionTitle,
  signed,
  span,
  visible,
  type TimingPhase,
  type ViewContext,
} from '../../public/index.ts';
import {
  isResolved,
  fieldName,
  isAllZero,
  levelDecimals,
  type Field,
  type Figures,
  type Timing,
} from './data.ts';

const kRemarkNames: Readonly<Record<string, string>> = {
  'warm-up': 'Warm-up',
  drift: 'Drift',
  steps: 'Steps',
  values: 'Values',
  spikes: 'Spikes',
  clocks: 'Clocks',
  streams: 'Streams',
  machine: 'Machine',
  causes: 'Causes',
};

// The trusted median with its interval, and what was looked at.
export function verdict(timing: Timing): HTMLElement | null {
  const { steady_state: steady, remarks } = timing;
  if (steady === null) return null;
  const { trusted } = steady;
  const decimals = levelDecimals(trusted?.median_ms ?? null);
  const ms = (value: number | null): string => fixed(value, decimals);
  return div(
    'block verdict',
    sectionTitle(
      'Verdict',
      `${fieldName(steady.field)} of ${integer(steady.sample_count)} samples`,
    ),
    trusted === null
      ? null
      : div(
          'trusted-figure',
          span('key-figure', ms(trusted.median_ms), el('small', {}, 'ms')),
          span(
            'soft',
            `median of samples ${integer(trusted.first)} to ${integer(trusted.last)}; ` +
              `95 % confidence ${ms(trusted.median_low_ms)} to ${ms(trusted.median_high_ms)}, as of ` +
              `${integer(Math.floor(trusted.effective_count))} independent samples`,
          ),
        ),
    trusted === null && remarks.length === 0
      ? el('p', { class: 'soft' }, visible(timing.conclusion.headline))
      : null,
    el(
      'dl',
      { class: 'facts-list remarks' },
      ...remarks.flatMap(({ id, text }) => [
        el('dt', {}, kRemarkNames[id] ?? id),
        el('dd', {}, visible(text)),
      ]),
    ),
  );
}

interface Column {
  readonly field: string;
  readonly of: string;
  readonly figures: Figures;
}

const kRows = [
  ['samples', 'count'],
  ['min', 'min_ms'],
  ['median', 'median_ms'],
  ['mean', 'mean_ms'],
  ['p90', 'p90_ms'],
  ['p95', 'p95_ms'],
  ['p99', 'p99_ms'],
  ['max', 'max_ms'],
] as const;
type PercentileRow = (typeof kRows)[number];

function columnsOf(timing: Timing): readonly Column[] {
  const drawn = timing.fields.filter((one) => one.same_as === null && !isAllZero(one));
  const columns = drawn.flatMap((one): readonly Column[] => {
    const column = (of: string, figures: Figures | null): readonly Column[] =>
      figures === null ? [] : [{ field: fieldName(one.field), of, figures }];
    return one.is_end_to_end
      ? [...column('trusted', one.trusted), ...column('all', one.all)]
      : column(one.trusted === null ? 'all' : 'trusted', one.trusted ?? one.all);
  });
  if (columns.length > 0 || timing.end_to_end === null) return columns;
  const { end_to_end: endToEnd } = timing;
  const source =
    endToEnd.source === 'log' ? 'the log' : endToEnd.source === 'report' ? 'the report' : 'times';
  return [{ field: fieldName(endToEnd.field), of: source, figures: endToEnd }];
}

// Fields that have no column: the same as another, or nothing was measured in them.
function notes(fields: readonly Field[]): readonly string[] {
  const zero = fields.filter(isAllZero).map((one) => fieldName(one.field));
  const same = fields.filter((one) => one.same_as !== null && !isAllZero(one));
  return [
    ...same.map(
      (one) => `${fieldName(one.field)} is ${fieldName(one.same_as ?? '')} in every sample`,
    ),
    ...(zero.length === 0 ? [] : [`${zero.join(' and ')} 0 in every sample: nothing transferred`]),
  ];
}

export function percentiles(context: ViewContext, timing: Timing): Figure | null {
  const columns = columnsOf(timing);
  if (columns.length === 0) return null;
  const rows = kRows.filter(([, key]) =>
    columns.some(({ figures }) => isNumber(figures[key]) && isResolved(key, figures.count)),
  );
  const nameOf = ([name, key]: PercentileRow, unit: string): string =>
    key === 'count' ? name : name + unit;
  const table = (): HTMLElement =>
    plainTable(
      'percentiles',
      rows,
      [
        column('', (row) => nameOf(row, ', ms'), { isHead: true }),
        ...columns.map(({ field, of, figures }) =>
          numbers<PercentileRow>(`${field}, ${of}`, ([, key]) => {
            const value = isResolved(key, figures.count) ? figures[key] : null;
            return fixed(value, key === 'count' ? 0 : levelDecimals(figures.median_ms));
          }),
        ),
      ],
      { row: ([, key]) => ({ class: key === 'median_ms' ? 'strong' : '' }) },
    );
  const body = htmlBody('table-body', () => [
    table(),
    ...notes(timing.fields).map((note) => el('p', { class: 'soft' }, note)),
  ]);
  return new Figure(context, {
    id: 'percentiles',
    title: 'Percentiles',
    explain: () =>
      timing.steady_state === null
        ? 'as printed by the tool that measured'
        : 'linear between samples',
    body,
    table: () =>
      figureTable<PercentileRow>(kRows, [
        ['figure', null, (row) => nameOf(row, ' ms')],
        ...columns.map(
          ({ field, of, figures }) =>
            [`${field} ${of}`, 6, ([, key]: PercentileRow) => figures[key]] as const,
        ),
      ]),
  });
}

const kMaxPhases = 24;

export function phases(context: ViewContext, timing: Timing): Figure | null {
  const { steady_state: steady } = timing;
  if (steady === null || steady.phases.length < 2) return null;
  const decimals = levelDecimals(steady.trusted?.median_ms ?? null);
  const kind = (phase: TimingPhase): string =>
    phase.is_warm_up ? 'warm-up' : phase.is_trusted ? 'trusted' : '';
  const change = (phase: TimingPhase): string =>
    phase.is_trusted
      ? kMissing
      : isNumber(phase.change_ratio)
        ? signed(phase.change_ratio * 100, 2)
        : kMissing;
  const rest = steady.phases.length - kMaxPhases;
  const spread = ({ spread_ratio: ratio }: TimingPhase): string =>
    isNumber(ratio) ? percent(ratio) : kMissing;
  const table = (): HTMLElement =>
    plainTable(
      'phases',
      steady.phases.slice(0, kMaxPhases),
      [
        column('phase', kind),
        numbers('samples', (phase) => integer(phase.count)),
        numbers('from', (phase) => integer(phase.first)),
        numbers('median ms', (phase) => fixed(phase.median_ms, decimals)),
        numbers('change %', change, {
          help: 'Of the median, against that of the trusted phase',
        }),
        numbers('spread %', spread, { help: 'Robust standard deviation, of the median' }),
        numbers('spikes', (phase) => integer(phase.spike_count)),
      ],
      { row: (phase) => ({ class: phase.is_trusted ? 'strong' : '' }) },
    );
  const body = htmlBody('table-body', () => [
    table(),
    rest > 0 ? el('p', { class: 'soft' }, `${integer(rest)} more are in the CSV.`) : null,
  ]);
  return new Figure(context, {
    id: 'phases',
    title: 'Phases',
    explain: () => `${integer(steady.phases.length)} ranges of one level each`,
    body,
    table: () =>
      figureTable(steady.phases, [
        ['phase', null, (phase) => kind(phase)],
        ['samples', 0, (phase) => phase.count],
        ['first', 0, (phase) => phase.first],
        ['start ms', 3, (phase) => phase.start_ms],
        ['median ms', decimals, (phase) => phase.median_ms],
        ['change ratio', 6, (phase) => phase.change_ratio],
        ['spread ratio', 6, (phase) => phase.spread_ratio],
        ['spikes', 0, (phase) => phase.spike_count],
      ]),
  });
}

// What would show more, and how to get it.
export function missingTimes(context: ViewContext): HTMLElement | null {
  const piece = context.store.engine.summary.missing.find(({ id }) => id === 'times');
  if (piece === undefined) return null;
  return div(
    'block missing',
    missingNotice(context, {
      what: 'No samples.',
      why: 'Whether the run was steady, how its samples are distributed and what it warmed up from are in them.',
      command: piece.command,
    }),
  );
}
