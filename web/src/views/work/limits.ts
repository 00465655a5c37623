// The device limits that layers are compared with, and the sums by type, as `planex explain speed`
// prints them.

import {
  bandwidthText,
  column,
  commandBox,
  div,
  el,
  equals,
  familySwatch,
  Figure,
  figureTable,
  fixed,
  integer,
  joined,
  keepFocus,
  kMissing,
  linkButton,
  msText,
  nameTitle,
  numbers,
  percent,
  plainTable,
  plural,
  rateText,
  replace,
  shellWord,
  span,
  speedOf,
  tableNote,
  visible,
  type Child,
  type Column,
  type ReportSpeed,
  type Speed,
  type SpeedGroup,
  type ViewContext,
} from '../../public/index.ts';
import { shortened } from './conclusion.ts';
import { deviceChoice } from './device_choice.ts';

const kMaxTypes = 12;
const kMaxName = 40;
const kExampleRow =
  '{"schema": "planex.devices/1", "devices": [{"name": "my board", "memory_gb_per_s": 200, "matrix_tflops": {"FP16": 10}, "vector_tflops": {"FP32": 5}}]}';

function limitedBy(group: SpeedGroup): string {
  const part = (count: number, word: string): string | false =>
    count > 0 && `${word} ${integer(count)}`;
  return joined(
    [
      part(group.compute_count, 'compute'),
      part(group.memory_count, 'memory'),
      part(group.launch_count, 'launch'),
      part(group.unknown_count, 'not known'),
    ],
    ', ',
  );
}

// Floats count as FLOP, integers as OP.
export function rateOf(perS: number, type: string | null): string {
  return rateText(perS, type !== null && /^u?int/i.test(type));
}

const soft = (text: string): HTMLElement => el('p', { class: 'soft' }, visible(text));

function device(context: ViewContext, speed: Speed): HTMLElement {
  const { limits } = speed.facts.device;
  if (limits === null) return noDevice(context, speed.facts.device);
  const { bandwidth_source: source } = limits;
  const types = new Set([...context.store.engine.workRows].map((row) => speed.rateType(row)));
  const peaks = [...types].flatMap((type) => {
    const matrix = limits.matrix_flops_per_s[type ?? ''];
    const vector = limits.vector_flops_per_s[type ?? ''];
    const rate = matrix ?? vector;
    if (type === null || rate === undefined) return [];
    const isBoth = matrix !== undefined && vector !== undefined;
    const beside = isBoth ? ` (vector units ${rateOf(vector, type)})` : '';
    return [`${visible(type)} ${rateOf(rate, type)}${beside}`];
  });
  const bandwidth = limits.bytes_per_s === null ? null : bandwidthText(limits.bytes_per_s);
  const lines = [
    limits.source !== null && `peaks from: ${limits.source}`,
    source !== null && source !== limits.source && `bandwidth from: ${source}`,
    limits.note,
    ...limits.remarks,
  ];
  return div(
    'device',
    el(
      'p',
      {},
      el('b', {}, visible(limits.name)),
      `: ${joined([bandwidth, peaks.join(', ')], '; ')}`,
    ),
    ...lines.map((line) => (line === null || line === false || line === '' ? null : soft(line))),
  );
}

// Without a roof: the reason, and the two ways to get one.
function noDevice(
  context: ViewContext,
  { problem, hint, remedy }: ReportSpeed['device'],
): HTMLElement {
  const path = shellWord(context.store.engine.path ?? 'PLAN');
  const command = (options: string): HTMLElement =>
    commandBox(`planex report ${path} ${options} -o report.html`, (text) =>
      context.copy(text, 'command'),
    );
  const why = joined([problem ?? 'the limits of the device are not known', hint], '; ');
  return div(
    'device missing-device',
    el('p', {}, el('b', {}, 'No roofline: '), `${visible(why)}.`),
    // The program can measure the processor that it runs on.
    command(remedy === 'probe' ? '--probe' : '--device NAME'),
    el(
      'details',
      {},
      el('summary', { class: 'link' }, 'How to add a device to the table'),
      el(
        'p',
        {},
        'A row has a name, the memory bandwidth and the dense peak rate of each type (two operations per multiply-accumulate). Save it as a file, for example mine.json, and pass that file:',
      ),
      commandBox(kExampleRow, (text) => context.copy(text, 'row')),
      command('--devices mine.json --device "my board"'),
      soft(
        'See docs/how-to/find-the-limit.md; `planex probe -o mine.json` measures the CPU of this machine.',
      ),
    ),
  );
}

