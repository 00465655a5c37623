// The parts of the details panel for a layer, in the same order everywhere.

import { div, el, span, type Child } from '../base/dom.ts';
import {
  bytesText,
  dimsText,
  flopsText,
  integer,
  macsQuantity,
  oneDecimal,
  quantityText,
  significant,
  timeUnit,
} from '../base/format.ts';
import { joined, visible } from '../base/text.ts';
import type { EngineFinding } from '../model/engine.ts';
import { equals } from '../model/filter.ts';
import { findingState } from '../model/finding_state.ts';
import type { Store } from '../model/store.ts';
import { fixText } from '../public/finding_text.ts';
import {
  familySwatch,
  iconButton,
  linkButton,
  precisionMark,
  severitySign,
  type FittedName,
} from '../public/page/marks.ts';
import { layerFigures, panelHead, panelSection } from '../public/panel.ts';
import type { ViewContext } from '../public/page/view.ts';
import {
  factGrid,
  fittedName,
  kShownRows,
  layerLine,
  longText,
  shownOf,
  timeText,
  type TextFact,
} from './panel_parts.ts';
import { speedSection } from './speed_section.ts';

export function layerParts(
  context: ViewContext,
  row: number,
  names: FittedName[],
): readonly Child[] {
  const { store } = context;
  return [
    head(context, row),
    findings(store, row),
    ports(store, row, names),
    speedSection(store.engine, store.basis, row),
    numbers(store, row),
    attributes(store, row),
    tactic(context, row),
    kernels(store, row, names),
    sources(store, row),
    neighbours(store, row, names),
  ];
}

// By time among the layers that do work, the slowest first; null for a layer that does none.
function rankOf({ engine, basis }: Store, row: number): number | null {
  const times = engine.times(basis);
  const own = times[row] ?? 0;
  if (!engine.workRows.includes(row)) return null;
  let rank = 1;
  for (const other of engine.workRows) {
    const time = times[other] ?? 0;
    if (time > own || (time === own && other < row)) rank += 1;
  }
  return rank;
}

function head(context: ViewContext, row: number): HTMLElement {
  const { store } = context;
  const { engine } = store;
  const { layers } = engine;
  const role = layers.text('role', row);
  const rank = rankOf(store, row);
  const type = visible(layers.text('type', row) ?? 'unknown type');
  const place = `#${String(engine.layerId(row))} of ${integer(engine.workRows.length)}`;
  const name = engine.rawName(row);
  return panelHead(
    [
      familySwatch(layers.text('family', row)),
      span('dim', `${type} · ${place}`),
      role !== null && role !== 'work' && span('chip', visible(role)),
    ],
    [
      iconButton('left', 'Previous layer (←)', () => store.step(-1)),
      iconButton('right', 'Next layer (→)', () => store.step(1)),
      iconButton('copy', 'Copy the name (c)', () => context.copy(name, 'name')),
    ],
    () => store.patch({ selected: null }),
    longText(name === '' ? '(no name)' : name, 'panel-name'),
    layerFigures(store, row, rank === null ? '' : ` · rank ${integer(rank)}`),
  );
}

// What a reader asks next: why, how the saving is estimated, and what to do.
function findingDetails({ evidence, estimate_method, fix }: EngineFinding): HTMLElement | null {
  const parts = [evidence, estimate_method && `estimate: ${estimate_method}`].filter(Boolean);
  if (parts.length === 0 && fix === '') return null;
  return el(
    'details',
    {},
    el('summary', { class: 'link' }, fix === '' ? 'Evidence' : 'Evidence and fix'),
    ...parts.map((text) => div('soft', visible(text ?? ''))),
    fix === '' ? null : div('fix', fixText(fix)),
  );
}

function findings(store: Store, row: number): HTMLElement | null {
  const found = store.engine.findingsOf(row);
  if (found.length === 0) return null;
  const one = (finding: EngineFinding): HTMLElement => {
    const { rule, estimated_ms: worthMs } = finding;
    const props = {
      class: 'rule',
      attrs: { type: 'button', title: 'This finding: evidence, fix, potential saving' },
      on: { click: () => store.patch(findingState(store, finding)) },
    };
    return div(
      'finding',
      severitySign(finding.severity),
      div(
        'wraps',
        el('button', props, visible(rule)),
        ` ${visible(finding.message)}`,
        worthMs !== null && div('soft', `potential saving ≈ ${significant(worthMs, 2)} ms`),
        findingDetails(finding),
        linkButton('its layers', 'Filter to the layers of this rule', () =>
          store.addChip(equals('finding', rule)),
        ),
      ),
    );
  };
  return el('section', {}, ...found.map(one));
}

function ports({ engine }: Store, row: number, names: FittedName[]): HTMLElement | null {
  const { ports: table } = engine;
  const rows = engine.portsOf(row);
  if (rows.length === 0) return null;
  const one = (port: number): readonly HTMLElement[] => {
    const way = table.text('direction', port) === 'output' ? 'out' : 'in';
    const bytes = table.number('bytes', port);
    const strides = table.list('strides', port);
    const location = table.text('location', port);
    const layout = joined([table.text('layout', port), bytes !== null && bytesText(bytes)], ' · ');
    const facts = div(
      'port-facts',
      dimsText(table.list('dims', port)),
      precisionMark(table.text('dtype', port)),
      span('soft', visible(layout)),
    );
    const more = [
      table.text('raw_format', port),
      strides !== null && `strides ${strides.join(', ')}`,
      location !== null && `location ${location}`,
    ];
    facts.title = joined(more, '\n').split('\n').map(visible).join('\n');
    return [
      el('dt', {}, `${way} ${String(table.number('index', port) ?? 0)}`),
      el('dd', {}, fittedName(names, table.text('tensor', port) ?? ''), facts),
    ];
  };
  const list = el('dl', { class: 'facts-list' }, ...rows.slice(0, kShownRows).flatMap(one));
  return panelSection('Ports', shownOf(rows.length), list);
}

