// The filter row: chips, the way to add one, and the tally of what is on screen.

import { div, el, icon, replace, span } from '../base/dom.ts';
import { fixed, integer, isNumber, percent, plural } from '../base/format.ts';
import { visible } from '../base/text.ts';
import { chipText, equals, kFilterFields, parseChip, type Chip } from '../model/filter.ts';
import type { Store } from '../model/store.ts';
import { keepFocus } from '../public/page/keep_focus.ts';
import { familySwatch, fitName, precisionSwatch } from '../public/page/marks.ts';
import type { FilterRowPart } from '../public/page/view.ts';
import { kRibbonHint } from './ribbon.ts';

const kMaxChip = 240;
const kQuickPicks = 8;

export class FilterRow {
  readonly node: HTMLElement;
  readonly #store: Store;
  readonly #chips = div('chips');
  readonly #tally = el('div', { class: 'tally', attrs: { 'aria-live': 'polite' } });
  readonly #hint = div('ribbon-hint', kRibbonHint);
  readonly #lead = div('filter-lead');
  #part: FilterRowPart | null = null;
  #editor: HTMLElement | null = null;

  constructor(store: Store) {
    this.#store = store;
    this.node = el(
      'div',
      { class: 'filter-row', attrs: { role: 'region', 'aria-label': 'Filter' } },
      this.#lead,
      this.#chips,
      span('grow'),
      this.#hint,
      this.#tally,
    );
  }

  // Counts of what the view on screen contains.
  show(part: FilterRowPart | null): void {
    this.#part = part;
    this.#lead.hidden = part === null || part.lead.length === 0;
    keepFocus(this.#lead, () => replace(this.#lead, ...(part?.lead ?? [])));
    this.update();
  }

  update(): void {
    const { chips } = this.#store.state;
    replace(
      this.#chips,
      ...chips.map((chip, i) => this.#chip(chip, i)),
      el(
        'button',
        {
          class: 'chip add',
          attrs: { type: 'button', 'aria-label': 'Add a filter' },
          on: { click: () => this.open() },
        },
        '+ filter',
        el('kbd', {}, 'f'),
      ),
      this.#roles(),
    );
    this.#drawTally();
    const { engine } = this.#store;
    this.#hint.hidden = this.#part !== null || engine.extent(this.#store.basis).kind !== 'time';
  }

  #chip(chip: Chip, index: number): HTMLElement {
    const text = visible(chipText(chip));
    return el(
      'span',
      { class: 'chip', attrs: { title: text } },
      span('chip-text', fitName(text, kMaxChip)),
      el(
        'button',
        {
          class: 'chip-close',
          attrs: { type: 'button', 'aria-label': `Remove filter ${text}` },
          on: { click: () => this.#store.removeChip(index) },
        },
        icon('close'),
      ),
    );
  }

  // Layers that do no work are left out by default; a click brings them back.
  #roles(): HTMLElement | null {
    const { engine, state } = this.#store;
    const all = engine.layers.rowCount;
    const work = engine.workRows.length;
    if (this.#part !== null || all === work || state.chips.some((chip) => chip.field === 'role'))
      return null;
    return el(
      'button',
      {
        class: 'roles',
        attrs: { type: 'button', title: 'Show all records, including those that do no work' },
        on: { click: () => this.#store.addChip(equals('role', 'any')) },
      },
      `role: does work (${integer(work)} of ${plural(all, 'record')})`,
    );
  }

  #drawTally(): void {
    if (this.#part !== null) {
      replace(this.#tally, ...this.#part.tally);
      return;
    }
    const { shown, all, ms, allMs } = this.#store.tally;
    const corrected = this.#store.basis === 'corrected' ? ' corr.' : '';
    const share = isNumber(ms) && isNumber(allMs) && allMs > 0 ? ms / allMs : null;
    replace(
      this.#tally,
      el('b', {}, integer(shown)),
      ` of ${plural(all, 'layer')} · `,
      ...(isNumber(ms) && isNumber(allMs)
        ? [el('b', {}, fixed(ms, 3)), ` ms · ${percent(share)} % of Σ layers${corrected}`]
        : ['no times']),
    );
  }

  clear(): void {
    this.#store.patch({ chips: [] });
  }

  open(): void {
    if (this.#editor !== null) return;
    const input = el('input', {
      attrs: {
        type: 'text',
        'aria-label': 'Filter',
        placeholder: 'type:Reformat   ms>0.01   name~conv   layer:10-20',
        autocomplete: 'off',
        spellcheck: 'false',
      },
    });
    const note = el('div', { class: 'editor-note', attrs: { role: 'status' } });
    note.textContent = `fields: ${kFilterFields.map((f) => f.name).join(' ')} · "not" before it, "|" between values`;
    const editor = div('popup filter-editor', input, note, this.#quickPicks());
    this.#editor = editor;
    input.addEventListener('keydown', (event) => {
      event.stopPropagation();
      if (event.key === 'Escape') this.close();
      if (event.key !== 'Enter') return;
      const parsed = parseChip(input.value);
      if (parsed.chip === null) {
        note.textContent = parsed.error;
        note.classList.add('problem');
        return;
      }
      this.close();
      this.#store.addChip(parsed.chip);
    });
    editor.addEventListener('focusout', (event) => {
      const to = event.relatedTarget;
      if (!(to instanceof Node) || !editor.contains(to)) this.close();
    });
    this.node.append(editor);
    input.focus();
  }

  close(): boolean {
    const editor = this.#editor;
    if (editor === null) return false;
    // Forget it before removing it: removing blurs, and blurring closes.
    this.#editor = null;
    editor.remove();
    return true;
  }

  #quickPicks(): HTMLElement {
    const { summary } = this.#store.engine;
    const pick = (
      field: string,
      value: string,
      swatch: HTMLElement,
      count: number,
    ): HTMLElement => {
      const click = (): void => {
        this.close();
        this.#store.addChip(equals(field, value));
      };
      return el(
        'button',
        { class: 'chip pick', attrs: { type: 'button' }, on: { click } },
        swatch,
        fitName(visible(value), kMaxChip),
        el('em', {}, integer(count)),
      );
    };
    const types = summary.by_type
      .slice(0, kQuickPicks)
      .map((g) => g.type !== null && pick('type', g.type, familySwatch(g.family ?? null), g.count));
    const precisions = summary.by_precision
      .slice(0, kQuickPicks)
      .map(
        ({ precision, count }) =>
          precision !== null && pick('precision', precision, precisionSwatch(precision), count),
      );
    return div('quick-picks', div('flow', ...types), div('flow', ...precisions));
  }
}
