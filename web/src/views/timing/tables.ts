// The measurement in words and figures: the verdict, percentiles, phases.

import {
  column,
  div,
  el,
  factsList,
  Figure,
  figureTable,
  fixed,
  htmlBody,
  integer,
  isNumber,
  keyFigure,
  kMissing,
  missingNotice,
  numbers,
  percent,
  plainFigure,
  plainTable,
  sectionTitle,
  signed,
  span,
  visible,
  type DataColumn,
  type FieldSamples,
  type Timing,
  type TimingPhase,
  type ViewContext,
} from '../../public/index.ts';
import { fieldName, isAllZero, isResolved, levelDecimals, type Figures } from './data.ts';

// The trusted median with its interval, and the samples that were used.
export function verdict({ steady_state: steady, remarks, conclusion }: Timing): HTMLElement | null {
  if (steady === null) return null;
  const { trusted } = steady;
  const decimals = levelDecimals(trusted?.median_ms);
  const ms = (value: number | null): string => fixed(value, decimals);
  return div(
    'block verdict',
    sectionTitle(
      'Verdict',
      `${fieldName(steady.field)} of ${integer(steady.sample_count)} samples`,
    ),
    trusted === null
      ? remarks.length === 0 && el('p', { class: 'soft' }, visible(conclusion.headline))
      : div(
          'trusted-figure',
          keyFigure(ms(trusted.median_ms), 'ms'),
          span(
            'soft',
            `median of samples ${integer(trusted.first)} to ${integer(trusted.last)}; ` +
              `95 % confidence ${ms(trusted.median_low_ms)} to ${ms(trusted.median_high_ms)}, as from ` +
              `${integer(Math.floor(trusted.effective_count))} independent samples`,
          ),
        ),
    factsList(
      // "warm-up" becomes "Warm-up".
      remarks.map(({ id, text }) => [id.charAt(0).toUpperCase() + id.slice(1), visible(text)]),
      'remarks',
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

const kSources = { log: 'the log', report: 'the report', times: 'times' } as const;

function columnsOf({ samples, end_to_end: endToEnd }: Timing): readonly Column[] {
  const drawn = samples.fields.filter((one) => one.same_as === null && !isAllZero(one));
  const columns = drawn.flatMap(({ field, is_end_to_end, trusted, all }): readonly Column[] => {
    const column = (of: string, figures: Figures | null): readonly Column[] =>
      figures === null ? [] : [{ field: fieldName(field), of, figures }];
    return is_end_to_end || trusted === null
      ? [...column('trusted', trusted), ...column('all', all)]
      : column('trusted', trusted);
  });
  if (columns.length > 0 || endToEnd === null) return columns;
  const { field, source } = endToEnd;
  return [{ field: fieldName(field), of: kSources[source], figures: endToEnd }];
}

// Fields without a column: equal to another one, or never measured.
function notes(fields: readonly FieldSamples[]): readonly string[] {
  const zero = fields.filter(isAllZero).map((one) => fieldName(one.field));
  const same = fields.filter((one) => one.same_as !== null && !isAllZero(one));
  return [
    ...same.map(
      (one) => `${fieldName(one.field)} is ${fieldName(one.same_as ?? '')} in every sample`,
    ),
    ...(zero.length === 0 ? [] : [`${zero.join(' and ')} 0 in every sample: nothing transferred`]),
  ];
}

const note = (text: string): HTMLElement => el('p', { class: 'soft' }, text);

export function percentiles(context: ViewContext, timing: Timing): Figure | null {
  const columns = columnsOf(timing);
  if (columns.length === 0) return null;
  const valueOf = ({ figures }: Column, [, key]: PercentileRow): number | null =>
    isResolved(key, figures.count) ? figures[key] : null;
  const rows = kRows.filter((row) => columns.some((one) => isNumber(valueOf(one, row))));
  const text = (one: Column, row: PercentileRow): string =>
    fixed(valueOf(one, row), row[1] === 'count' ? 0 : levelDecimals(one.figures.median_ms));
  const nameOf = ([name, key]: PercentileRow, unit: string): string =>
    key === 'count' ? name : name + unit;
  const table = (): HTMLElement =>
    plainTable(
      'auto',
      rows,
      [
        column('', (row) => nameOf(row, ', ms'), { isHead: true }),
        ...columns.map((one) =>
          numbers<PercentileRow>(`${one.field}, ${one.of}`, (row) => text(one, row)),
        ),
      ],
      { row: ([, key]) => ({ class: key === 'median_ms' ? 'strong' : '' }) },
    );
  return new Figure(context, {
    id: 'percentiles',
    title: 'Percentiles',
    explain: () =>
      timing.steady_state === null
        ? 'as printed by the tool that measured'
        : 'linear between samples',
    body: htmlBody('wide-scroll', () => [table(), ...notes(timing.samples.fields).map(note)]),
    table: () =>
      figureTable<PercentileRow>(kRows, [
        ['figure', null, (row) => nameOf(row, ' ms')],
        ...columns.map(({ field, of, figures }): DataColumn<PercentileRow> => [
          `${field} ${of}`,
          6,
          ([, key]) => figures[key],
        ]),
      ]),
  });
}

const kMaxPhases = 24;

export function phases(context: ViewContext, { steady_state: steady }: Timing): Figure | null {
  if (steady === null || steady.phases.length < 2) return null;
  const decimals = levelDecimals(steady.trusted?.median_ms);
  const kind = (phase: TimingPhase): string =>
    phase.is_warm_up ? 'warm-up' : phase.is_trusted ? 'trusted' : '';
  const change = ({ is_trusted, change_ratio: ratio }: TimingPhase): string =>
    is_trusted || !isNumber(ratio) ? kMissing : signed(ratio * 100, 2);
  return plainFigure<TimingPhase>(context, {
    id: 'phases',
    title: 'Phases',
    explain: () => `${integer(steady.phases.length)} ranges, each of one level`,
    class: 'auto phases',
    items: () => steady.phases,
    most: kMaxPhases,
    columns: () => [
      column('phase', kind),
      numbers('samples', (phase) => integer(phase.count)),
      numbers('from', (phase) => integer(phase.first)),
      numbers('median ms', (phase) => fixed(phase.median_ms, decimals)),
      numbers('change %', change, { help: 'Change of the median against the trusted phase' }),
      numbers('spread %', (phase) => percent(phase.spread_ratio), {
        help: 'Robust standard deviation relative to the median',
      }),
      numbers('spikes', (phase) => integer(phase.spike_count)),
    ],
    row: (phase) => ({ class: phase.is_trusted ? 'strong' : '' }),
    rest: ({ length }) => `${integer(length)} more are in the CSV.`,
    data: [
      ['phase', null, kind],
      ['samples', 0, (phase) => phase.count],
      ['first', 0, (phase) => phase.first],
      ['start ms', 3, (phase) => phase.start_ms],
      ['median ms', decimals, (phase) => phase.median_ms],
      ['change ratio', 6, (phase) => phase.change_ratio],
      ['spread ratio', 6, (phase) => phase.spread_ratio],
      ['spikes', 0, (phase) => phase.spike_count],
    ],
  });
}

// The missing input that would show more, and how to get it.
export function missingTimes(context: ViewContext): HTMLElement | null {
  const piece = context.store.engine.summary.missing.find(({ id }) => id === 'times');
  if (piece === undefined) return null;
  return div(
    'block missing',
    missingNotice(context, {
      what: 'No samples.',
      why: 'They show whether the run was steady, how its samples are distributed and how it warmed up.',
      command: piece.command,
    }),
  );
}