function section(title: string, right: Child, content: Child): HTMLElement | null {
  return content === null ? null : panelSection(title, right, content);
}

function numbers({ engine }: Store, row: number): HTMLElement | null {
  const { layers } = engine;
  const n = (column: string): number | null => layers.number(column, row);
  const unit = timeUnit(Math.max(n('max_ms') ?? 0, n('mean_ms') ?? 0, n('median_ms') ?? 0));
  const fact = (key: string, column: string, text: (value: number) => string | null): TextFact => {
    const value = n(column);
    return [key, value === null ? null : text(value)];
  };
  const ms = (key: string): TextFact => fact(key, `${key}_ms`, (value) => timeText(value, unit));
  const least = engine.family(row) === 'opaque' ? '≥ ' : '';
  const word = (key: string, column: string): TextFact => [key, layers.text(column, row)];
  const facts = [
    ...['median', 'mean', 'min', 'max', 'corrected'].map(ms),
    fact('samples', 'count', integer),
    fact('moved', 'footprint_bytes', (bytes) => least + bytesText(bytes)),
    fact('inputs', 'input_bytes', bytesText),
    fact('outputs', 'output_bytes', bytesText),
    fact('weights', 'weight_bytes', bytesText),
    fact('MACs', 'macs', (macs) => quantityText(macsQuantity(macs))),
    fact('work', 'flops', (flops) => least + flopsText(flops)),
    fact('intensity', 'arithmetic_intensity', (ratio) => `${significant(ratio)} FLOP/B`),
    word('stream', 'stream'),
    word('block', 'block_id'),
    word('origin', 'origin'),
    word('subtype', 'subtype'),
    word('raw type', 'raw_type'),
  ];
  return section('Numbers', null, factGrid(facts));
}

function attributes({ engine }: Store, row: number): HTMLElement | null {
  const { attributes: table } = engine;
  const facts = engine
    .attributesOf(row)
    .map((i): TextFact => [table.text('key', i) ?? '', table.text('value', i)]);
  return section('Attributes', null, factGrid(facts));
}

function tactic(context: ViewContext, row: number): HTMLElement | null {
  const name = context.store.engine.layers.text('tactic', row);
  if (name === null || name === '') return null;
  const button = iconButton('copy', 'Copy the tactic', () => context.copy(name, 'tactic'));
  return panelSection('Tactic', button, longText(name, 'code-text'));
}

// The layer's kernel launches, as recorded in a trace of Nsight Systems.
function kernels({ engine }: Store, row: number, names: FittedName[]): HTMLElement | null {
  const { kernels: table } = engine;
  const rows = engine.kernelsOf(row);
  if (rows.length === 0) return null;
  const one = (kernel: number): HTMLElement => {
    const number = (column: string): number | null => table.number(column, kernel);
    const median = number('median_us');
    const count = number('count');
    const grid = table.list('grid', kernel);
    const block = table.list('block', kernel);
    const shape = grid && block && `${grid.join('×')} × ${block.join('×')}`;
    const facts = div(
      'port-facts',
      median !== null && span('', `${oneDecimal(median)} µs`),
      shape !== null && span('soft', shape),
      count !== null && span('soft', `${integer(count)} launches`),
    );
    const more = (key: string, column: string): string | null => {
      const value = number(column);
      return value === null ? null : `${key} ${integer(value)}`;
    };
    const lines = [
      shape !== null && 'blocks × threads per block',
      more('stream', 'stream'),
      more('registers per thread', 'registers'),
      more('bytes of shared memory', 'shared_bytes'),
    ];
    facts.title = joined(lines, '\n');
    return div('kernel', fittedName(names, table.text('name', kernel) ?? '(no name)'), facts);
  };
  const sum = timeText(engine.layers.number('kernel_ms', row));
  return panelSection(
    'Kernels',
    shownOf(rows.length) ?? (sum && `Σ ${sum}`),
    ...rows.slice(0, kShownRows).map(one),
  );
}

function sources({ engine }: Store, row: number): HTMLElement | null {
  const { sources: table } = engine;
  const rows = engine.sourcesOf(row);
  if (rows.length === 0) return null;
  const evidence = new Set(rows.map((i) => table.text('evidence', i)).filter((e) => e !== null));
  const chips = rows.slice(0, kShownRows * 2).map((i) => {
    const title = visible(table.text('op_type', i) ?? '');
    const name = visible((table.text('op_name', i) ?? '').slice(0, 200));
    return el('span', { class: 'chip', attrs: { title: title || null } }, name);
  });
  const how = evidence.size === 0 ? '' : `by ${[...evidence].join(', ')}`;
  return panelSection('Sources', visible(how), div('flow chip-list', ...chips));
}

function neighbours(store: Store, row: number, names: FittedName[]): HTMLElement | null {
  const { engine, basis } = store;
  const { before, after } = engine.neighbours(row);
  if (before.length + after.length === 0) return null;
  const times = engine.times(basis);
  const unit = timeUnit(Math.max(0, ...[...before, ...after].map((r) => times[r] ?? 0)));
  const line = (arrow: string, label: string) => (other: number) => {
    const mark = el('span', { class: 'dim', attrs: { role: 'img', 'aria-label': label } }, arrow);
    return layerLine(store, names, mark, other, timeText(times[other], unit));
  };
  return panelSection(
    'Neighbors',
    shownOf(before.length + after.length),
    ...before.slice(0, kShownRows / 2).map(line('↑', 'writes what this reads')),
    ...after.slice(0, kShownRows / 2).map(line('↓', 'reads what this writes')),
  );
}
