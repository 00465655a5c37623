// The aligned table: one row a pair in execution order, one column an engine, what is different about
// A and B. Only the rows near the window exist; the window is the view's.

import {
  bar,
  bodyFont,
  el,
  familySwatch,
  fitName,
  fixed,
  integer,
  inUnit,
  kMissing,
  nameTitle,
  precisionKey,
  replace,
  span,
  visible,
  type Pairs,
  type Report,
  type Side,
  type Unit,
} from '../../public/index.ts';
import { columnWidths, kEngineBar, hasPrecision, type ColumnWidths } from './aligned_columns.ts';
import type { Sort, SortableColumn } from './choice.ts';
import { headCell } from './head_cell.ts';
import { deltaMark, divergingBar, lossDeltaMark, ratioClass, ratioText } from './numbers.ts';
import { otherCells, type OtherCell } from './other_cells.ts';
import { fittingChips } from './chips.ts';
import { changeChips, sideFacts, type SideFacts } from './pair_facts.ts';
import {
  isOfSeveral,
  layersName,
  lossDelta,
  lossOf,
  membersOf,
  onlyReformats,
  pairName,
  speedUp,
  type Both,
  type NameOf,
  type Row,
} from './pair_rows.ts';
import { ioText, memberText, outputDims } from './texts.ts';
import { engineHead } from './totals.ts';
import { VirtualRows } from './virtual_rows.ts';

const kPadding = 32;

export interface AlignedEvents {
  sort(column: SortableColumn): void;
  // The first of the layers, in the engine that was meant.
  select(engine: number, row: number): void;
  hover(engine: number, row: number | null, event: MouseEvent | null): void;
  toggleBlock(block: number): void;
  togglePair(pair: number): void;
  filterType(type: string): void;
  openGraphs(): void;
}

export interface AlignedContent {
  readonly report: Report;
  readonly pairs: Pairs;
  readonly both: Both;
  readonly rows: readonly Row[];
  // Pairs whose layers are shown one by one.
  readonly opened: ReadonlySet<number>;
  readonly unit: Unit;
  readonly sort: Sort | null;
  readonly nameOf: NameOf;
  readonly threshold_ratio: number;
  readonly selectedPair: number | null;
  // Of A and B, and of their differences, in all pairs: what is shown does not change the bars.
  readonly maxMs: number;
  readonly maxDeltaMs: number;
}

export class AlignedTable {
  readonly node: HTMLElement;
  readonly #events: AlignedEvents;
  readonly #columns = el('colgroup');
  readonly #head = el('tr');
  readonly #foot = el('tr', { class: 'sum-row' });
  readonly #table: HTMLTableElement;
  readonly #rows: VirtualRows;
  readonly #others = new Map<string, readonly OtherCell[]>();
  #content: AlignedContent | null = null;
  #widths: ColumnWidths = columnWidths(0, 2);
  #engines: readonly number[] = [];