// How the sum of layer times divides.
function sum(context: ViewContext, speed: Speed): HTMLElement {
  const { store } = context;
  const { facts } = speed;
  const { total } = sumsOf(context, speed);
  const isFiltered = store.state.chips.length > 0;
  const { bound_ms: bound, headroom_ms: above, time_ms: ms, unknown_bound_ms: unknown } = total;
  if (ms === null) {
    const isUnknown = facts.device.limits === null;
    const known = isUnknown ? ', and no device limits are known' : ': only lower bounds are known';
    return div('sum', `No layer times${known}.`);
  }
  const others = isFiltered ? 0 : store.engine.othersTotal(store.basis);
  const sigma = `${isFiltered ? 'Σ of these' : 'Σ layers'} ${msText(ms + others)} ms`;
  if (bound === null || above === null) return div('sum', `${sigma}.`);
  const [sign, way] = above < 0 ? ['−', 'by which they beat it'] : ['+', 'above it'];
  const layers = plural(total.unknown_count, 'layer');
  const rest = [
    unknown > 0 && ` + ${msText(unknown)} ms of ${layers} whose work is unknown`,
    others > 0 && ` + ${msText(others)} ms in records that do no work`,
    `; ${percent(total.reached)} % of the limit is reached.`,
  ];
  const { faster_than_bound: beyond, overhead } = facts;
  return div(
    'sum',
    el(
      'p',
      {},
      el(
        'b',
        {},
        `${sigma} = ${msText(bound)} ms at the limit ${sign} ${msText(Math.abs(above))} ms ${way}`,
      ),
      ...rest,
    ),
    isFiltered || overhead.ms === null
      ? null
      : soft(
          `About ${msText(overhead.ms)} ms of the time is profiler overhead (${fixed(overhead.us_per_layer, 1)} µs per layer).`,
        ),
    isFiltered || beyond.count === 0
      ? null
      : soft(
          `${plural(beyond.count, 'layer is', 'layers are')} faster than the bound, by ${msText(beyond.ms)} ms in total: their data came from a cache, or they read only parts of their tensors.`,
        ),
  );
}

function sumsOf({ store }: ViewContext, speed: Speed) {
  const isAll = store.state.chips.length === 0;
  const { rows } = store.selection;
  return {
    groups: speed.groups(rows, store.basis, isAll),
    total: speed.total(rows, store.basis, isAll),
  };
}

