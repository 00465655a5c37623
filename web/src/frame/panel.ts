// The details panel: the selected layer, in the same order everywhere. Esc closes it, its edge drags.

import { div, el, replace, span, type Child } from '../base/dom.ts';
import {
  bytesText,
  dimsText,
  fixed,
  flopsQuantity,
  integer,
  inUnit,
  isNumber,
  macsQuantity,
  oneDecimal,
  percent,
  quantityText,
  significant,
  timeUnit,
} from '../base/format.ts';
import { visible } from '../base/text.ts';
import { equals } from '../model/filter.ts';
import { findingState } from '../model/finding_state.ts';
import type { Store } from '../model/store.ts';
import type { EngineFinding } from '../model/engine.ts';
import { fixText } from '../public/finding_text.ts';
import {
  familySwatch,
  fitAll,
  iconButton,
  linkButton,
  layerPrecision,
  precisionMark,
  severitySign,
  type FittedName,
} from '../public/marks.ts';
import type { ViewContext } from '../public/view.ts';
import { ItemPanel } from './item_panel.ts';
import { section } from './panel_section.ts';
import { severalParts } from './several_panel.ts';
import { speedSection } from './speed_section.ts';

const kMinWidth = 320;
const kMaxWidth = 560;
// What a reader can take in; the rest is one click away.
const kShownText = 600;
const kShownRows = 12;

function longText(text: string, className: string): HTMLElement {
  const shown = visible(text);
  if (shown.length <= kShownText) return div(className, shown);
  const node = div(className, `${shown.slice(0, kShownText)}…`);
  const more = el(
    'button',
    { class: 'link', attrs: { type: 'button' } },
    `all ${integer(shown.length)} characters`,
  );
  more.addEventListener('click', () => replace(node, shown));
  node.append(' ', more);
  return node;
}

// What the view on screen has to say itself; null: nothing.
export type OwnParts = (names: FittedName[]) => readonly Child[] | null;

// What a reader asks next: why, from what the worth is estimated, and what to do.
function findingDetails(finding: EngineFinding): HTMLElement | null {
  const why = [finding.evidence, finding.estimate_method && `estimate: ${finding.estimate_method}`];
  const parts = why.filter((text) => text !== null && text !== '');
  const fix = finding.fix === '' ? null : finding.fix;
  if (parts.length === 0 && fix === null) return null;
  return el(
    'details',
    {},
    el('summary', {}, fix === null ? 'Evidence' : 'Evidence and fix'),
    ...parts.map((text) => div('soft', visible(text ?? ''))),
    fix === null ? null : div('fix', fixText(fix)),
  );
}

export class Panel {
  readonly node: HTMLElement;
  readonly #body = div('panel-body');
  readonly #store: Store;
  readonly #context: ViewContext;
  readonly #item: ItemPanel;
  readonly #own: OwnParts;
  // Rank by time of every row, for one engine and basis.
  #ranks: { readonly key: string; readonly ranks: Int32Array } | null = null;

  constructor(store: Store, context: ViewContext, own: OwnParts) {
    this.#store = store;
    this.#context = context;
    this.#own = own;
    this.#item = new ItemPanel(store, context);
    const edge = el('div', {
      class: 'panel-edge',
      attrs: {
        role: 'separator',
        'aria-orientation': 'vertical',
        'aria-label': 'Width of the panel',
      },
    });
    edge.addEventListener('pointerdown', (event) => this.#resize(edge, event));
    this.node = el(
      'aside',
      { class: 'panel', attrs: { 'aria-label': 'Selection' } },
      edge,
      this.#body,
    );
  }

  #resize(edge: HTMLElement, down: PointerEvent): void {
    const from = this.node.offsetWidth;
    edge.setPointerCapture(down.pointerId);
    const move = (event: PointerEvent): void => {
      const width = Math.min(kMaxWidth, Math.max(kMinWidth, from + down.clientX - event.clientX));
      // On what is around it: views make room for it.
      this.node.parentElement?.style.setProperty('--panel-width', `${width.toFixed(0)}px`);
    };
    const up = (): void => {
      edge.removeEventListener('pointermove', move);
      edge.removeEventListener('pointerup', up);
      window.dispatchEvent(new Event('resize'));
    };
    edge.addEventListener('pointermove', move);
    edge.addEventListener('pointerup', up);
  }

  get open(): boolean {
    return !this.node.hidden;
  }

  // What is selected, where it is no layer, for those who hear the page.
  itemAnnouncement(): string {
    return this.#item.announcement();
  }

