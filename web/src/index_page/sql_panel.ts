// SQL over the chosen engines: the statement, what came of it, and the same as CSV.

import { div, el, replace, span, type Child } from '../base/dom.ts';
import { integer, kMissing, plural } from '../base/format.ts';
import { visible } from '../base/text.ts';
import { ServerError, type Api } from './api.ts';
import { downloadBlob } from '../frame/clipboard.ts';
import type { QueryResult } from './wire.ts';

// What the server gives at most (src/serve/server.cc); one row more tells that there are more.
const kMaxRows = 10_000;
// What is put on the page; the rest is in the CSV.
const kRowsOnPage = 1000;

interface Example {
  readonly title: string;
  // `engine`: the column that tells several engines apart, with its comma; one engine has none.
  readonly sql: (engine: string) => string;
}

const kExamples: readonly Example[] = [
  {
    title: 'slowest layers',
    sql: (engine) =>
      `SELECT ${engine}name, type, precision, coalesce(median_ms, mean_ms) AS time_ms\n` +
      'FROM work_layers\nORDER BY time_ms DESC LIMIT 20',
  },
  {
    title: 'time by precision',
    sql: (engine) =>
      `SELECT ${engine}precision, count(*) AS layers, sum(coalesce(median_ms, mean_ms)) AS total_ms\n` +
      `FROM work_layers\nGROUP BY ${engine}precision ORDER BY ${engine}total_ms DESC`,
  },
  {
    title: 'findings',
    sql: (engine) =>
      `SELECT ${engine}severity, rule, message, estimated_ms\nFROM findings\nORDER BY estimated_ms DESC`,
  },
  {
    title: 'reformats',
    sql: (engine) =>
      `SELECT ${engine}name, coalesce(median_ms, mean_ms) AS time_ms, io_bytes\n` +
      "FROM work_layers\nWHERE family = 'reformat' ORDER BY time_ms DESC",
  },
  {
    title: 'metadata',
    sql: (engine) => `SELECT ${engine}section, key, value FROM metadata`,
  },
  {
    title: 'columns of layers',
    sql: () => "SELECT name, type FROM pragma_table_info('layers')",
  },
];

export interface SqlTarget {
  readonly ids: readonly string[];
  // "2 chosen engines", for people.
  readonly words: string;
}