function byType(context: ViewContext, speed: Speed): HTMLElement {
  const { groups, total } = sumsOf(context, speed);
  const { store } = context;
  const { engine, basis } = store;
  const { hasTimes, layers } = engine;
  const against = speed.facts.device.limits !== null;
  const isWhole = against && hasTimes;
  const families = new Map(
    Array.from(engine.workRows, (row) => [layers.text('type', row), layers.text('family', row)]),
  );
  // A column with one figure per type, and one for all.
  const figure = (
    head: string,
    help: string,
    text: (group: SpeedGroup) => string,
    cellClass = '',
  ): Column<SpeedGroup> => numbers(head, text, { help, cellClass, foot: () => text(total) });
  const nameOf = ({ type }: SpeedGroup): readonly Child[] => [
    familySwatch(families.get(type) ?? null),
    visible(type ?? 'not known'),
  ];
  const table = plainTable(
    'clickable auto limits-table',
    groups.slice(0, kMaxTypes),
    [
      column('Type', nameOf, { help: 'type of layer', cellClass: 'name', foot: () => 'all' }),
      figure('n', 'layers', ({ count }) => integer(count)),
      hasTimes && figure('ms', `${basis} time`, (group) => msText(group.time_ms)),
      against && figure('limit ms', 'least possible time', (group) => msText(group.bound_ms)),
      isWhole && figure('to gain', 'ms above limit', (group) => msText(group.headroom_ms), 'by'),
      isWhole && figure('% of limit', 'limit ÷ time', ({ reached }) => percent(reached)),
      against &&
        column('limited by', limitedBy, {
          help: 'layers by limit',
          class: 'limited',
          foot: () => limitedBy(total),
        }),
    ],
    {
      row: ({ type }) => ({
        attrs: { 'data-type': type ?? '–', title: 'Filter to these layers' },
        on: { click: () => store.addChip(equals('type', type ?? '–')) },
      }),
    },
  );
  const rest = groups.length - kMaxTypes;
  return div(
    'wide-scroll',
    table,
    tableNote(rest > 0 ? `${plural(rest, 'more type')}: table, CSV` : null),
  );
}

function best({ store }: ViewContext, { facts }: Speed): HTMLElement | null {
  const { engine } = store;
  const { bandwidth, flops } = facts.best_seen;
  const rate = (text: string, id: number): readonly Child[] => {
    const row = engine.rowOf(id);
    if (row === null) return [text, ' (', span('dim', kMissing), ')'];
    const name = shortened(store.layerLabel(row), kMaxName);
    const select = (): void => store.patch({ selected: row });
    return [text, ' (', linkButton(name, nameTitle(engine.layerName(row)), select), ')'];
  };
  const rates = [
    ...(bandwidth === null ? [] : [rate(bandwidthText(bandwidth.bytes_per_s), bandwidth.layer_id)]),
    ...flops.map((one) =>
      rate(`${visible(one.type)} ${rateOf(one.flops_per_s, one.type)}`, one.layer_id),
    ),
  ];
  if (rates.length === 0) return null;
  const of =
    bandwidth === null ? '' : ' (bandwidth: of layers that read whole tensors from memory)';
  return el(
    'p',
    { class: 'soft best-seen' },
    `Best rates in this engine${of}: `,
    ...rates.flatMap((parts, i) => (i === 0 ? parts : [', ', ...parts])),
  );
}

export function limitsFigure(context: ViewContext): Figure {
  const node = div('work-limits');
  const draw = (): void => {
    const speed = speedOf(context.store.engine);
    if (speed === null) return;
    keepFocus(node, () =>
      replace(
        node,
        deviceChoice(context),
        device(context, speed),
        sum(context, speed),
        byType(context, speed),
        best(context, speed),
      ),
    );
  };
  return new Figure(context, {
    id: 'speed-by-type',
    title: 'Device limits',
    isEmpty: () => speedOf(context.store.engine) === null,
    explain: () => 'the least time a layer can take: bytes ÷ bandwidth or operations ÷ peak',
    // Nothing in it is selected, and its open parts stay open.
    body: { node, draw, mark: () => undefined },
    table: () => {
      const speed = speedOf(context.store.engine);
      const sums = speed === null ? null : sumsOf(context, speed);
      const groups = sums?.groups.map((one) => ({ ...one, type: one.type ?? 'not known' })) ?? [];
      return figureTable(sums === null ? [] : [...groups, { ...sums.total, type: 'all' }], [
        ['type', null, ({ type }) => type],
        ['layers', 0, ({ count }) => count],
        ['ms', 3, (group) => group.time_ms],
        ['limit ms', 3, (group) => group.bound_ms],
        ['above limit ms', 3, (group) => group.headroom_ms],
        ['% of limit', 1, ({ reached }) => reached && reached * 100],
        ['limited by compute', 0, (group) => group.compute_count],
        ['by memory', 0, (group) => group.memory_count],
        ['by launch', 0, (group) => group.launch_count],
        ['not known', 0, (group) => group.unknown_count],
      ]);
    },
  });
}
