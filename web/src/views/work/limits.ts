// What layers are held against, and the sums by type, as `planex explain speed` prints them.

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
  keepFocus,
  kMissing,
  linkButton,
  msText,
  numbers,
  percent,
  plainTable,
  plural,
  rateText,
  replace,
  span,
  visible,
  type Column,
  type FigureBody,
  type FigureTable,
  type ReportSpeed,
  type Speed,
  type SpeedGroup,
  type ViewContext,
} from '../../public/index.ts';
import { deviceChoice } from './device_choice.ts';

const kMaxTypes = 12;
const kExampleRow =
  '{"schema": "planex.devices/1", "devices": [{"name": "my board", "memory_gb_per_s": 200, "matrix_tflops": {"FP16": 10}, "vector_tflops": {"FP32": 5}}]}';

function limitedBy(group: SpeedGroup): string {
  const part = (count: number, word: string): string | null =>
    count > 0 ? `${word} ${integer(count)}` : null;
  return [
    part(group.compute_count, 'compute'),
    part(group.memory_count, 'memory'),
    part(group.launch_count, 'launch'),
    part(group.unknown_count, 'not known'),
  ]
    .filter((text) => text !== null)
    .join(', ');
}

// Floats count as FLOP, integers as OP.
export function rateOf(perS: number, type: string | null): string {
  return rateText(perS, type !== null && /^u?int/i.test(type));
}

class Limits implements FigureBody {
  readonly node = div('work-limits');
  readonly #context: ViewContext;
  readonly #speed: () => Speed | null;

  constructor(context: ViewContext, speed: () => Speed | null) {
    this.#context = context;
    this.#speed = speed;
  }

  groups(): readonly SpeedGroup[] {
    const { store } = this.#context;
    const isAll = store.state.chips.length === 0;
    return this.#speed()?.groups(store.selection.rows, store.basis, isAll) ?? [];
  }

  total(): SpeedGroup | null {
    const { store } = this.#context;
    const isAll = store.state.chips.length === 0;
    return this.#speed()?.total(store.selection.rows, store.basis, isAll) ?? null;
  }

  draw(): void {
    const speed = this.#speed();
    if (speed === null) {
      replace(this.node);
      return;
    }
    keepFocus(this.node, () =>
      replace(
        this.node,
        deviceChoice(this.#context),
        this.#device(speed),
        this.#sum(),
        this.#byType(),
        this.#best(speed),
      ),
    );
  }

  #device(speed: Speed): HTMLElement {
    const { limits } = speed.facts.device;
    if (limits === null) return this.#noDevice(speed.facts.device);
    const rows = this.#context.store.engine.workRows;
    const used = new Set([...rows].map((row) => speed.rateType(row)).filter((t) => t !== null));
    const peaks = [...used].flatMap((type) => {
      const matrix = limits.matrix_flops_per_s[type];
      const vector = limits.vector_flops_per_s[type];
      const rate = matrix ?? vector;
      if (rate === undefined) return [];
      const beside =
        matrix !== undefined && vector !== undefined
          ? ` (vector units ${rateOf(vector, type)})`
          : '';
      return [`${visible(type)} ${rateOf(rate, type)}${beside}`];
    });
    const head = [
      limits.bytes_per_s === null ? null : bandwidthText(limits.bytes_per_s),
      peaks.length === 0 ? null : peaks.join(', '),
    ].filter((text) => text !== null);
    const line = (text: string | null): HTMLElement | null =>
      text === null || text === '' ? null : el('p', { class: 'soft' }, visible(text));
    return div(
      'device',
      el('p', {}, el('b', {}, visible(limits.name)), `: ${head.join('; ')}`),
      line(limits.source === null ? null : `peaks from: ${limits.source}`),
      line(
        limits.bandwidth_source === null || limits.bandwidth_source === limits.source
          ? null
          : `bandwidth from: ${limits.bandwidth_source}`,
      ),
      line(limits.note),
      ...limits.remarks.map(line),
    );
  }

