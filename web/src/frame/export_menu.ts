// The menu of ways out of the page: the link, the command line, the layers on screen as files.

import { div, el } from '../base/dom.ts';
import { csvField } from '../base/text.ts';
import { layersCommand } from '../model/layers_command.ts';
import type { Store } from '../model/store.ts';
import type { ViewContext } from '../public/view.ts';

interface Way {
  readonly title: string;
  readonly help: string;
  readonly run: () => void;
}

export class ExportMenu {
  readonly node: HTMLElement;
  readonly #store: Store;
  readonly #context: ViewContext;
  readonly #list = el('div', { class: 'export-list', attrs: { role: 'menu' } });

  constructor(store: Store, context: ViewContext) {
    this.#store = store;
    this.#context = context;
    const button = el(
      'button',
      {
        class: 'button',
        attrs: { type: 'button', 'aria-haspopup': 'menu', 'aria-expanded': 'false' },
        on: { click: () => this.#toggle() },
      },
      'Export ▾',
    );
    this.#list.hidden = true;
    this.node = div('export-menu', button, this.#list);
    this.#list.append(...this.#ways().map((way) => this.#item(way)));
    this.node.addEventListener('keydown', (event) => this.#key(event));
    document.addEventListener('pointerdown', (event) => {
      if (!(event.target instanceof Node) || !this.node.contains(event.target)) this.#close();
    });
  }

  #ways(): readonly Way[] {
    const store = this.#store;
    return [
      {
        title: 'Copy link',
        help: 'To this view with its filter and selection',
        run: () =>
          this.#context.copy(`${location.href.split('#')[0] ?? ''}${store.link()}`, 'link'),
      },
      {
        title: 'Copy command',
        help: 'Lists the layers on screen in a terminal',
        run: () =>
          this.#context.copy(
            layersCommand(store.state.chips, store.engine, store.basis),
            'command',
          ),
      },
      {
        title: 'Layers as CSV',
        help: 'All columns of the layers on screen',
        run: () => this.#save('csv', 'text/csv', this.#csv()),
      },
      {
        title: 'Layers as JSON',
        help: 'All columns of the layers on screen',
        run: () => this.#save('json', 'application/json', this.#json()),
      },
      {
        title: 'Print',
        help: 'Or save as PDF: overview, findings, slowest layers, comparison',
        run: () => window.print(),
      },
    ];
  }

  #item(way: Way): HTMLElement {
    return el(
      'button',
      {
        attrs: { type: 'button', role: 'menuitem', tabindex: '-1', title: way.help },
        on: {
          click: () => {
            this.#close();
            way.run();
          },
        },
      },
      way.title,
    );
  }

  #toggle(): void {
    if (!this.#list.hidden) {
      this.#close();
      return;
    }
    this.#list.hidden = false;
    this.#button().setAttribute('aria-expanded', 'true');
    this.#items()[0]?.focus();
  }

  #close(): void {
    if (this.#list.hidden) return;
    const hadFocus = this.#list.contains(document.activeElement);
    this.#list.hidden = true;
    this.#button().setAttribute('aria-expanded', 'false');
    if (hadFocus) this.#button().focus();
  }

  #button(): HTMLElement {
    return this.node.firstElementChild as HTMLElement;
  }

  #items(): readonly HTMLElement[] {
    return [...this.#list.querySelectorAll<HTMLElement>('[role=menuitem]')];
  }

  #key(event: KeyboardEvent): void {
    if (this.#list.hidden) return;
    const items = this.#items();
    const at = items.findIndex((item) => item === document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') this.#close();
    else if (step !== undefined) items[(at + step + items.length) % items.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #csv(): string {
    const { layers } = this.#store.engine;
    const line = (cells: readonly string[]): string => cells.map(csvField).join(',');
    const lines = [line(layers.names)];
    for (const row of this.#store.selection.rows) {
      lines.push(line(layers.names.map((name) => String(layers.value(name, row) ?? ''))));
    }
    return `${lines.join('\n')}\n`;
  }

  #json(): string {
    const { layers } = this.#store.engine;
    const rows = [...this.#store.selection.rows].map((row) =>
      Object.fromEntries(layers.names.map((name) => [name, layers.value(name, row)])),
    );
    return `${JSON.stringify(rows, null, 1)}\n`;
  }

  #save(extension: string, type: string, text: string): void {
    this.#context.download(
      `${this.#store.engineTitle}.layers.${extension}`,
      new Blob([text], { type }),
    );
  }
}