  constructor(scroller: HTMLElement, events: AlignedEvents) {
    this.#events = events;
    this.#rows = new VirtualRows(scroller, this.#head, this.#foot);
    const { body } = this.#rows;
    this.#table = el(
      'table',
      { class: 'aligned-table' },
      el('caption', { class: 'offscreen' }, 'Aligned layers'),
      this.#columns,
      el('thead', {}, this.#head),
      body,
      el('tfoot', {}, this.#foot),
    );
    this.node = el('div', { class: 'aligned' }, this.#table);
    this.node.style.setProperty('--row-height', `${String(this.#rows.rowHeight)}px`);
    body.addEventListener('click', (event) => this.#click(event));
    body.addEventListener('dblclick', (event) => {
      if (this.#pairAt(event.target) !== null) this.#events.openGraphs();
    });
    body.addEventListener('mousemove', (event) => this.#hover(event));
    body.addEventListener('mouseleave', () => this.#events.hover(0, null, null));
  }

  // --- events

  #rowAt(target: EventTarget | null): Row | null {
    const node = target instanceof Element ? target.closest('tr[data-index]') : null;
    const index = Number(node?.getAttribute('data-index') ?? -1);
    return this.#content?.rows[index] ?? null;
  }

  #pairAt(target: EventTarget | null): number | null {
    const row = this.#rowAt(target);
    return row === null || row.kind === 'block' ? null : row.pair;
  }

  // The layer that is meant: of the engine whose column it is, else of A, else of B.
  #layerAt(target: EventTarget | null): { engine: number; row: number } | null {
    const content = this.#content;
    const row = this.#rowAt(target);
    if (content === null || row === null || row.kind === 'block') return null;
    const { pairs, both } = content;
    if (row.kind === 'member') return { engine: pairs.engine(row.side), row: row.row };
    const cell = target instanceof Element ? target.closest('td[data-side]') : null;
    const wanted =
      cell?.getAttribute('data-side') === 'b' ? (['b', 'a'] as const) : (['a', 'b'] as const);
    for (const side of wanted) {
      const id = pairs.principal(side, row.pair);
      const layer = id === null ? null : both[side].rowOf(id);
      if (layer !== null) return { engine: pairs.engine(side), row: layer };
    }
    return null;
  }

  #click(event: MouseEvent): void {
    const row = this.#rowAt(event.target);
    if (row === null) return;
    if (row.kind === 'block') {
      this.#events.toggleBlock(row.block);
      return;
    }
    if (event.target instanceof Element && event.target.closest('.opener') !== null) {
      this.#events.togglePair(row.pair);
      return;
    }
    const at = this.#layerAt(event.target);
    if (at === null) return;
    if (event.altKey) {
      const type = this.#content?.report.engines[at.engine]?.layers.text('type', at.row) ?? null;
      if (type !== null) this.#events.filterType(type);
      return;
    }
    // A reader who marks text to copy does not want another layer.
    if (window.getSelection()?.type === 'Range') return;
    const node = event.target instanceof Element ? event.target.closest('tr') : null;
    const before = node?.getBoundingClientRect().top ?? null;
    this.#events.select(at.engine, at.row);
    // The panel takes room from what is above the table; the row stays under the pointer.
    const index = this.#content?.rows.indexOf(row) ?? -1;
    if (before !== null && index >= 0) this.#rows.keep(index, before);
  }

  #hover(event: MouseEvent): void {
    const at = this.#layerAt(event.target);
    this.#events.hover(at?.engine ?? 0, at?.row ?? null, event);
  }

  // --- drawing

  show(content: AlignedContent): void {
    if (content.pairs !== this.#content?.pairs || content.report !== this.#content.report) {
      this.#others.clear();
    }
    this.#content = content;
    this.#measure(content);
    this.#drawHead(content);
    this.#drawFoot(content);
    this.#table.setAttribute('aria-rowcount', String(content.rows.length + 2));
    this.#rows.show(content.rows.length, (index) => {
      const row = content.rows[index];
      return row === undefined ? el('tr') : this.#makeRow(row, index, content);
    });
  }

  #measure({ report, pairs }: AlignedContent): void {
    const available = this.node.clientWidth - kPadding;
    const hasTimes = this.#content !== null && this.#content.maxMs > 0;
    const hasLoss = pairs.loss !== null;
    const widths = columnWidths(available, report.engines.length, hasTimes, hasLoss);
    this.#widths = widths;
    this.#engines = report.engines
      .map((_, i) => i)
      .filter((i) => i === pairs.a || i === pairs.b || widths.others !== 'hidden');
    const columns = [
      widths.name,
      ...this.#engines.map((i) => (this.#sideOf(i) === null ? widths.other : widths.engine)),
      widths.delta,
      widths.bar,
      widths.ratio,
      widths.loss,
      widths.loss,
      widths.lossDelta,
      widths.changes,
    ].filter((width) => width > 0);
    this.#table.style.width = `${String(columns.reduce((sum, w) => sum + w, kPadding))}px`;
    replace(
      this.#columns,
      ...columns.map((width, i) => {
        const col = el('col');
        const padding = i === 0 || i === columns.length - 1 ? kPadding / 2 : 0;
        col.style.width = `${String(width + padding)}px`;
        return col;
      }),
    );
  }

  #sideOf(engine: number): Side | null {
    const pairs = this.#content?.pairs;
    return engine === pairs?.a ? 'a' : engine === pairs?.b ? 'b' : null;
  }

  #drawHead({ report, pairs, unit, sort }: AlignedContent): void {
    const head = (
      className: string,
      content: string | HTMLElement,
      column: SortableColumn | null,
      title: string,
    ): HTMLElement =>
      headCell({ className, content, column, title }, sort, (by) => this.#events.sort(by));
    const enginePair = { a: pairs.a, b: pairs.b };
    replace(
      this.#head,
      head('', 'Layer', null, ''),
      ...this.#engines.map((i) => {
        const side = this.#sideOf(i);
        const name = report.engines[i]?.name ?? '';
        return head(
          `engine${side === null ? '' : ' chosen'}`,
          engineHead(report, i, enginePair),
          this.#widths.delta > 0 ? side : null,
          nameTitle(visible(name)),
        );
      }),
      this.#widths.delta > 0
        ? head('right', `B − A, ${unit.unit}`, 'delta', 'By size of change, then by sign')
        : null,
      this.#widths.bar > 0 ? head('', span('offscreen', 'bar'), null, '') : null,
      this.#widths.ratio > 0 ? head('right', 'A ÷ B', 'ratio', 'Speed-up of B over A') : null,
      ...this.#lossCells(
        head('right', 'A dB', 'a_db', this.#lossTitle(pairs, 'A')),
        head('right', 'B dB', 'b_db', this.#lossTitle(pairs, 'B')),
        head('right', 'B − A, dB', 'db', 'Below 0 B loses more; the worst first'),
      ),
      head('changes', 'What changed', null, ''),
    );
  }

  // Of the three cells those that there is room for.
  #lossCells(a: HTMLElement, b: HTMLElement, delta: HTMLElement): readonly HTMLElement[] {
    return [
      ...(this.#widths.loss > 0 ? [a, b] : []),
      ...(this.#widths.lossDelta > 0 ? [delta] : []),
    ];
  }

  #noLoss(): readonly HTMLElement[] {
    return this.#lossCells(el('td'), el('td'), el('td'));
  }

  #lossTitle(pairs: Pairs, side: string): string {
    const where = pairs.loss === 'engine' ? 'the engine' : 'the quantized model’s own arithmetic';
    return `SQNR of what ${side} hands on against the float model, in ${where}, dB`;
  }

  #drawFoot(content: AlignedContent): void {
    const { rows, pairs, unit } = content;
    const listed = rows.flatMap((row) =>
      row.kind === 'pair' ? [row.pair] : row.kind === 'block' && !row.isOpen ? row.pairs : [],
    );
    const delta = sumOf(listed, (pair) => pairs.deltaMs(pair));
    const cells = this.#engines.map((i) => {
      const side = this.#sideOf(i);
      const ms = sumOf(listed, (pair) =>
        side === null ? this.#otherMs(i, pair) : pairs.timeMs(side, pair),
      );
      return el(
        'td',
        { class: `engine${side === null ? '' : ' chosen'}` },
        this.#widths.delta > 0 ? span('time', inUnit(ms, unit)) : null,
      );
    });
    replace(
      this.#foot,
      el(
        'td',
        {},
        `${this.#widths.delta > 0 ? 'Σ of ' : ''}${integer(listed.length)} ${listed.length === 1 ? 'row' : 'rows'}`,
        listed.length < pairs.count ? span('dim', ` of ${integer(pairs.count)}`) : null,
      ),
      ...cells,
      this.#widths.delta > 0 ? el('td', { class: 'right' }, deltaMark(delta, unit, null)) : null,
      this.#widths.bar > 0 ? el('td') : null,
      this.#widths.ratio > 0 ? el('td') : null,
      ...this.#noLoss(),
      el('td'),
    );
  }

  #otherMs(engine: number, pair: number): number | null {
    const cell = this.#otherCell(engine, pair);
    return cell.kind === 'here' ? cell.ms : null;
  }

  #otherCell(engine: number, pair: number): OtherCell {
    const content = this.#content;
    if (content === null) return { kind: 'none' };
    const key = String(engine);
    let cells = this.#others.get(key);
    if (cells === undefined) {
      cells = otherCells(content.report, content.pairs, engine);
      this.#others.set(key, cells);
    }
    return cells[pair] ?? { kind: 'none' };
  }

  #makeRow(row: Row, index: number, content: AlignedContent): HTMLTableRowElement {
    if (row.kind === 'block') return this.#blockRow(row, index, content);
    if (row.kind === 'member') return this.#memberRow(row, index, content);
    const { pair } = row;
    const { pairs, both, unit } = content;
    const facts = {
      a: sideFacts(both.a, pairs, 'a', pair),
      b: sideFacts(both.b, pairs, 'b', pair),
    };
    const beyond = pairs.exceedsNoise(pair);
    const delta = pairs.deltaMs(pair);
    const ratio = speedUp(pairs, pair);
    const isSelected = pair === content.selectedPair;
    const chips = changeChips(pairs.changes(pair), facts.a, facts.b, both);
    const fitting = fittingChips(chips, this.#widths.changes - 10);
    const changes = el(
      'td',
      { class: 'changes' },
      ...fitting.map((chip) => {
        const node = span('chip', chip.text);
        if (chip.title !== '') node.title = chip.title;
        return node;
      }),
    );
    changes.title = chips.length > 2 ? chips.map((chip) => chip.text).join('\n') : '';
    return el(
      'tr',
      {
        class: isSelected ? 'selected' : '',
        attrs: {
          'data-index': index,
          'data-pair': pair,
          'aria-rowindex': index + 2,
          'aria-selected': isSelected ? 'true' : null,
        },
      },
      this.#nameCell(pair, content),
      ...this.#engines.map((i) => {
        const side = this.#sideOf(i);
        return side === null
          ? this.#otherNode(i, pair, content)
          : this.#sideNode(side, facts[side], pairs.timeMs(side, pair), content);
      }),
      this.#widths.delta > 0 ? el('td', { class: 'right' }, deltaMark(delta, unit, beyond)) : null,
      this.#widths.bar > 0
        ? el('td', {}, divergingBar(delta, content.maxDeltaMs, this.#widths.bar / 2 - 6, beyond))
        : null,
      this.#widths.ratio > 0
        ? el(
            'td',
            { class: `right ${ratioClass(ratio, content.threshold_ratio, beyond)}` },
            ratioText(ratio),
          )
        : null,
      ...this.#lossCells(
        lossCell(lossOf(pairs, 'a', pair)),
        lossCell(lossOf(pairs, 'b', pair)),
        el('td', { class: 'right' }, lossDeltaMark(lossDelta(pairs, pair))),
      ),
      changes,
    );
  }

  #nameCell(pair: number, content: AlignedContent): HTMLElement {
    const { pairs, both, nameOf } = content;
    const name = pairName(both, pairs, pair, nameOf);
    const isReformat = onlyReformats(both, pairs, pair);
    const several = isOfSeveral(pairs, pair);
    const isOpened = content.opened.has(pair);
    const room = this.#widths.name - 10 - (isReformat ? 22 : 0) - (several ? 14 : 0);
    const cell = el(
      'td',
      { class: `name${isReformat ? ' reformat' : ''}` },
      isReformat ? familySwatch('reformat') : null,
      several
        ? el(
            'button',
            {
              class: 'opener',
              attrs: {
                type: 'button',
                'aria-expanded': String(isOpened),
                'aria-label': isOpened ? 'Hide the layers' : 'Show the layers',
              },
            },
            isOpened ? '▾' : '▸',
          )
        : null,
      fitName(name, room, bodyFont(12, isReformat ? 400 : 500)),
    );
    const full = (side: Side): string =>
      layersName(both[side], pairs.layers(side, pair), (row, engine) => engine.layerName(row));
    cell.title = nameTitle([full('a'), full('b')].filter((text) => text !== '').join('\n'));
    return cell;
  }

  #sideNode(
    side: Side,
    facts: SideFacts | null,
    ms: number | null,
    content: AlignedContent,
  ): HTMLElement {
    const cell = el('td', { class: 'engine chosen', attrs: { 'data-side': side } });
    if (facts === null) {
      cell.append(span(this.#widths.delta > 0 ? 'time dim' : 'dim', '·'));
      return cell;
    }
    this.#fill(cell, facts, ms, content, hasPrecision(this.#widths));
    return cell;
  }

  #fill(
    cell: HTMLElement,
    facts: SideFacts,
    ms: number | null,
    content: AlignedContent,
    isWide: boolean,
  ): void {
    if (this.#widths.delta > 0) {
      cell.append(span(ms === null ? 'time dim' : 'time', inUnit(ms, content.unit)));
      cell.append(this.#bar(facts, ms, content.maxMs));
    }
    if (isWide) cell.append(span('io', ioText(facts)));
  }

  #bar(facts: SideFacts, ms: number | null, maxMs: number): HTMLElement {
    const key = precisionKey(facts.input);
    const isReformat = facts.family === 'reformat';
    const className = isReformat
      ? 'f-reformat hatched'
      : key === 'unknown'
        ? 'unknown'
        : `p-${key}`;
    return bar(ms === null || !(maxMs > 0) ? 0 : ms / maxMs, kEngineBar - 6, className);
  }

  #otherNode(engine: number, pair: number, content: AlignedContent): HTMLElement {
    const cell = el('td', { class: 'engine' });
    const found = this.#otherCell(engine, pair);
    if (found.kind === 'none') {
      cell.append(span('time dim', '·'));
      return cell;
    }
    if (found.kind === 'above') {
      const name = pairName(content.both, content.pairs, found.pair, content.nameOf);
      const node = span('time dim', '↑');
      cell.append(node);
      cell.title = `in ${name}`;
      if (this.#widths.others === 'full') {
        cell.append(span('io above', `in ${fitName(name, 96, bodyFont(11))}`));
      }
      return cell;
    }
    const own = content.report.engines[engine];
    const [first] = found.list;
    const facts =
      own === undefined || first === undefined ? null : sideFacts(own, found.pairs, 'b', first);
    if (facts === null) return cell;
    if (this.#widths.others === 'full') this.#fill(cell, facts, found.ms, content, true);
    else cell.append(span('time', inUnit(found.ms, content.unit)));
    return cell;
  }

  #memberRow(
    row: Extract<Row, { kind: 'member' }>,
    index: number,
    content: AlignedContent,
  ): HTMLTableRowElement {
    const { both, unit } = content;
    const engine = both[row.side];
    const name = content.nameOf(row.row, engine);
    const cell = el(
      'td',
      { class: 'name member' },
      familySwatch(engine.layers.text('family', row.row)),
      fitName(name, this.#widths.name - 44, bodyFont(12)),
    );
    cell.title = nameTitle(engine.layerName(row.row));
    const time = engine.times(engine.basisOr('median'))[row.row] ?? Number.NaN;
    const dims = outputDims(engine, row.row);
    return el(
      'tr',
      {
        class: 'member',
        attrs: { 'data-index': index, 'data-pair': row.pair, 'aria-rowindex': index + 2 },
      },
      cell,
      ...this.#engines.map((i) => {
        const side = this.#sideOf(i);
        const isOwn = side === row.side;
        return el(
          'td',
          {
            class: `engine${side === null ? '' : ' chosen'}`,
            attrs: { 'data-side': side },
          },
          isOwn && this.#widths.delta > 0
            ? span('time', inUnit(Number.isNaN(time) ? null : time, unit))
            : null,
          isOwn && this.#widths.delta > 0 ? bar(0, kEngineBar - 6, '') : null,
          isOwn && hasPrecision(this.#widths) ? span('io', memberText(engine, row.row)) : null,
        );
      }),
      this.#widths.delta > 0 ? el('td') : null,
      this.#widths.bar > 0 ? el('td') : null,
      this.#widths.ratio > 0 ? el('td') : null,
      ...this.#noLoss(),
      el(
        'td',
        { class: 'changes dim' },
        `${visible(engine.layers.text('type', row.row) ?? kMissing)}${dims === '' ? '' : ` · ${dims}`}`,
      ),
    );
  }

  #blockRow(
    row: Extract<Row, { kind: 'block' }>,
    index: number,
    content: AlignedContent,
  ): HTMLTableRowElement {
    const { pairs, unit } = content;
    const delta = sumOf(row.pairs, (pair) => pairs.deltaMs(pair));
    const { delta: hasDelta, bar: hasBar, ratio: hasRatio } = this.#widths;
    const columns = 1 + Number(hasBar > 0) + Number(hasRatio > 0) + this.#noLoss().length;
    const beyond = row.pairs.filter((pair) => pairs.exceedsNoise(pair) === true).length;
    return el(
      'tr',
      { class: 'block-row', attrs: { 'data-index': index, 'aria-rowindex': index + 2 } },
      el(
        'td',
        { class: 'name' },
        el(
          'button',
          { class: 'opener', attrs: { type: 'button', 'aria-expanded': String(row.isOpen) } },
          row.isOpen ? '▾' : '▸',
        ),
        fitName(visible(row.label), this.#widths.name - 26, bodyFont(12, 600)),
      ),
      ...this.#engines.map((i) => {
        const side = this.#sideOf(i);
        const ms = sumOf(row.pairs, (pair) =>
          side === null ? this.#otherMs(i, pair) : pairs.timeMs(side, pair),
        );
        return el(
          'td',
          { class: `engine${side === null ? '' : ' chosen'}` },
          span('time', inUnit(ms, unit)),
        );
      }),
      hasDelta > 0 ? el('td', { class: 'right' }, deltaMark(delta, unit, null)) : null,
      el(
        'td',
        { class: 'changes dim', attrs: { colspan: columns } },
        `${integer(row.pairs.length)} rows, ${integer(beyond)} beyond noise`,
      ),
    );
  }

  // --- what is lit

  mark(pair: number | null): void {
    if (this.#content === null) return;
    this.#content = { ...this.#content, selectedPair: pair };
    for (const node of this.#rows.made) {
      const isOn = pair !== null && node.getAttribute('data-pair') === String(pair);
      const isMember = node.classList.contains('member');
      node.classList.toggle('selected', isOn && !isMember);
      if (isOn && !isMember) node.setAttribute('aria-selected', 'true');
      else node.removeAttribute('aria-selected');
    }
  }

  light(pair: number | null): void {
    for (const node of this.#rows.made) {
      const isOn = pair !== null && node.getAttribute('data-pair') === String(pair);
      node.classList.toggle('hovered', isOn);
    }
  }

  reveal(pair: number): void {
    const rows = this.#content?.rows ?? [];
    const index = rows.findIndex((row) => row.kind === 'pair' && row.pair === pair);
    if (index < 0) return;
    this.#rows.reveal(index);
  }

  destroy(): void {
    this.#rows.destroy();
  }
}

function lossCell(db: number | null): HTMLElement {
  return el('td', { class: db === null ? 'right dim' : 'right' }, fixed(db, 1));
}

function sumOf(pairs: readonly number[], value: (pair: number) => number | null): number | null {
  let sum: number | null = null;
  for (const pair of pairs) {
    const own = value(pair);
    if (own !== null) sum = (sum ?? 0) + own;
  }
  return sum;
}

// Rows with the layers of opened pairs under them.
export function withMembers(
  rows: readonly Row[],
  both: Both,
  pairs: Pairs,
  opened: ReadonlySet<number>,
): readonly Row[] {
  if (opened.size === 0) return rows;
  return rows.flatMap((row) =>
    row.kind === 'pair' && opened.has(row.pair)
      ? [row, ...membersOf(both, pairs, row.pair)]
      : [row],
  );
}
