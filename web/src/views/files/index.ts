// Files: what was read, can I trust it, and can I repeat it?

import {
  div,
  el,
  fitAll,
  conclusionLine,
  metadataBlock,
  missingPieces,
  needsTable,
  replace,
  sectionTitle,
  type Change,
  type FittedName,
  type MountedView,
  type View,
  type ViewContext,
} from '../../public/index.ts';
import { commandsBlock, repeatBlock } from './commands.ts';
import { diagnosticsBlock } from './diagnostics.ts';
import { filesTable, leftOutTable } from './files_table.ts';
import { filesConclusion } from './conclusion.ts';
import './files.css';

class FilesView implements MountedView {
  readonly #host: HTMLElement;
  readonly #context: ViewContext;

  constructor(host: HTMLElement, context: ViewContext) {
    this.#host = host;
    this.#context = context;
    host.classList.add('files-view');
    this.#draw();
  }

  update(change: Change): void {
    // It does not depend on layers; only the command of the filter depends on the selection.
    const concerns = ['engine', 'chips', 'basis', 'view'] as const;
    if (change.size > 0 && !concerns.some((key) => change.has(key))) return;
    const scroll = this.#host.scrollTop;
    const open = [...this.#host.querySelectorAll('details[open]')].map((d) => d.id);
    this.#draw();
    if (change.has('engine')) return;
    for (const id of open) {
      const details = id === '' ? null : document.getElementById(id);
      if (details instanceof HTMLDetailsElement) details.open = true;
    }
    this.#host.scrollTop = scroll;
  }

  #draw(): void {
    const context = this.#context;
    const names: FittedName[] = [];
    const missing = missingPieces(context);
    replace(
      this.#host,
      conclusionLine(filesConclusion(context.store.engine)),
      div(
        'columns',
        div(
          'column',
          filesTable(context, names),
          leftOutTable(context, names),
          diagnosticsBlock(context),
          metadataBlock(context),
        ),
        div(
          'column',
          div(
            'block',
            sectionTitle('What is missing', missing === null ? '' : 'and how to get it'),
            missing ??
              el('p', { class: 'soft' }, 'Nothing: everything that planex can read is there.'),
          ),
          commandsBlock(context),
          repeatBlock(context),
          needsTable(context),
        ),
      ),
    );
    fitAll(names);
  }

  destroy(): void {
    this.#host.classList.remove('files-view');
  }
}

export const view: View = {
  id: 'files',
  title: 'Files',
  needs: [],
  count: (engine) => engine.files.rowCount,
  mount: (host, context) => new FilesView(host, context),
};