  // Without a roof: why, and the two ways to get one.
  #noDevice({ problem, hint, remedy }: ReportSpeed['device']): HTMLElement {
    const context = this.#context;
    const copy = (text: string): void => context.copy(text, 'command');
    const path = context.store.engine.path ?? 'PLAN';
    // The program can measure the processor that it runs on.
    const isCpu = remedy === 'probe';
    const quoted = /^[\w./~+-]+$/.test(path) ? path : `'${path.replace(/'/g, "'\\''")}'`;
    return div(
      'device missing-device',
      el(
        'p',
        {},
        el('b', {}, 'No roofline: '),
        `${visible(problem ?? 'the limits of the device are not known')}${hint === null ? '' : `; ${visible(hint)}`}.`,
      ),
      commandBox(
        isCpu
          ? `planex report ${quoted} --probe -o report.html`
          : `planex report ${quoted} --device NAME -o report.html`,
        copy,
      ),
      el(
        'details',
        {},
        el('summary', {}, 'How to add a device to the table'),
        el(
          'p',
          {},
          'A row has a name, the memory bandwidth and the dense peak rate of each type (two operations per multiply-accumulate). Save it as a file, for example mine.json, and pass that file:',
        ),
        commandBox(kExampleRow, (text) => context.copy(text, 'row')),
        commandBox(
          `planex report ${quoted} --devices mine.json --device "my board" -o report.html`,
          copy,
        ),
        el(
          'p',
          { class: 'soft' },
          'See docs/how-to/find-the-limit.md; `planex probe -o mine.json` measures the CPU of this machine.',
        ),
      ),
    );
  }

  // How the sum of layer times divides.
  #sum(): HTMLElement | null {
    const total = this.total();
    const speed = this.#speed();
    if (total === null || speed === null) return null;
    const filtered = this.#context.store.state.chips.length > 0;
    const sigma = filtered ? 'Σ of these' : 'Σ layers';
    const { engine, basis } = this.#context.store;
    const others = filtered ? 0 : engine.othersTotal(basis);
    if (total.time_ms === null) {
      return el(
        'p',
        { class: 'sum' },
        speed.facts.device.limits === null
          ? 'No layer times, and no device limits are known.'
          : 'No layer times: only lower bounds are known.',
      );
    }
    if (total.bound_ms === null || total.headroom_ms === null) {
      return el('p', { class: 'sum' }, `${sigma} ${msText(total.time_ms + others)} ms.`);
    }
    const faster = total.headroom_ms < 0;
    const open =
      total.unknown_bound_ms > 0
        ? ` + ${msText(total.unknown_bound_ms)} ms of ${plural(total.unknown_count, 'layer')} whose work is unknown`
        : '';
    const rest = others > 0 ? ` + ${msText(others)} ms in records that do no work` : '';
    const { faster_than_bound: beyond, overhead } = speed.facts;
    return el(
      'div',
      { class: 'sum' },
      el(
        'p',
        {},
        el(
          'b',
          {},
          `${sigma} ${msText(total.time_ms + others)} ms = ${msText(total.bound_ms)} ms at the limit ${faster ? '−' : '+'} ${msText(Math.abs(total.headroom_ms))} ms ${faster ? 'by which they beat it' : 'above it'}`,
        ),
        `${open}${rest}; ${percent(total.reached)} % of the limit is reached.`,
      ),
      filtered || overhead.ms === null
        ? null
        : el(
            'p',
            { class: 'soft' },
            `About ${msText(overhead.ms)} ms of the time is profiler overhead (${fixed(overhead.us_per_layer, 1)} µs per layer).`,
          ),
      filtered || beyond.count === 0
        ? null
        : el(
            'p',
            { class: 'soft' },
            `${plural(beyond.count, 'layer is', 'layers are')} faster than the bound, by ${msText(beyond.ms)} ms in total: their data came from a cache, or they read only parts of their tensors.`,
          ),
    );
  }

  #byType(): HTMLElement {
    const { store } = this.#context;
    const groups = this.groups();
    const total = this.total();
    const against = (this.#speed()?.facts.device.limits ?? null) !== null;
    const { hasTimes } = store.engine;
    const families = new Map<string | null, string | null>();
    for (const row of store.engine.workRows) {
      families.set(store.engine.layers.text('type', row), store.engine.layers.text('family', row));
    }
    const isWhole = against && hasTimes;
    // A figure of each type, and of all.
    const figure = (
      head: string,
      help: string,
      text: (group: SpeedGroup) => string,
      cellClass = '',
    ): Column<SpeedGroup> =>
      numbers(head, text, { help, cellClass, foot: () => total && text(total) });
    return div(
      'wide-scroll',
      plainTable(
        'clickable limits-table',
        groups.slice(0, kMaxTypes),
        [
          column(
            'Type',
            ({ type }) => [
              familySwatch(families.get(type) ?? null),
              type === null ? 'not known' : visible(type),
            ],
            {
              help: 'type of layer',
              cellClass: 'name',
              ...(total === null ? {} : { foot: () => 'all' }),
            },
          ),
          figure('n', 'layers', ({ count }) => integer(count)),
          hasTimes && figure('ms', `${store.basis} time`, (group) => msText(group.time_ms)),
          against && figure('limit ms', 'least possible time', (group) => msText(group.bound_ms)),
          isWhole &&
            figure('to gain', 'ms above limit', (group) => msText(group.headroom_ms), 'by'),
          isWhole && figure('% of limit', 'limit over time', ({ reached }) => percent(reached)),
          against &&
            column('limited by', limitedBy, {
              help: 'layers by limit',
              class: 'limited',
              foot: () => total && limitedBy(total),
            }),
        ],
        {
          row: ({ type }) => ({
            attrs: { 'data-type': type ?? '–', title: 'Filter to these layers' },
            on: { click: () => store.addChip(equals('type', type ?? '–')) },
          }),
        },
      ),
      groups.length > kMaxTypes
        ? div('dim table-note', `${plural(groups.length - kMaxTypes, 'more type')}: table, CSV`)
        : null,
    );
  }

  #best(speed: Speed): HTMLElement | null {
    const { store } = this.#context;
    const { engine } = store;
    const { bandwidth: bestBytes, flops: bestFlops } = speed.facts.best_seen;
    const parts: HTMLElement[] = [];
    const layer = (id: number | null): HTMLElement => {
      const row = id === null ? null : engine.rowOf(id);
      if (row === null) return span('dim', kMissing);
      const name = store.layerLabel(row);
      const node = linkButton(
        name.length > 40 ? `${name.slice(0, 24)}…${name.slice(-14)}` : name,
        engine.layerName(row).slice(0, 1000),
        () => store.patch({ selected: row }),
      );
      return node;
    };
    if (bestBytes !== null) {
      parts.push(
        span('', `${bandwidthText(bestBytes.bytes_per_s)} (`, layer(bestBytes.layer_id), ')'),
      );
    }
    for (const { type, flops_per_s, layer_id } of bestFlops) {
      parts.push(span('', `${visible(type)} ${rateOf(flops_per_s, type)} (`, layer(layer_id), ')'));
    }
    if (parts.length === 0) return null;
    return el(
      'p',
      { class: 'soft best-seen' },
      bestBytes === null
        ? 'Best rates in this engine: '
        : 'Best rates in this engine (bandwidth: of layers that read whole tensors from memory): ',
      ...parts.flatMap((part, i) => (i === 0 ? [part] : [', ', part])),
    );
  }

  table(): FigureTable {
    const total = this.total();
    const rows = this.groups().map((group) => ({ name: group.type ?? 'not known', group }));
    const all = total === null ? [] : [{ name: 'all', group: total }];
    return figureTable(
      [...rows, ...all],
      [
        ['type', null, ({ name }) => name],
        ['layers', 0, ({ group }) => group.count],
        ['ms', 3, ({ group }) => group.time_ms],
        ['limit ms', 3, ({ group }) => group.bound_ms],
        ['above limit ms', 3, ({ group }) => group.headroom_ms],
        ['% of limit', 1, ({ group: { reached } }) => reached && reached * 100],
        ['limited by compute', 0, ({ group }) => group.compute_count],
        ['by memory', 0, ({ group }) => group.memory_count],
        ['by launch', 0, ({ group }) => group.launch_count],
        ['not known', 0, ({ group }) => group.unknown_count],
      ],
    );
  }
}

export function limitsFigure(context: ViewContext, speed: () => Speed | null): Figure {
  const body = new Limits(context, speed);
  return new Figure(context, {
    id: 'speed-by-type',
    title: 'Device limits',
    explain: () => 'the least time a layer can take: bytes ÷ bandwidth or operations ÷ peak',
    body,
    table: () => body.table(),
  });
}
