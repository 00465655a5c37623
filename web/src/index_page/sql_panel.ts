// SQL over the chosen engines: the statement, its result, and the same as CSV.

import { button, div, el, replace, span } from '../base/dom.ts';
import { integer } from '../base/format.ts';
import { visible } from '../base/text.ts';
import { downloadBlob } from '../frame/clipboard.ts';
import { kNoProblem, problemIn } from '../public/page/opener.ts';
import { column, numbers, type Column } from '../public/grid/column.ts';
import { plainTable } from '../public/grid/plain_table.ts';
import { cellText, columnDecimals, exactText, headText, isNumeric } from '../public/sql/cells.ts';
import { SqlBox, tallyText } from '../public/sql/sql_box.ts';
import { ServerError, type Api } from './api.ts';
import type { QueryResult } from './wire.ts';

// The server's maximum (src/serve/server.cc); one row more shows that there are more.
const kMaxRows = 10_000;
// The number of rows put on the page; the CSV has the rest.
const kRowsOnPage = 1000;

export interface SqlTarget {
  readonly ids: readonly string[];
  // "2 chosen engines", for people.
  readonly words: string;
}

export class SqlPanel {
  readonly node: HTMLElement;
  readonly #api: Api;
  readonly #target: () => SqlTarget;
  readonly #box: SqlBox;
  readonly #over = span('dim');
  readonly #csv: HTMLButtonElement;
  readonly #result = el('div', {
    class: 'sql-result',
    attrs: { role: 'region', 'aria-label': 'Result', tabindex: '0' },
  });
  // The query of the result on the page, for its CSV.
  #shown: { readonly sql: string; readonly ids: readonly string[] } | null = null;

  constructor(api: Api, target: () => SqlTarget, close: () => void) {
    this.#api = api;
    this.#target = target;
    this.#box = new SqlBox({
      run: (sql, signal) => this.#query(sql, signal),
      problem: (error) =>
        error instanceof ServerError
          ? problemIn(error)
          : { ...kNoProblem, message: 'planex serve does not answer.' },
      hasSeveral: () => target().ids.length > 1,
      runsExamples: false,
    });
    this.#csv = button('CSV', 'Save all rows as a file', () => void this.#save());
    this.#csv.disabled = true;
    const { examples, run, stop, text, message } = this.#box;
    this.node = el(
      'section',
      { class: 'sql-panel', attrs: { 'aria-label': 'SQL' } },
      div(
        'line sql-bar',
        el('h2', { class: 'sql-title' }, 'SQL'),
        this.#over,
        span('grow'),
        examples,
        this.#csv,
        stop,
        run,
        button('Close', 'Escape', close),
      ),
      text,
      message,
      this.#result,
    );
    this.node.hidden = true;
  }

  show(): void {
    this.node.hidden = false;
    this.update();
    this.#box.text.focus();
  }

  update(): void {
    this.#over.textContent = `over ${this.#target().words}`;
    this.#box.update();
  }

  async #query(sql: string, signal: AbortSignal): Promise<string> {
    const { ids } = this.#target();
    // Results of an earlier query do not answer this one.
    this.#shown = null;
    this.#csv.disabled = true;
    replace(this.#result);
    if (ids.length === 0) return 'No engine to query.';
    const begin = performance.now();
    const result = await this.#api.query(ids, sql, signal);
    const seconds = (performance.now() - begin) / 1000;
    this.#shown = { sql, ids };
    this.#csv.disabled = false;
    replace(this.#result, resultTable(result));
    const count = result.rows.length;
    const all = count > kMaxRows ? 'has up to 1 000 000' : 'has all';
    const cut = `; the first ${integer(kRowsOnPage)} are shown, the CSV ${all}`;
    return `${tallyText(count, kMaxRows, seconds)}${count > kRowsOnPage ? cut : ''}`;
  }

  async #save(): Promise<void> {
    const shown = this.#shown;
    if (shown === null) return;
    await this.#box.work(async (signal) => {
      downloadBlob('query.csv', await this.#api.queryCsv(shown.ids, shown.sql, signal));
      return 'Saved as query.csv.';
    });
  }
}

type Row = QueryResult['rows'][number];

function resultTable(result: QueryResult): HTMLElement {
  const columns = result.columns.map(({ name, type, unit }) => ({ name, type: type ?? '', unit }));
  const rows = result.rows.slice(0, kRowsOnPage);
  const decimals = columnDecimals({ columns, rows });
  return plainTable(
    'sql-table sticky auto',
    rows,
    columns.map((one, i): Column<Row> => {
      const make = isNumeric(one) ? numbers<Row> : column<Row>;
      const cell = (row: Row): HTMLElement =>
        span(row[i] === null ? 'dim' : 'cut', cellText(row[i], decimals[i] ?? null));
      return make(headText(one), cell, { title: (row) => visible(exactText(row[i])) });
    }),
  );
}
