// The findings of one rule: a table of which only the rows near the window exist. Two lines a finding,
// because the cause is a sentence and the name is long.

import {
  bar,
  div,
  el,
  familyClass,
  findingKey,
  fitName,
  bodyFont,
  integer,
  inUnit,
  isNumber,
  kMissing,
  layerPrecision,
  nameTitle,
  replace,
  rowOfFinding,
  severitySign,
  significant,
  span,
  timeUnit,
  visible,
  type Engine,
  type Store,
  type Unit,
  type EngineFinding,
} from '../../public/index.ts';

// Where names are narrow, causes get a second line.
const kRowHeight = 40;
const kHighRow = 55;
const kHighRowBelow = 420;
const kOverscan = 12;
const kBarPx = 56;
const kColumns = { sign: 34, number: 48, precision: 132, time: 64, worth: 62, bar: 72 } as const;
const kMinName = 140;

export interface TableEvents {
  choose(finding: EngineFinding): void;
  hover(row: number | null, event: MouseEvent | null): void;
  open(finding: EngineFinding): void;
}

export interface TableContent {
  readonly store: Store;
  readonly findings: readonly EngineFinding[];
  readonly finding: EngineFinding | null;
}

interface Scales {
  readonly time: Unit;
  readonly worth: Unit;
  readonly largest: number;
}

function scalesOf({ store, findings }: TableContent): Scales {
  const { engine, basis } = store;
  const times = engine.times(basis);
  let slowest = 0;
  let largest = 0;
  for (const finding of findings) {
    const row = rowOfFinding(engine, finding);
    const time = row === null ? Number.NaN : (times[row] ?? Number.NaN);
    if (time > slowest) slowest = time;
    if ((finding.estimated_ms ?? 0) > largest) largest = finding.estimated_ms ?? 0;
  }
  return { time: timeUnit(slowest), worth: timeUnit(largest), largest };
}

export class FindingsTable {
  readonly node: HTMLElement;
  readonly #columns = el('colgroup');
  readonly #head = el('tr');
  readonly #body = el('tbody');
  readonly #table: HTMLTableElement;
  readonly #above = el('tr', { class: 'spacer', attrs: { 'aria-hidden': 'true' } }, el('td'));
  readonly #below = el('tr', { class: 'spacer', attrs: { 'aria-hidden': 'true' } }, el('td'));
  #made = new Map<EngineFinding, HTMLTableRowElement>();
  #content: TableContent | null = null;
  #scales: Scales | null = null;
  #nameWidth = kMinName;
  #rowHeight = kRowHeight;
  #hasPrecision = true;
  // Without times there is nothing to estimate with, either.
  #hasTimes = true;
  #frame = 0;

