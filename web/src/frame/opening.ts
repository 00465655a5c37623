// Opening files, whatever reads them: drop and choose, progress and cancelling, choosing among many
// engines, and what could not be read.

import { button, div, el, replace, span } from '../base/dom.ts';
import { visible } from '../base/text.ts';
import type { Judging } from '../model/judging.ts';
import {
  kNoProblem,
  type Asked,
  type Opened,
  type OpenedFile,
  type Opener,
  type Step,
} from '../public/page/opener.ts';
import { acceptDrops, chosenFiles } from './dropped_files.ts';
import { chooseEngines } from './engine_chooser.ts';
import { acceptPastes } from './pasted_text.ts';
import { ProblemList } from './problem_list.ts';
import './opening.css';

// A folder with more files is unlikely to be one of engines.
const kMaxFiles = 20_000;
// Anything faster shows no progress.
const kQuietMs = 150;

export class Opening {
  // To append to the page's body.
  readonly nodes: readonly HTMLElement[];
  readonly #opener: Opener;
  readonly #show: (opened: Opened) => void;
  readonly #overlay: HTMLElement;
  readonly #busy = el('div', { class: 'popup busy', attrs: { role: 'status', hidden: true } });
  readonly #words = span('cut');
  readonly #bar = el('progress', { attrs: { 'aria-label': 'Progress', max: 1 } });
  readonly #problems = new ProblemList();
  #running: AbortController | null = null;

  constructor(opener: Opener, show: (opened: Opened) => void) {
    this.#opener = opener;
    this.#show = show;
    const what = opener.core === null ? 'Drop another report' : 'Drop engines: files or folders';
    this.#overlay = div('drop-overlay', div('drop-words', what));
    this.#overlay.hidden = true;
    replace(
      this.#busy,
      this.#bar,
      this.#words,
      button('Stop', 'Stop reading', () => this.#running?.abort()),
    );
    this.nodes = [this.#overlay, this.#busy, this.#problems.node];
    this.#listen();
  }

  async open(files: readonly OpenedFile[]): Promise<void> {
    await this.#work((asked) => this.#opener.open(files, asked));
  }

  async remove(engine: number): Promise<void> {
    await this.#work((asked) => this.#opener.remove(engine, asked));
  }

  // Returns whether it succeeded.
  async judge(wanted: Judging): Promise<boolean> {
    const { core } = this.#opener;
    return core !== null && this.#work((asked) => core.judge(wanted, asked));
  }

  // Asks for files, or for a folder.
  choose(what: 'files' | 'folder'): void {
    const input = el('input', {
      attrs: { type: 'file', multiple: true },
      on: {
        change: () => {
          const files = chosenFiles(input);
          if (files.length > 0) void this.open(files);
        },
      },
    });
    input.webkitdirectory = what === 'folder';
    input.click();
  }

  // Entries that could not be accessed.
  tell(what: string, message: string, hint = ''): void {
    this.#problems.show([{ ...kNoProblem, what, message, hint }]);
  }

  // Returns whether there was anything to show.
  async #work(what: (asked: Asked) => Promise<Opened>): Promise<boolean> {
    const running = new AbortController();
    this.#running = running;
    this.#problems.show([]);
    const timer = window.setTimeout(() => {
      if (this.#running === running) this.#busy.hidden = false;
    }, kQuietMs);
    try {
      const opened = await what({
        signal: running.signal,
        step: (step) => this.#step(step),
        early: (opened) => this.#show(opened),
        choose: async (found, most) => {
          this.#busy.hidden = true;
          const chosen = await chooseEngines(found, most);
          this.#busy.hidden = false;
          return chosen;
        },
      });
      this.#show(opened);
      this.#problems.show(opened.problems);
      return true;
    } catch (error) {
      if (!running.signal.aborted) this.#problems.showError(error);
      return false;
    } finally {
      window.clearTimeout(timer);
      if (this.#running === running) {
        this.#running = null;
        this.#busy.hidden = true;
      }
    }
  }

  #step({ words, done }: Step): void {
    this.#words.textContent = visible(words);
    if (done === null) this.#bar.removeAttribute('value');
    else this.#bar.value = done;
  }

  #listen(): void {
    // A report without a core reads no engine files.
    if (this.#opener.core !== null) acceptPastes((files) => void this.open(files));
    acceptDrops(
      this.#overlay,
      kMaxFiles,
      (files) => {
        if (files.length <= kMaxFiles) void this.open(files);
        else {
          this.tell(
            '',
            `more than ${String(kMaxFiles)} files were dropped`,
            'Drop a folder closer to the engines.',
          );
        }
      },
      () => this.tell('', 'the browser could not read what was dropped'),
    );
  }
}