  // Another thing to show: from its top.
  show(): void {
    this.update();
    this.#body.scrollTop = 0;
  }

  update(): void {
    const row = this.#store.state.selected;
    const names: FittedName[] = [];
    const own = this.#own(names);
    const parts = own ?? (row === null ? this.#item.parts(names) : []);
    this.node.hidden = own === null && row === null && parts.length === 0;
    if (this.node.hidden) return;
    if (own !== null || row === null) {
      replace(this.#body, ...parts);
      fitAll(names);
      return;
    }
    if (this.#store.state.more.length > 0) {
      replace(this.#body, ...severalParts(this.#store, names));
      fitAll(names);
      return;
    }
    replace(
      this.#body,
      this.#head(row),
      this.#findings(row),
      this.#ports(row, names),
      speedSection(this.#store.engine, this.#store.basis, row),
      this.#numbers(row),
      this.#attributes(row),
      this.#tactic(row),
      this.#kernels(row, names),
      this.#sources(row),
      this.#neighbours(row, names),
    );
    fitAll(names);
  }

  #rank(row: number): number | null {
    const { engine, basis } = this.#store;
    const key = `${engine.id} ${basis}`;
    if (this.#ranks?.key !== key) {
      const times = engine.times(basis);
      const order = [...engine.workRows].sort((a, b) => (times[b] ?? 0) - (times[a] ?? 0));
      const ranks = new Int32Array(engine.layers.rowCount);
      for (const [i, r] of order.entries()) ranks[r] = i + 1;
      this.#ranks = { key, ranks };
    }
    const rank = this.#ranks.ranks[row] ?? 0;
    return rank > 0 ? rank : null;
  }

  #head(row: number): HTMLElement {
    const { engine, basis } = this.#store;
    const type = engine.layers.text('type', row);
    const role = engine.layers.text('role', row);
    const time = engine.times(basis)[row];
    const unit = timeUnit(isNumber(time) ? time : 0);
    const corrected = basis === 'corrected' ? ' corr.' : '';
    const rank = this.#rank(row);
    return el(
      'div',
      { class: 'panel-head' },
      div(
        'panel-line',
        familySwatch(engine.layers.text('family', row)),
        span(
          'dim',
          `${visible(type ?? 'unknown type')} · #${String(engine.layerId(row))} of ${integer(engine.workRows.length)}`,
        ),
        role !== null && role !== 'work' ? span('chip', visible(role)) : null,
        span('grow'),
        iconButton('left', 'Previous layer (←)', () => this.#store.step(-1)),
        iconButton('right', 'Next layer (→)', () => this.#store.step(1)),
        iconButton('copy', 'Copy the name (c)', () =>
          this.#context.copy(engine.rawName(row), 'name'),
        ),
        iconButton('close', 'Close (Esc)', () => this.#store.patch({ selected: null })),
      ),
      longText(engine.rawName(row) === '' ? '(no name)' : engine.rawName(row), 'panel-name'),
      div(
        'panel-line figures',
        isNumber(time)
          ? span('key-figure', inUnit(time, unit), el('small', {}, unit.unit))
          : span('dim', engine.hasTimes ? 'not in the profile' : 'no times'),
        isNumber(time)
          ? span(
              'soft',
              `${percent(engine.share(row, basis))} % of Σ${corrected}${rank === null ? '' : ` · rank ${integer(rank)}`}`,
            )
          : null,
        layerPrecision(engine, row),
      ),
    );
  }

  #findings(row: number): HTMLElement | null {
    const findings = this.#store.engine.findingsOf(row);
    if (findings.length === 0) return null;
    const one = (finding: EngineFinding): HTMLElement =>
      div(
        'finding',
        severitySign(finding.severity),
        div(
          'finding-text',
          el(
            'button',
            {
              class: 'rule',
              attrs: { type: 'button', title: 'This finding: evidence, fix, potential saving' },
              on: { click: () => this.#store.patch(findingState(this.#store, finding)) },
            },
            visible(finding.rule),
          ),
          ' ',
          visible(finding.message),
          finding.estimated_ms === null
            ? null
            : div('soft', `potential saving ≈ ${significant(finding.estimated_ms, 2)} ms`),
          findingDetails(finding),
          linkButton('its layers', 'Filters to the layers of this rule', () =>
            this.#store.addChip(equals('finding', finding.rule)),
          ),
        ),
      );
    return el('section', {}, ...findings.map(one));
  }

  #ports(row: number, names: FittedName[]): HTMLElement | null {
    const { engine } = this.#store;
    const { ports } = engine;
    const rows = engine.portsOf(row);
    if (rows.length === 0) return null;
    const one = (port: number): readonly HTMLElement[] => {
      const output = ports.text('direction', port) === 'output';
      const tensor = ports.text('tensor', port) ?? '';
      const name = span('port-name');
      name.title = visible(tensor.slice(0, 1000));
      names.push({ name: visible(tensor), node: name });
      const bytes = ports.number('bytes', port);
      const strides = ports.list('strides', port);
      const location = ports.text('location', port);
      const layout = [ports.text('layout', port), bytes === null ? null : bytesText(bytes)]
        .filter((part) => part !== null)
        .map((part) => visible(part))
        .join(' · ');
      const raw = ports.text('raw_format', port);
      const facts = div(
        'port-facts',
        dimsText(ports.list('dims', port)),
        precisionMark(ports.text('dtype', port)),
        span('soft', layout),
      );
      const details = [
        raw,
        strides === null ? null : `strides ${strides.join(', ')}`,
        location === null ? null : `location ${location}`,
      ];
      facts.title = details
        .filter((part) => part !== null)
        .map((part) => visible(part))
        .join('\n');
      return [
        el('dt', {}, `${output ? 'out' : 'in'} ${String(ports.number('index', port) ?? 0)}`),
        el('dd', {}, div('port-line', name), facts),
      ];
    };
    const list = el('dl', { class: 'ports' }, ...rows.slice(0, kShownRows).flatMap(one));
    return section('Ports', more(rows.length), list);
  }

  #numbers(row: number): HTMLElement | null {
    const { engine } = this.#store;
    const { layers } = engine;
    const n = (column: string): number | null => layers.number(column, row);
    const longest = Math.max(n('max_ms') ?? 0, n('mean_ms') ?? 0, n('median_ms') ?? 0);
    const unit = timeUnit(longest);
    const ms = (column: string): string | null => {
      const value = n(column);
      return value === null ? null : `${inUnit(value, unit)} ${unit.unit}`;
    };
    const least = engine.family(row) === 'opaque' ? '≥ ' : '';
    const bytes = (column: string, prefix = ''): string | null => {
      const value = n(column);
      return value === null ? null : prefix + bytesText(value);
    };
    const flops = n('flops');
    const macs = n('macs');
    const intensity = n('arithmetic_intensity');
    const facts: readonly (readonly [string, string | null])[] = [
      ['median', ms('median_ms')],
      ['mean', ms('mean_ms')],
      ['min', ms('min_ms')],
      ['max', ms('max_ms')],
      ['corrected', ms('corrected_ms')],
      ['samples', n('count') === null ? null : integer(n('count'))],
      ['moved', bytes('footprint_bytes', least)],
      ['inputs', bytes('input_bytes')],
      ['outputs', bytes('output_bytes')],
      ['weights', bytes('weight_bytes')],
      ['MACs', macs === null ? null : quantityText(macsQuantity(macs))],
      ['work', flops === null ? null : least + quantityText(flopsQuantity(flops))],
      ['intensity', intensity === null ? null : `${significant(intensity)} FLOP/B`],
      ['stream', layers.text('stream', row)],
      ['block', layers.text('block_id', row)],
      ['origin', layers.text('origin', row)],
      ['subtype', layers.text('subtype', row)],
      ['raw type', layers.text('raw_type', row)],
    ];
    return this.#grid('Numbers', facts);
  }

  #grid(
    title: string,
    facts: readonly (readonly [string, string | null])[],
    right: Child = null,
  ): HTMLElement | null {
    const known = facts.filter((fact): fact is readonly [string, string] => fact[1] !== null);
    if (known.length === 0) return null;
    // Long values take the whole width; short ones stand two to a line.
    const cells = known.map(([key, value]) => {
      const text = visible(value);
      const wide = text.length + key.length > 24;
      return div(
        `fact${wide ? ' wide' : ''}`,
        span('fact-key', visible(key)),
        wide ? longText(value, 'fact-value') : span('fact-value', text),
      );
    });
    return section(title, right, div('facts', ...cells));
  }

  #attributes(row: number): HTMLElement | null {
    const { engine } = this.#store;
    const rows = engine.attributesOf(row);
    const facts = rows.map(
      (i) => [engine.attributes.text('key', i) ?? '', engine.attributes.text('value', i)] as const,
    );
    return this.#grid('Attributes', facts);
  }

  #tactic(row: number): HTMLElement | null {
    const tactic = this.#store.engine.layers.text('tactic', row);
    if (tactic === null || tactic === '') return null;
    return section(
      'Tactic',
      iconButton('copy', 'Copy the tactic', () => this.#context.copy(tactic, 'tactic')),
      longText(tactic, 'code-text'),
    );
  }

  // What the layer launches, as a trace of Nsight Systems has it.
  #kernels(row: number, names: FittedName[]): HTMLElement | null {
    const { engine } = this.#store;
    const { kernels, layers } = engine;
    const rows = engine.kernelsOf(row);
    if (rows.length === 0) return null;
    const sum = layers.number('kernel_ms', row);
    const one = (kernel: number): HTMLElement => {
      const full = kernels.text('name', kernel) ?? '(no name)';
      const name = span('port-name');
      name.title = visible(full.slice(0, 1000));
      names.push({ name: visible(full), node: name });
      const median = kernels.number('median_us', kernel);
      const count = kernels.number('count', kernel);
      const grid = kernels.list('grid', kernel);
      const block = kernels.list('block', kernel);
      const shape =
        grid === null || block === null ? null : `${grid.join('×')} × ${block.join('×')}`;
      const facts = div(
        'port-facts',
        median === null ? null : span('', `${oneDecimal(median)} µs`),
        shape === null ? null : span('soft', shape),
        count === null ? null : span('soft', `${integer(count)} launches`),
      );
      const more = (key: string, column: string): string | null => {
        const value = kernels.number(column, kernel);
        return value === null ? null : `${key} ${integer(value)}`;
      };
      facts.title = [
        shape === null ? null : 'blocks × threads per block',
        more('stream', 'stream'),
        more('registers per thread', 'registers'),
        more('bytes of shared memory', 'shared_bytes'),
      ]
        .filter((part) => part !== null)
        .join('\n');
      return div('kernel', div('port-line', name), facts);
    };
    const unit = timeUnit(sum ?? 0);
    const right = sum === null ? null : span('', `Σ ${inUnit(sum, unit)} ${unit.unit}`);
    return section(
      'Kernels',
      rows.length > kShownRows ? more(rows.length) : right,
      ...rows.slice(0, kShownRows).map(one),
    );
  }

