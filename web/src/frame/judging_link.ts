// Keeps the link's judging settings and the core's report in step: whatever changes the link, a
// control of a view or the browser's Back, the engines are judged again.

import { plural } from '../base/format.ts';
import {
  choiceInLink,
  isSameChoice,
  isSameJudging,
  withChoice,
  type Judging,
  type JudgingChoice,
  type JudgingFiles,
} from '../model/judging.ts';
import type { Store } from '../model/store.ts';
import type { CoreOpener } from '../public/page/opener.ts';

export class JudgingLink {
  readonly #store: Store;
  readonly #core: Pick<CoreOpener, 'judging' | 'engineCount'>;
  readonly #judge: (wanted: Judging) => Promise<boolean>;
  readonly #tell: (text: string) => void;
  #files: JudgingFiles;
  #wanted: Judging;
  #isRunning = false;
  // Until then, the link is still to be applied.
  #hasBegun = false;

  constructor(
    store: Store,
    core: Pick<CoreOpener, 'judging' | 'engineCount'>,
    judge: (wanted: Judging) => Promise<boolean>,
    tell: (text: string) => void,
  ) {
    this.#store = store;
    this.#core = core;
    this.#judge = judge;
    this.#tell = tell;
    this.#wanted = core.judging;
    this.#files = core.judging.files;
  }

  ask(wanted: Judging): void {
    this.#files = wanted.files;
    this.#link(wanted.choice);
    this.update();
  }

  // The link may have changed.
  update(): void {
    this.#hasBegun = true;
    const choice = choiceInLink(this.#store.state.options);
    const wanted = { choice, files: this.#files };
    // Engines from reports stay as they were judged there.
    if (this.#core.engineCount === 0 || isSameJudging(wanted, this.#wanted)) return;
    this.#wanted = wanted;
    if (!this.#isRunning) void this.#run();
  }

  // If several changes come while one is applied, only the last one follows.
  async #run(): Promise<void> {
    this.#isRunning = true;
    let asked: Judging;
    let isDone: boolean;
    do {
      asked = this.#wanted;
      isDone = await this.#judge(asked);
    } while (this.#wanted !== asked);
    this.#isRunning = false;
    // Announced for readers who do not see the page.
    if (isDone)
      this.#tell(`judged again: ${plural(this.#store.engine.findings.length, 'finding')}`);
    else this.#follow();
  }

  // Another report is about to be shown, perhaps with files that were dropped.
  shown(): void {
    if (this.#hasBegun && !this.#isRunning) this.#follow();
  }

  // A change that failed or was cancelled is dropped from the link.
  #follow(): void {
    const { judging } = this.#core;
    this.#wanted = judging;
    this.#files = judging.files;
    this.#link(judging.choice);
  }

  #link(choice: JudgingChoice): void {
    const { options } = this.#store.state;
    if (isSameChoice(choiceInLink(options), choice)) return;
    this.#store.patch({ options: withChoice(options, choice) });
  }
}