  constructor(events: TableEvents) {
    this.#table = el(
      'table',
      { class: 'layers-table findings-table' },
      el('caption', { class: 'offscreen' }, 'Findings of the rule'),
      this.#columns,
      el('thead', {}, this.#head),
      this.#body,
    );
    this.node = el(
      'div',
      {
        class: 'table-scroll',
        attrs: { tabindex: '0', role: 'region', 'aria-label': 'Findings of the rule' },
      },
      this.#table,
    );
    this.node.addEventListener('scroll', () => this.#schedule(), { passive: true });
    const found = (event: Event): EngineFinding | null => this.#at(event.target);
    this.#body.addEventListener('click', (event) => {
      const finding = found(event);
      if (finding !== null && window.getSelection()?.type !== 'Range') events.choose(finding);
    });
    this.#body.addEventListener('dblclick', (event) => {
      const finding = found(event);
      if (finding !== null) events.open(finding);
    });
    this.#body.addEventListener('mousemove', (event) => {
      const finding = found(event);
      const engine = this.#content?.store.engine;
      events.hover(
        finding === null || engine === undefined ? null : rowOfFinding(engine, finding),
        event,
      );
    });
    this.#body.addEventListener('mouseleave', () => events.hover(null, null));
  }

  #at(target: EventTarget | null): EngineFinding | null {
    const node = target instanceof Element ? target.closest('tr[data-index]') : null;
    const index = Number(node?.getAttribute('data-index') ?? Number.NaN);
    return this.#content?.findings[index] ?? null;
  }

  show(content: TableContent): void {
    const isSame = this.#content?.findings === content.findings;
    this.#content = content;
    this.#scales = scalesOf(content);
    this.#hasTimes = content.store.engine.hasTimes;
    this.#made.clear();
    this.#body.replaceChildren(this.#above, this.#below);
    this.#measure();
    this.#drawHead(content.store);
    this.#table.setAttribute('aria-rowcount', String(content.findings.length + 1));
    // As high as its rows, up to what the style allows.
    this.node.style.setProperty(
      '--rows-height',
      `${String(content.findings.length * this.#rowHeight + 26)}px`,
    );
    if (!isSame) this.node.scrollTop = 0;
    this.#drawRows();
    if (content.finding !== null) this.reveal(content.finding);
  }

  #measure(): void {
    const width = this.node.clientWidth;
    const { sign, number, precision, time, worth, bar: bars } = kColumns;
    const times = this.#hasTimes ? [time, worth, bars] : [];
    const fixed = times.reduce((sum, px) => sum + px, sign + number);
    this.#hasPrecision = width - fixed - precision >= 2 * kMinName;
    const others = fixed + (this.#hasPrecision ? precision : 0);
    this.#nameWidth = Math.max(kMinName, width - others);
    this.#rowHeight = this.#nameWidth < kHighRowBelow ? kHighRow : kRowHeight;
    this.node.style.setProperty('--row-height', `${String(this.#rowHeight)}px`);
    this.node.classList.toggle('high-rows', this.#rowHeight === kHighRow);
    const widths = [sign, number, this.#nameWidth];
    if (this.#hasPrecision) widths.push(precision);
    widths.push(...times);
    this.#table.style.width = `${String(this.#nameWidth + others)}px`;
    replace(
      this.#columns,
      ...widths.map((px) => {
        const col = el('col');
        col.style.width = `${String(px)}px`;
        return col;
      }),
    );
  }

  #drawHead(store: Store): void {
    const th = (text: string, className = '', title: string | null = null): HTMLElement =>
      el('th', { class: className, attrs: { scope: 'col', title } }, text);
    const scales = this.#scales;
    const corrected = store.basis === 'corrected' ? ' corr.' : '';
    const worth = scales?.worth.unit ?? 'ms';
    replace(
      this.#head,
      el('th', { attrs: { scope: 'col' } }, span('offscreen', 'Severity')),
      th('#', 'right'),
      th('Layer, and why'),
      ...(this.#hasPrecision ? [th('In → out')] : []),
      ...(this.#hasTimes
        ? [
            th(`${scales?.time.unit ?? 'ms'}${corrected}`, 'right', 'Time of the layer'),
            th(`saving ${worth}`, 'right', 'Potential saving, as estimated'),
            el(
              'th',
              {
                attrs: {
                  scope: 'col',
                  title: `Full width: ${significant((scales?.largest ?? 0) * (scales?.worth.scale ?? 1), 3)} ${worth}`,
                },
              },
              span('offscreen', 'Estimate as a bar'),
            ),
          ]
        : []),
    );
  }

  #schedule(): void {
    window.cancelAnimationFrame(this.#frame);
    this.#frame = window.requestAnimationFrame(() => this.#drawRows());
  }

  #drawRows(): void {
    const content = this.#content;
    if (content === null) return;
    const { findings } = content;
    const first = Math.max(0, Math.floor(this.node.scrollTop / this.#rowHeight) - kOverscan);
    const last = Math.min(
      findings.length,
      Math.ceil((this.node.scrollTop + this.node.clientHeight) / this.#rowHeight) + kOverscan,
    );
    const kept = new Map<EngineFinding, HTMLTableRowElement>();
    let after: ChildNode = this.#above;
    for (let i = first; i < last; i += 1) {
      const finding = findings[i];
      if (finding === undefined) continue;
      const node = this.#made.get(finding) ?? this.#row(finding, i, content);
      kept.set(finding, node);
      if (after.nextSibling !== node) after.after(node);
      after = node;
    }
    for (const [finding, node] of this.#made) if (!kept.has(finding)) node.remove();
    this.#made = kept;
    for (const [spacer, count] of [
      [this.#above, first],
      [this.#below, findings.length - last],
    ] as const) {
      spacer.style.height = `${String(count * this.#rowHeight)}px`;
      spacer.hidden = count <= 0;
    }
  }

  #row(finding: EngineFinding, index: number, content: TableContent): HTMLTableRowElement {
    const { store } = content;
    const { engine, basis } = store;
    const scales = this.#scales;
    const row = rowOfFinding(engine, finding);
    const isChosen = finding === content.finding;
    const time = row === null ? null : engine.times(basis)[row];
    const td = (className: string, ...children: (Node | string)[]): HTMLElement =>
      el('td', { class: className }, ...children);
    const worth = finding.estimated_ms;
    return el(
      'tr',
      {
        class: isChosen ? 'selected' : '',
        attrs: {
          'data-index': index,
          'data-finding': findingKey(finding),
          'data-row': row,
          'aria-rowindex': index + 2,
          'aria-selected': isChosen ? 'true' : null,
        },
      },
      td('sign-cell', severitySign(finding.severity)),
      td('right dim', row === null ? kMissing : String(engine.layerId(row))),
      this.#words(finding, row, engine, store),
      ...(this.#hasPrecision ? [td('', row === null ? '' : layerPrecision(engine, row))] : []),
      ...(this.#hasTimes
        ? [
            td('right', isNumber(time) && scales !== null ? inUnit(time, scales.time) : kMissing),
            isNumber(worth) && scales !== null
              ? td('right by', inUnit(worth, scales.worth))
              : td('right dim', kMissing),
            td(
              '',
              isNumber(worth) && scales !== null && scales.largest > 0
                ? bar(
                    worth / scales.largest,
                    kBarPx,
                    familyClass(row === null ? null : engine.layers.text('family', row)),
                  )
                : '',
            ),
          ]
        : []),
    );
  }

  #words(finding: EngineFinding, row: number | null, engine: Engine, store: Store): HTMLElement {
    const room = this.#nameWidth - 14;
    const name = row === null ? 'the engine' : store.layerLabel(row);
    const why = finding.suppressed;
    const cause = visible(finding.message.slice(0, 2000));
    const cell = el(
      'td',
      { class: 'name' },
      div('finding-layer', fitName(name, room, bodyFont(12, 600), store.labels())),
      why === null
        ? div('finding-cause', cause)
        : div('finding-cause', span('dim', suppressedText(finding)), ` · ${cause}`),
    );
    const whole = row === null ? name : engine.layerName(row);
    cell.title = `${nameTitle(whole)}\n${cause.slice(0, 1000)}`;
    return cell;
  }

  mark(finding: EngineFinding | null): void {
    if (this.#content === null) return;
    this.#content = { ...this.#content, finding };
    for (const [made, node] of this.#made) {
      node.classList.toggle('selected', made === finding);
      if (made === finding) node.setAttribute('aria-selected', 'true');
      else node.removeAttribute('aria-selected');
    }
    if (finding !== null) this.reveal(finding);
  }

  hover(row: number | null): void {
    const text = row === null ? null : String(row);
    for (const node of this.#made.values()) {
      node.classList.toggle('hovered', text !== null && node.getAttribute('data-row') === text);
    }
  }

  reveal(finding: EngineFinding): void {
    const index = this.#content?.findings.indexOf(finding) ?? -1;
    if (index < 0) return;
    const head = this.#head.offsetHeight;
    const room = this.node.clientHeight - head;
    const top = index * this.#rowHeight;
    if (top < this.node.scrollTop) this.node.scrollTop = top;
    else if (top + this.#rowHeight > this.node.scrollTop + room) {
      this.node.scrollTop = top + this.#rowHeight - room;
    }
  }

  get width(): number {
    return this.node.clientWidth;
  }
}

export function suppressedText({ suppressed }: EngineFinding): string {
  if (suppressed === null) return '';
  const how = suppressed.by === 'waiver' ? 'waived' : 'in the baseline';
  return suppressed.reason === null ? how : `${how}: ${visible(suppressed.reason)}`;
}

export function findingsCount(shown: number, all: number): string {
  return shown === all ? integer(all) : `${integer(shown)} of ${integer(all)}`;
}
