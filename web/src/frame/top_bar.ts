// The top bar: which engine, what it is, search, time basis, theme, keys.

import { div, el, icon, replace, span, type IconName } from '../base/dom.ts';
import { visible } from '../base/text.ts';
import { kBases, type Basis, type Engine } from '../model/engine.ts';
import type { Store } from '../model/store.ts';
import { fitName, nameTitle } from '../public/marks.ts';
import { producerText } from '../public/producer.ts';
import type { SearchBox } from './search_box.ts';
import { servedLinks } from './served.ts';

const kMaxEngineName = 260;

const kBasisLabels: Readonly<Record<Basis, string>> = {
  median: 'Median',
  mean: 'Mean',
  corrected: 'Corrected',
};

function description(engine: Engine): string {
  const facts = engine.summary.engine;
  const parts = [producerText(engine), facts.device];
  if (facts.batch_size !== null) parts.push(`batch ${String(facts.batch_size)}`);
  if (engine.namesOnly) parts.push('names only');
  return parts
    .filter((part) => part !== null && part !== '')
    .map((part) => visible(part ?? ''))
    .join(' · ');
}

const kNoBasis: Readonly<Record<Basis, string>> = {
  median: 'The profile has means only, no medians.',
  mean: 'The profile has no means.',
  corrected: 'Needs a profile and end-to-end times: their difference is the profiling overhead.',
};

// Of a page that reads engines.
export interface EngineActions {
  add(): void;
  close(engine: number): void;
}

export interface TopBarActions {
  // Null: the engines are those of the report.
  readonly engines: EngineActions | null;
  lookAt(engine: number): void;
  // Whether the view on screen compares.
  compares(): boolean;
  toggleTheme(): void;
  showKeys(): void;
}

export class TopBar {
  readonly node: HTMLElement;
  readonly #store: Store;
  readonly #actions: TopBarActions;
  readonly #engine = div('engine-switch');
  readonly #description = span('engine-facts');
  readonly #basis = el('div', {
    class: 'segments',
    attrs: { role: 'group', 'aria-label': 'Time basis' },
  });

  constructor(store: Store, search: SearchBox, exportMenu: HTMLElement, actions: TopBarActions) {
    this.#store = store;
    this.#actions = actions;
    this.node = el(
      'header',
      { class: 'top-bar' },
      el('h1', { class: 'logo' }, 'planex'),
      servedLinks(),
      this.#engine,
      engineButtons(store, actions.engines),
      this.#description,
      span('grow'),
      search.node,
      this.#basis,
      exportMenu,
      el(
        'button',
        {
          class: 'button square',
          attrs: { type: 'button', 'aria-label': 'Light or dark theme', title: 'Theme (t)' },
          on: { click: () => actions.toggleTheme() },
        },
        icon('theme'),
      ),
      el(
        'button',
        {
          class: 'button square',
          attrs: {
            type: 'button',
            'aria-label': 'Keyboard shortcuts',
            title: 'Keyboard shortcuts (?)',
          },
          on: { click: () => actions.showKeys() },
        },
        '?',
      ),
    );
  }

  update(): void {
    const engine = this.#store.engine;
    this.#drawEngine();
    // The switch shows the label; the name then stands beside it.
    const several = this.#store.report.engines.length > 1 && engine.name !== engine.id;
    const text = (several ? `${visible(engine.name)} · ` : '') + description(engine);
    this.#description.textContent = text;
    this.#description.title = text;
    this.#basis.hidden = !engine.hasTimes;
    replace(
      this.#basis,
      ...kBases.map((basis) => {
        const available = engine.hasBasis(basis);
        return el(
          'button',
          {
            class: `button${basis === this.#store.basis && engine.hasTimes ? ' on' : ''}`,
            attrs: {
              type: 'button',
              'aria-pressed': String(basis === this.#store.basis && engine.hasTimes),
              disabled: !available,
              title: available ? `Time basis (m)` : kNoBasis[basis],
            },
            on: { click: () => this.#store.patch({ basis }) },
          },
          kBasisLabels[basis],
        );
      }),
    );
  }

  // Which of the two that are compared an engine is.
  #mark(engine: number): string {
    const { enginePair } = this.#store;
    const { a, b } = this.#store.state;
    const shown = this.#actions.compares() || a !== null || b !== null;
    if (!shown || enginePair === null) return '';
    return engine === enginePair.a ? 'A · ' : engine === enginePair.b ? 'B · ' : '';
  }

  #drawEngine(): void {
    const { engines } = this.#store.report;
    const fit = (engine: Engine): string => fitName(visible(engine.id), kMaxEngineName);
    if (engines.length === 1) {
      const { name: full } = this.#store.engine;
      const name = el('b', {}, fitName(visible(full), kMaxEngineName));
      name.title = nameTitle(visible(full));
      replace(this.#engine, name);
      return;
    }
    const select = el(
      'select',
      {
        attrs: { 'aria-label': 'Engine' },
        on: { change: () => this.#actions.lookAt(select.selectedIndex) },
      },
      ...engines.map((engine, i) =>
        el(
          'option',
          { attrs: { title: nameTitle(visible(engine.name)) } },
          this.#mark(i) + fit(engine),
        ),
      ),
    );
    select.title = nameTitle(visible(this.#store.engine.name));
    select.selectedIndex = this.#store.state.engine;
    replace(this.#engine, select, span('chevron', '▾'));
  }
}

function engineButtons(store: Store, actions: EngineActions | null): HTMLElement | null {
  if (actions === null) return null;
  const square = (name: IconName, label: string, title: string, click: () => void) =>
    el(
      'button',
      {
        class: 'button square',
        attrs: { type: 'button', 'aria-label': label, title },
        on: { click },
      },
      icon(name),
    );
  return span(
    'segments',
    square('close', 'Close this engine', 'Close this engine', () =>
      actions.close(store.state.engine),
    ),
    square('add', 'Open engines', 'Open more engines; or drop them on the page', () =>
      actions.add(),
    ),
  );
}
