// The search field and its hits. The first hit is highlighted at once; a layer hit selects the
// layer, a type, tactic or rule becomes a filter.

import { div, el, replace, span } from '../base/dom.ts';
import { visible } from '../base/text.ts';
import { equals } from '../model/filter.ts';
import { SearchIndex, type Hit } from '../model/search.ts';
import type { Engine } from '../model/engine.ts';
import type { Store } from '../model/store.ts';
import { fitName } from '../public/page/marks.ts';

const kShown = 12;

// Safari has no idle callbacks: use a slice of a frame now and then.
const kSliceMs = 6;

function whenIdle(work: (timeLeft: () => number) => void): void {
  if (typeof window.requestIdleCallback === 'function') {
    window.requestIdleCallback((deadline) => work(() => deadline.timeRemaining()));
    return;
  }
  window.setTimeout(() => {
    const end = performance.now() + kSliceMs;
    work(() => end - performance.now());
  }, kSliceMs);
}

export class SearchBox {
  readonly node: HTMLElement;
  readonly input: HTMLInputElement;
  readonly #list: HTMLElement;
  readonly #store: Store;
  readonly #indexes = new Map<Engine, SearchIndex>();
  #hits: readonly Hit[] = [];
  #active = 0;
  // The layers that the last search found, for next and previous.
  #walk: readonly number[] = [];

  constructor(store: Store) {
    this.#store = store;
    this.#list = el('div', {
      class: 'popup search-hits',
      attrs: { role: 'listbox', id: 'search-hits', hidden: true },
    });
    this.input = el('input', {
      attrs: {
        type: 'text',
        placeholder: 'Search layers, tensors, tactics',
        'aria-label': 'Search layers, tensors, tactics',
        role: 'combobox',
        'aria-expanded': 'false',
        'aria-controls': 'search-hits',
        autocomplete: 'off',
        spellcheck: 'false',
      },
    });
    this.node = div('search', this.input, el('kbd', {}, '/'), this.#list);
    this.input.addEventListener('input', () => this.#update());
    this.input.addEventListener('focus', () => this.#update());
    // Pressing a hit must not move the focus before the click completes.
    this.#list.addEventListener('pointerdown', (event) => event.preventDefault());
    this.input.addEventListener('blur', () => this.#close());
    this.input.addEventListener('keydown', (event) => this.#key(event));
  }

  #index(): SearchIndex {
    const { engine } = this.#store;
    const index = this.#indexes.get(engine) ?? new SearchIndex(engine);
    this.#indexes.set(engine, index);
    return index;
  }

  // Built while the reader is idle, so that the first letter need not wait.
  #prepare(): void {
    const index = this.#index();
    const { engine } = this.#store;
    const step = (timeLeft: () => number): void => {
      if (!index.advance(() => timeLeft() > 1)) whenIdle(step);
      else whenIdle(() => engine.prepare());
    };
    whenIdle(step);
  }

  #update(): void {
    const query = this.input.value;
    this.#hits = query.trim() === '' ? [] : this.#index().find(query);
    this.#active = 0;
    this.#draw();
  }

  #close(): void {
    this.#list.hidden = true;
    this.input.setAttribute('aria-expanded', 'false');
  }

  #draw(): void {
    const empty = this.input.value.trim() === '';
    this.#list.hidden = empty;
    this.input.setAttribute('aria-expanded', String(!empty));
    const width = Math.max(200, this.#list.clientWidth - 96);
    const rows = this.#hits.slice(0, kShown).map((hit, i) =>
      el(
        'div',
        {
          class: `hit${i === this.#active ? ' active' : ''}`,
          attrs: { role: 'option', id: `hit-${String(i)}`, 'aria-selected': i === this.#active },
          on: { click: () => this.#choose(hit) },
        },
        span('hit-kind', hit.kind),
        span('hit-text', fitName(visible(hit.text.slice(0, 4000)), width)),
      ),
    );
    const more = this.#hits.length - rows.length;
    replace(
      this.#list,
      ...rows,
      this.#hits.length === 0 && div('hit-note', 'No matches'),
      more > 0 &&
        div('hit-note', `and ${String(more)}${this.#hits.length >= 50 ? ' or more' : ''}`),
    );
    const active = rows.length > 0 ? `hit-${String(this.#active)}` : '';
    this.input.setAttribute('aria-activedescendant', active);
  }

  #key(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const count = Math.min(kShown, this.#hits.length);
      if (count > 0) {
        this.#active = (this.#active + (event.key === 'ArrowDown' ? 1 : count - 1)) % count;
        this.#draw();
      }
      event.preventDefault();
    } else if (event.key === 'Enter') {
      const hit = this.#hits[this.#active];
      if (hit !== undefined) this.#choose(hit);
    } else if (event.key === 'Escape') {
      this.input.value = '';
      this.input.blur();
    } else return;
    event.stopPropagation();
  }

  #choose(hit: Hit): void {
    this.#walk = this.#hits.flatMap((h) => (h.row === null ? [] : [h.row]));
    this.#close();
    this.input.blur();
    if (hit.row !== null) {
      this.#store.patch({ selected: hit.row });
      return;
    }
    this.#store.addChip(equals(hit.kind, hit.text));
  }

  walk(by: 1 | -1): void {
    if (this.#walk.length === 0) return;
    const selected = this.#store.state.selected;
    const at = selected === null ? -1 : this.#walk.indexOf(selected);
    const next = this.#walk[(at + by + this.#walk.length) % this.#walk.length];
    if (next !== undefined) this.#store.patch({ selected: next });
  }

  engineChanged(): void {
    this.#walk = [];
    this.input.value = '';
    this.#prepare();
  }
}
