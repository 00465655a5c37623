// The top bar: which engine, its facts, search, time basis, theme, keys.

import { div, el, icon, replace, span, type Child } from '../base/dom.ts';
import { joined, visible } from '../base/text.ts';
import { kBases, type Basis, type Engine } from '../model/engine.ts';
import type { Store } from '../model/store.ts';
import { segments, selectOf } from '../public/choice.ts';
import { fitName, nameTitle } from '../public/page/marks.ts';
import { producerText } from '../public/producer.ts';
import { servedLinks } from './served.ts';

const kMaxEngineName = 260;

const kBasisLabels: Readonly<Record<Basis, string>> = {
  median: 'Median',
  mean: 'Mean',
  corrected: 'Corrected',
};

function description(engine: Engine): string {
  const facts = engine.summary.engine;
  const batch = facts.batch_size !== null && `batch ${String(facts.batch_size)}`;
  const parts = [producerText(engine), facts.device, batch, engine.namesOnly && 'names only'];
  return visible(joined(parts, ' · '));
}

const kNoBasis: Readonly<Record<Basis, string>> = {
  median: 'The profile has means only, no medians.',
  mean: 'The profile has no means.',
  corrected: 'Needs a profile and end-to-end times: their difference is the profiling overhead.',
};

// For a page that reads engines.
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
  readonly toggleTheme: () => void;
  readonly showKeys: () => void;
}

function squareButton(
  content: Child,
  label: string,
  title: string,
  click: () => void,
): HTMLElement {
  const attrs = { type: 'button', 'aria-label': label, title };
  return el('button', { class: 'button square', attrs, on: { click } }, content);
}

export class TopBar {
  readonly node: HTMLElement;
  readonly #store: Store;
  readonly #actions: TopBarActions;
  readonly #engine = div('engine-switch');
  readonly #description = span('engine-facts');
  readonly #basis = span('basis');

  constructor(store: Store, search: HTMLElement, exportMenu: HTMLElement, actions: TopBarActions) {
    this.#store = store;
    this.#actions = actions;
    const { engines, toggleTheme, showKeys } = actions;
    const close = (): void => engines?.close(store.state.engine);
    const add = (): void => engines?.add();
    this.node = el(
      'header',
      { class: 'top-bar' },
      el('h1', { class: 'logo' }, 'planex'),
      servedLinks(),
      this.#engine,
      engines !== null &&
        span(
          'segments',
          squareButton(icon('close'), 'Close this engine', 'Close this engine', close),
          squareButton(
            icon('add'),
            'Open engines',
            'Open more engines; or drop them on the page',
            add,
          ),
        ),
      this.#description,
      span('grow'),
      search,
      this.#basis,
      exportMenu,
      squareButton(icon('theme'), 'Light or dark theme', 'Theme (t)', toggleTheme),
      squareButton('?', 'Keyboard shortcuts', 'Keyboard shortcuts (?)', showKeys),
    );
  }

  update(): void {
    const { engine, report, basis } = this.#store;
    this.#drawEngine();
    // The switch shows the label; the name is then next to it.
    const several = report.engines.length > 1 && engine.name !== engine.id;
    const text = (several ? `${visible(engine.name)} · ` : '') + description(engine);
    this.#description.textContent = text;
    this.#description.title = text;
    this.#basis.hidden = !engine.hasTimes;
    const bases = kBases.map((id) => {
      const disabled = !engine.hasBasis(id);
      const title = disabled ? kNoBasis[id] : 'Time basis (m)';
      return { id, name: kBasisLabels[id], disabled, title };
    });
    replace(
      this.#basis,
      segments('Time basis', bases, engine.hasTimes ? basis : null, (next) =>
        this.#store.patch({ basis: next }),
      ),
    );
  }

  // Which side of the comparison an engine is.
  #mark(engine: number): string {
    const { enginePair } = this.#store;
    const { a, b } = this.#store.state;
    const shown = this.#actions.compares() || a !== null || b !== null;
    if (!shown || enginePair === null) return '';
    return engine === enginePair.a ? 'A · ' : engine === enginePair.b ? 'B · ' : '';
  }

  #drawEngine(): void {
    const { engine: here, report, state } = this.#store;
    const title = nameTitle(visible(here.name));
    if (report.engines.length === 1) {
      const name = fitName(visible(here.name), kMaxEngineName);
      replace(this.#engine, el('b', { attrs: { title } }, name));
      return;
    }
    const options = report.engines.map((engine, i) => ({
      id: String(i),
      name: this.#mark(i) + fitName(visible(engine.id), kMaxEngineName),
      title: nameTitle(visible(engine.name)),
    }));
    const select = selectOf('Engine', options, String(state.engine), (id) =>
      this.#actions.lookAt(Number(id)),
    );
    select.title = title;
    replace(this.#engine, select, span('chevron', '▾'));
  }
}