  #sources(row: number): HTMLElement | null {
    const { engine } = this.#store;
    const rows = engine.sourcesOf(row);
    if (rows.length === 0) return null;
    const { sources } = engine;
    const evidence = new Set(
      rows.map((i) => sources.text('evidence', i)).filter((e) => e !== null),
    );
    const chips = rows.slice(0, kShownRows * 2).map((i) => {
      const type = sources.text('op_type', i);
      const chip = span('chip', visible((sources.text('op_name', i) ?? '').slice(0, 200)));
      if (type !== null) chip.title = visible(type);
      return chip;
    });
    const how = evidence.size === 0 ? '' : `by ${[...evidence].join(', ')}`;
    return section('Sources', span('', visible(how)), div('chip-list', ...chips));
  }

  #neighbours(row: number, names: FittedName[]): HTMLElement | null {
    const { engine, basis } = this.#store;
    const { before, after } = engine.neighbours(row);
    if (before.length + after.length === 0) return null;
    const times = engine.times(basis);
    const unit = timeUnit(Math.max(0, ...[...before, ...after].map((r) => times[r] ?? 0)));
    const line = (arrow: string, label: string) => (other: number) => {
      const name = el('button', {
        class: 'link',
        attrs: { type: 'button', title: engine.layerName(other).slice(0, 1000) },
        on: { click: () => this.#store.patch({ selected: other }) },
      });
      names.push({ name: this.#store.layerLabel(other), node: name });
      const time = times[other];
      return div(
        'neighbour',
        el('span', { attrs: { role: 'img', 'aria-label': label } }, arrow),
        div('neighbour-name', name),
        isNumber(time) ? span('', `${inUnit(time, unit)} ${unit.unit}`) : null,
      );
    };
    return section(
      'Neighbors',
      more(before.length + after.length),
      ...before.slice(0, kShownRows / 2).map(line('↑', 'writes what this reads')),
      ...after.slice(0, kShownRows / 2).map(line('↓', 'reads what this writes')),
    );
  }
}

function more(count: number): string | null {
  return count > kShownRows ? `${fixed(kShownRows, 0)} of ${integer(count)}` : null;
}
