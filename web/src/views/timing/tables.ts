// What is said of the measurement in words and figures: the verdict, percentiles, phases.

import {
  Figure,
  div,
  el,
  fixed,
  integer,
  isNumber,
  kMissing,
  missingNotice,
  percent,
  sectionTitle,
  signed,
  span,
  visible,
  type FigureBody,
  type FigureTable,
  type ViewContext,
  type TimingPhase,
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

const th = (text: string, className = '', title?: string): HTMLElement =>
  el('th', { class: className, attrs: { scope: 'col', title } }, text);
const td = (className: string, text: string): HTMLElement => el('td', { class: className }, text);

// A table as the body of a figure: its numbers can be saved.
class TableBody implements FigureBody {
  readonly node = div('table-body');

  constructor(table: HTMLElement) {
    this.node.append(table);
  }
  draw(): void {
    // Drawn once.
  }
  svg(): null {
    return null;
  }
  destroy(): void {
    // Nothing is held.
  }
}

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
  const table = el(
    'table',
    { class: 'plain percentiles' },
    el(
      'thead',
      {},
      el('tr', {}, th(''), ...columns.map((c) => th(`${c.field}, ${c.of}`, 'right'))),
    ),
    el(
      'tbody',
      {},
      ...kRows
        .filter(([, key]) =>
          columns.some(({ figures }) => isNumber(figures[key]) && isResolved(key, figures.count)),
        )
        .map(([name, key]) =>
          el(
            'tr',
            { class: key === 'median_ms' ? 'strong' : '' },
            el('th', { attrs: { scope: 'row' } }, key === 'count' ? name : `${name}, ms`),
            ...columns.map(({ figures }) => {
              const value = isResolved(key, figures.count) ? figures[key] : null;
              const decimals = key === 'count' ? 0 : levelDecimals(figures.median_ms);
              return td(`right${isNumber(value) ? '' : ' dim'}`, fixed(value, decimals));
            }),
          ),
        ),
    ),
  );
  const body = new TableBody(table);
  for (const note of notes(timing.fields)) body.node.append(el('p', { class: 'soft' }, note));
  return new Figure(context, {
    id: 'percentiles',
    title: 'Percentiles',
    explain: () =>
      timing.steady_state === null
        ? 'as printed by the tool that measured'
        : 'linear between samples',
    body,
    table: (): FigureTable => ({
      columns: [
        { title: 'figure', decimals: null },
        ...columns.map((c) => ({ title: `${c.field} ${c.of}`, decimals: 6 })),
      ],
      rows: kRows.map(([name, key]) => [
        key === 'count' ? name : `${name} ms`,
        ...columns.map(({ figures }) => figures[key]),
      ]),
    }),
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
  const table = el(
    'table',
    { class: 'plain phases' },
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        th('phase'),
        th('samples', 'right'),
        th('from', 'right'),
        th('median ms', 'right'),
        th('change %', 'right', 'Of the median, against that of the trusted phase'),
        th('spread %', 'right', 'Robust standard deviation, of the median'),
        th('spikes', 'right'),
      ),
    ),
    el(
      'tbody',
      {},
      ...steady.phases
        .slice(0, kMaxPhases)
        .map((phase) =>
          el(
            'tr',
            { class: phase.is_trusted ? 'strong' : '' },
            td('', kind(phase)),
            td('right', integer(phase.count)),
            td('right', integer(phase.first)),
            td('right', fixed(phase.median_ms, decimals)),
            td('right', change(phase)),
            td('right', isNumber(phase.spread_ratio) ? percent(phase.spread_ratio) : kMissing),
            td('right', integer(phase.spike_count)),
          ),
        ),
    ),
  );
  const body = new TableBody(table);
  if (rest > 0)
    body.node.append(el('p', { class: 'soft' }, `${integer(rest)} more are in the CSV.`));
  return new Figure(context, {
    id: 'phases',
    title: 'Phases',
    explain: () => `${integer(steady.phases.length)} ranges of one level each`,
    body,
    table: () => ({
      columns: [
        { title: 'phase', decimals: null },
        { title: 'samples', decimals: 0 },
        { title: 'first', decimals: 0 },
        { title: 'start ms', decimals: 3 },
        { title: 'median ms', decimals },
        { title: 'change ratio', decimals: 6 },
        { title: 'spread ratio', decimals: 6 },
        { title: 'spikes', decimals: 0 },
      ],
      rows: steady.phases.map((phase) => [
        kind(phase),
        phase.count,
        phase.first,
        phase.start_ms,
        phase.median_ms,
        phase.change_ratio,
        phase.spread_ratio,
        phase.spike_count,
      ]),
    }),
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
