// A box to write a statement in, with controls to run, stop and start from an example, and the
// outcome. The owner of the box decides what it queries and where its result is shown.

import { button, div, el, replace, type Child } from '../../base/dom.ts';
import { plural } from '../../base/format.ts';
import { visible } from '../../base/text.ts';
import type { Problem } from '../page/opener.ts';
import { kSqlExamples } from './examples.ts';

export interface SqlBoxSpec {
  // Returns the text to show then.
  run(sql: string, signal: AbortSignal): Promise<string>;
  // Why it failed.
  problem(error: unknown): Problem;
  // Whether statements must distinguish engines.
  hasSeveral(): boolean;
  // Whether an example runs when it is chosen.
  readonly runsExamples: boolean;
}

function lines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

// "20 rows · 0.01 s"
export function tallyText(rowCount: number, most: number, seconds: number): string {
  const count = rowCount > most ? `More than ${plural(most, 'row')}` : plural(rowCount, 'row');
  return `${count} · ${seconds.toFixed(2)} s`;
}

export class SqlBox {
  readonly text: HTMLTextAreaElement;
  readonly message = div('sql-message no-print');
  // For the bar above or below the text.
  readonly examples: HTMLSelectElement;
  readonly run: HTMLButtonElement;
  readonly stop: HTMLButtonElement;
  readonly #spec: SqlBoxSpec;
  #running: AbortController | null = null;
  // The box's text until the reader changes it.
  #example = kSqlExamples[0];
  #written = '';

  constructor(spec: SqlBoxSpec) {
    this.#spec = spec;
    this.message.setAttribute('role', 'status');
    this.text = el('textarea', {
      class: 'code-text no-print sql-text',
      attrs: { 'aria-label': 'SQL', rows: 4, spellcheck: 'false', autocomplete: 'off' },
      on: {
        keydown: (event) => {
          const { key, ctrlKey, metaKey } = event as KeyboardEvent;
          if (key === 'Enter' && (ctrlKey || metaKey)) void this.query();
        },
      },
    });
    this.run = button('Run', 'Ctrl + Enter', () => void this.query());
    this.stop = button('Stop', 'Stop the query', () => this.abort());
    this.stop.disabled = true;
    this.examples = el(
      'select',
      {
        class: 'button',
        attrs: { 'aria-label': 'Examples' },
        on: { change: () => this.#begin(this.examples.selectedIndex - 1) },
      },
      el('option', {}, 'Examples'),
      ...kSqlExamples.map((example) => el('option', {}, example.title)),
    );
  }

  #begin(at: number): void {
    this.#example = kSqlExamples[at] ?? this.#example;
    this.text.value = this.#written;
    this.update();
    this.examples.selectedIndex = 0;
    this.text.focus();
    if (this.#spec.runsExamples) void this.query();
  }

  // The example in the box distinguishes engines if there are several; a text that was written
  // stays.
  update(): void {
    if (this.text.value !== this.#written) return;
    this.#written = this.#example?.sql(this.#spec.hasSeveral() ? 'engine, ' : '') ?? '';
    if (this.text.value !== this.#written) this.text.value = this.#written;
  }

  // Inserts a name at the cursor, separated from the words around it.
  insert(name: string): void {
    const { value, selectionStart: from, selectionEnd: to } = this.text;
    const before = /[\w")]$/.test(value.slice(0, from)) ? ' ' : '';
    const after = /^[\w"(]/.test(value.slice(to)) ? ' ' : '';
    this.text.setRangeText(`${before}${name}${after}`, from, to, 'end');
    this.text.focus();
  }

  say(text: string): void {
    this.message.classList.remove('failure');
    this.message.textContent = lines(text);
  }

  tell({ message, context, hint }: Problem): void {
    const parts: Child[] = [el('p', {}, lines(message))];
    if (context !== '') parts.push(el('pre', {}, lines(context)));
    if (hint !== '') parts.push(el('p', { class: 'sql-hint' }, lines(hint)));
    this.message.classList.add('failure');
    replace(this.message, ...parts);
  }

  query(): Promise<void> {
    return this.work((signal) => this.#spec.run(this.text.value, signal));
  }

  abort(): void {
    this.#running?.abort();
  }

  // One thing at a time; shows the text it returns.
  async work(what: (signal: AbortSignal) => Promise<string>): Promise<void> {
    if (this.#running !== null) return;
    const running = new AbortController();
    this.#running = running;
    // If the focused element becomes disabled, the reader would lose the focus.
    const hadFocus = document.activeElement;
    this.run.disabled = true;
    this.stop.disabled = false;
    if (hadFocus === this.run) this.stop.focus();
    this.say('Running …');
    try {
      this.say(await what(running.signal));
    } catch (error) {
      if (running.signal.aborted) this.say('Stopped.');
      else this.tell(this.#spec.problem(error));
    } finally {
      const isOnStop = document.activeElement === this.stop;
      this.#running = null;
      this.run.disabled = false;
      this.stop.disabled = true;
      if (isOnStop) this.run.focus();
    }
  }
}
