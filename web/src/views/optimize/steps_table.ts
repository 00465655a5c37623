// Everything that was tried, in the order in which it was, with the reason why it was not kept.

import {
  column,
  el,
  gridFigure,
  integer,
  joined,
  linkButton,
  numbers,
  percent,
  plural,
  quantity,
  severitySign,
  span,
  visible,
  type Columns,
  type Figure,
  type OptimizeStep,
} from '../../public/index.ts';
import { aimOf } from './aim.ts';
import { changeText, dbText, intervalText, isKept, stateText, whatText } from './record.ts';
import type { Shown } from './state.ts';

const kVisibleRows = 24;
const kMinName = 180;
const kLetterPx = 7;
const kMinStep = 90;
const kMaxStep = 200;

// A kept step, or one that failed, is marked; the others only say why.
const mark = (step: OptimizeStep): HTMLElement =>
  isKept(step)
    ? span('optimize-mark', '✓ ')
    : step.state === 'failed'
      ? severitySign('error', 'failed')
      : span('');

// States whose reasons say the same in more words.
const kSaidByReason: readonly string[] = [
  'not-faster',
  'not-confirmed',
  'not-smaller',
  'too-far',
  'too-late',
  'unchanged',
];

export function cameOfIt(step: OptimizeStep): string {
  if (isKept(step)) return `kept: ${whatText(step)}`;
  const reason = visible(step.reason ?? '');
  if (reason !== '' && kSaidByReason.includes(step.state)) return reason;
  return joined([stateText(step), reason], ': ');
}

function columnsOf(shown: Shown): Columns<OptimizeStep> {
  const { context, record } = shown;
  const { steps } = record;
  const aim = aimOf(record);
  const has = (value: (step: OptimizeStep) => unknown): boolean =>
    steps.some((step) => value(step) !== null);
  const letters = Math.max(4, ...steps.map(({ id }) => id.length));
  const name = (step: OptimizeStep): HTMLElement => {
    const attrs = { type: 'button', 'data-step': steps.indexOf(step) };
    return el('button', { class: 'cell-button', attrs }, visible(step.id));
  };
  const copy = (step: OptimizeStep): HTMLElement | string => {
    const { command } = step;
    if (command === null) return '';
    const button = linkButton('copy', visible(command), () => context.copy(command, 'command'));
    button.addEventListener('click', (event) => event.stopPropagation());
    return button;
  };
  return [
    column('step', name, {
      id: 'step',
      help: 'the order in which they were tried',
      width: Math.min(kMaxStep, Math.max(kMinStep, letters * kLetterPx + 24)),
      cellClass: (step) => (isKept(step) ? 'strong' : ''),
      sortBy: (step) => steps.indexOf(step),
      startsUp: true,
    }),
    column('kind', ({ kind }) => visible(kind), {
      id: 'kind',
      help: 'kind of step',
      width: 72,
      cellClass: 'soft',
      optional: true,
      sortBy: ({ kind }) => kind,
    }),
    quantity(
      'change',
      'change',
      (step) => step.change_ratio,
      (ratio) => changeText(ratio),
      {
        help: `change of the ${aim.name === 'memory' ? 'memory' : 'time per inference'} against what it was tried on`,
        width: 82,
        cellClass: (step) => (isKept(step) ? 'faster' : ''),
        startsUp: true,
      },
    ),
    numbers('95 %', (step) => intervalText(step) ?? '', {
      help: '95 % interval of the change, in %',
      width: 112,
      cellClass: 'dim',
      optional: true,
    }),
    quantity('ms', aim.name, (step) => aim.figure(step.after), aim.text, {
      help: `${aim.name} with it, in the turns in which it was tried`,
      width: 88,
    }),
    has((step) => step.sqnr_db) &&
      quantity(
        'sqnr',
        'SQNR, dB',
        (step) => (step.is_equal ? Number.POSITIVE_INFINITY : step.sqnr_db),
        (_, step) => dbText(step),
        { help: 'SQNR of the worst output against the float model', width: 72, optional: true },
      ),
    has((step) => step.top1_ratio) &&
      quantity(
        'top1',
        'top-1, %',
        (step) => step.top1_ratio,
        (ratio) => percent(ratio),
        {
          help: 'rows of which the largest class is the same',
          width: 70,
          optional: true,
        },
      ),
    has((step) => step.layer_count) &&
      quantity(
        'layers',
        'layers',
        (step) => step.layer_count,
        (count) => integer(count),
        {
          help: 'layers of the engine that do work',
          width: 58,
          optional: 'late',
        },
      ),
    quantity(
      'seconds',
      's',
      (step) => step.duration_s,
      (s) => s.toFixed(1),
      {
        help: 'seconds to make, judge, build and measure it',
        width: 54,
        optional: true,
      },
    ),
    column('what came of it', cameOfIt, {
      id: 'state',
      help: 'what came of it',
      width: null,
      mark,
      sortBy: ({ state, reason }) => `${state} ${reason ?? ''}`,
    }),
    has((step) => step.command) &&
      numbers('', copy, { id: 'command', help: 'the command that does it by hand', width: 52 }),
  ];
}

export function stepsFigure(shown: Shown): Figure {
  const { context, record } = shown;
  const { store } = context;
  return gridFigure<OptimizeStep>(context, {
    id: 'optimize-steps',
    title: 'All that was tried',
    label: 'All that was tried',
    explain: () =>
      record.steps.length === 0
        ? 'nothing'
        : `${plural(record.steps.length, 'step')}, in their order`,
    columns: () => columnsOf(shown),
    visibleRows: kVisibleRows,
    minName: kMinName,
    items: () => record.steps,
    click: (step) => shown.choose(step),
    isSelected: (step) => shown.chosen === step,
    sort: () => store.option('optimize.sort'),
    setSort: (sort) => store.setOption('optimize.sort', sort),
    data: () => [
      ['step', null, ({ id }) => id],
      ['kind', null, ({ kind }) => kind],
      ['state', null, ({ state }) => state],
      ['reason', null, ({ reason }) => reason],
      ['change ratio', 4, (step) => step.change_ratio],
      ['95 % from ratio', 4, (step) => step.low_ratio],
      ['95 % to ratio', 4, (step) => step.high_ratio],
      ['before ms', 4, ({ before }) => before.median_ms],
      ['after ms', 4, ({ after }) => after.median_ms],
      ['before bytes', 0, ({ before }) => before.memory_bytes],
      ['after bytes', 0, ({ after }) => after.memory_bytes],
      ['SQNR dB', 2, (step) => step.sqnr_db],
      ['equal', null, (step) => (step.is_equal ? 'yes' : 'no')],
      ['top-1 ratio', 4, (step) => step.top1_ratio],
      ['layers', 0, (step) => step.layer_count],
      ['seconds', 1, (step) => step.duration_s],
      ['command', null, (step) => step.command],
    ],
  }).figure;
}