export class SqlPanel {
  readonly node: HTMLElement;
  readonly #api: Api;
  readonly #target: () => SqlTarget;
  readonly #text: HTMLTextAreaElement;
  readonly #over = span('dim');
  readonly #run: HTMLButtonElement;
  readonly #stop: HTMLButtonElement;
  readonly #csv: HTMLButtonElement;
  readonly #message = el('p', { class: 'sql-message', attrs: { role: 'status' } });
  readonly #result = el('div', {
    class: 'sql-result',
    attrs: { role: 'region', 'aria-label': 'Result', tabindex: '0' },
  });
  #running: AbortController | null = null;
  // What stands in the box as long as nobody changes it.
  #example = kExamples[0];
  #written = '';
  // What the result on the page is of, for its CSV.
  #shown: { readonly sql: string; readonly ids: readonly string[] } | null = null;

  constructor(api: Api, target: () => SqlTarget, close: () => void) {
    this.#api = api;
    this.#target = target;
    this.#text = el('textarea', {
      class: 'code-text',
      attrs: { 'aria-label': 'SQL', rows: 4, spellcheck: 'false', autocomplete: 'off' },
      on: {
        keydown: (event) => {
          const { key, ctrlKey, metaKey } = event as KeyboardEvent;
          if (key === 'Enter' && (ctrlKey || metaKey)) void this.#query();
        },
      },
    });
    const button = (text: string, title: string, click: () => void): HTMLButtonElement =>
      el('button', { class: 'button', attrs: { type: 'button', title }, on: { click } }, text);
    this.#run = button('Run', 'Ctrl + Enter', () => void this.#query());
    this.#stop = button('Stop', 'Stop the query', () => this.#running?.abort());
    this.#csv = button('CSV', 'Save all rows as a file', () => void this.#save());
    this.#stop.disabled = true;
    this.#csv.disabled = true;
    const examples = el(
      'select',
      {
        class: 'button',
        attrs: { 'aria-label': 'Examples' },
        on: {
          change: () => {
            const example = kExamples[examples.selectedIndex - 1];
            this.#example = example ?? this.#example;
            this.#text.value = this.#written;
            this.update();
            examples.selectedIndex = 0;
            this.#text.focus();
          },
        },
      },
      el('option', {}, 'Examples'),
      ...kExamples.map((example) => el('option', {}, example.title)),
    );
    this.node = el(
      'section',
      { class: 'sql-panel', attrs: { 'aria-label': 'SQL' } },
      div(
        'sql-bar',
        el('h2', { class: 'sql-title' }, 'SQL'),
        this.#over,
        span('grow'),
        examples,
        this.#csv,
        this.#stop,
        this.#run,
        button('Close', 'Escape', close),
      ),
      this.#text,
      this.#message,
      this.#result,
    );
    this.node.hidden = true;
  }

  show(): void {
    this.node.hidden = false;
    this.update();
    this.#text.focus();
  }

  update(): void {
    const { ids, words } = this.#target();
    this.#over.textContent = `over ${words}`;
    if (this.#text.value !== this.#written) return;
    this.#written = this.#example?.sql(ids.length > 1 ? 'engine, ' : '') ?? '';
    if (this.#text.value !== this.#written) this.#text.value = this.#written;
  }

  #say(lines: readonly string[], isError: boolean): void {
    this.#message.className = `sql-message${isError ? ' failure' : ''}`;
    this.#message.textContent = lines
      .map((line) => line.split('\n').map(visible).join('\n'))
      .join('\n');
  }

  // Runs what the panel asks for; one at a time.
  async #work(what: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#running !== null) return;
    const running = new AbortController();
    this.#running = running;
    this.#run.disabled = true;
    this.#stop.disabled = false;
    this.#say(['Running …'], false);
    try {
      await what(running.signal);
    } catch (error) {
      if (running.signal.aborted) this.#say(['Stopped.'], false);
      else if (error instanceof ServerError) this.#say(error.lines, true);
      else this.#say(['planex serve does not answer.'], true);
    } finally {
      this.#running = null;
      this.#run.disabled = false;
      this.#stop.disabled = true;
    }
  }

  async #query(): Promise<void> {
    const { ids } = this.#target();
    const sql = this.#text.value;
    if (ids.length === 0) return this.#say(['No engine to query.'], true);
    // What an earlier query gave is no answer to this one.
    this.#shown = null;
    this.#csv.disabled = true;
    replace(this.#result);
    await this.#work(async (signal) => {
      const begin = performance.now();
      const result = await this.#api.query(ids, sql, signal);
      const seconds = (performance.now() - begin) / 1000;
      this.#shown = { sql, ids };
      this.#csv.disabled = false;
      this.#say([tally(result, seconds)], false);
      replace(this.#result, resultTable(result));
    });
  }

  async #save(): Promise<void> {
    const shown = this.#shown;
    if (shown === null) return;
    await this.#work(async (signal) => {
      downloadBlob('query.csv', await this.#api.queryCsv(shown.ids, shown.sql, signal));
      this.#say(['Saved as query.csv.'], false);
    });
  }
}

function tally(result: QueryResult, seconds: number): string {
  const count = result.rows.length;
  const took = `${seconds.toFixed(2)} s`;
  if (count > kMaxRows) {
    return `More than ${integer(kMaxRows)} rows; the first ${integer(kRowsOnPage)} are shown, the CSV has up to 1 000 000 · ${took}`;
  }
  if (count > kRowsOnPage) {
    return `${plural(count, 'row')}; the first ${integer(kRowsOnPage)} are shown, the CSV has all · ${took}`;
  }
  return `${plural(count, 'row')} · ${took}`;
}

function resultTable(result: QueryResult): HTMLElement {
  const isNumber = result.columns.map(({ type }) => type === 'int64' || type === 'double');
  const head = result.columns.map(({ name, unit }, index) =>
    el(
      'th',
      { class: isNumber[index] === true ? 'right' : '', attrs: { scope: 'col' } },
      visible(name) + (says(name, unit) ? '' : ` ${visible(unit ?? '')}`),
    ),
  );
  const cell = (value: string | number | null, index: number): Child => {
    const node = el('td', { class: isNumber[index] === true ? 'right' : '' });
    if (value === null) {
      node.append(span('dim', kMissing));
      return node;
    }
    const text = visible(String(value));
    const shown = typeof value === 'number' ? numberText(value) : text;
    node.append(span('cut', shown));
    node.title = text;
    return node;
  };
  return el(
    'table',
    { class: 'sql-table' },
    el('thead', {}, el('tr', {}, ...head)),
    el(
      'tbody',
      {},
      ...result.rows.slice(0, kRowsOnPage).map((row) => el('tr', {}, ...row.map(cell))),
    ),
  );
}

// Whether the name of a column says its unit, or it has none.
function says(name: string, unit: string | null): boolean {
  return unit === null || unit === 'count' || name.endsWith(`_${unit}`);
}

// As many digits as anybody reads; the tooltip and the CSV have all.
function numberText(value: number): string {
  if (Number.isInteger(value)) return integer(value);
  return String(Number(value.toPrecision(6))).replace('-', '\u2212');
}
