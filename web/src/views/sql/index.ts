// SQL: anything that no other view answers, queried over all open engines.

import {
  button,
  div,
  el,
  Figure,
  integer,
  joined,
  keepFocus,
  kNoProblem,
  linkButton,
  plural,
  problemIn,
  replace,
  span,
  SqlBox,
  tallyText,
  visible,
  type Change,
  type CoreOpener,
  type Engine,
  type MountedView,
  type QueryRows,
  type QueryTable,
  type View,
  type ViewContext,
} from '../../public/index.ts';
import { plotFigure } from '../../public/plot/index.ts';
import { SqlChart, type Drawn } from './chart.ts';
import { chartControls } from './chart_controls.ts';
import { queryCommand } from './command.ts';
import { csvDocument, jsonDocument, tabbed } from './documents.ts';
import { kMaxRows, layersOf, resultOf, type LayerPlace, type Result } from './result.ts';
import { ResultTable } from './result_table.ts';
import { SchemaList } from './schema_list.ts';
import { chartChoice, optionOf, setStatement } from './state.ts';
import './sql.css';

// The maximum number of rows saved when a result has more than are shown.
const kMaxSaved = 1_000_000;
// From this width on, the list of tables is next to the statement.
const kWidePx = 720;

// While the same engines are open: a reader who returns from another view finds everything as it
// was.
interface Kept {
  draft: string;
  result: Result | null;
  tables: readonly QueryTable[] | null;
}
const kKept = new WeakMap<readonly Engine[], Kept>();

function keptOf(engines: readonly Engine[]): Kept {
  let kept = kKept.get(engines);
  if (kept === undefined) {
    kept = { draft: '', result: null, tables: null };
    kKept.set(engines, kept);
  }
  return kept;
}

// A result on screen.
interface Shown {
  readonly result: Result;
  readonly table: ResultTable;
  readonly figure: Figure;
  readonly chart: { readonly figure: Figure; readonly body: SqlChart } | null;
}

class SqlView implements MountedView {
  readonly #host: HTMLElement;
  readonly #context: ViewContext;
  readonly #core: CoreOpener;
  readonly #kept: Kept;
  readonly #box: SqlBox;
  readonly #schema: SchemaList;
  readonly #schemaButton: HTMLButtonElement;
  readonly #printed = el('pre', { class: 'sql-printed print-only' });
  readonly #results = div('sql-results');
  readonly #choices = div('no-print');
  readonly #ending = new AbortController();
  #shown: Shown | null = null;
  #drawnWidth = 0;
  // The last statement that ran, whatever its result.
  #asked: string | null = null;
  #isUnasked = false;

  constructor(host: HTMLElement, context: ViewContext, core: CoreOpener) {
    this.#host = host;
    this.#context = context;
    this.#core = core;
    const { store } = context;
    this.#kept = keptOf(store.report.engines);
    this.#box = new SqlBox({
      run: (sql, signal) => this.#run(sql, signal),
      problem: problemIn,
      hasSeveral: () => core.engineCount > 1,
      runsExamples: true,
    });
    this.#schema = new SchemaList(context, (name) => this.#box.insert(name));
    this.#schemaButton = button('Tables', 'Show or hide the list of tables', () =>
      this.#showSchema(this.#schema.node.hidden === true),
    );
    this.#build();
    const { signal } = this.#ending;
    window.addEventListener('beforeprint', () => this.#shown?.table.print(true), { signal });
    window.addEventListener('afterprint', () => this.#shown?.table.print(false), { signal });
    this.#begin();
  }

  #build(): void {
    const { examples, run, stop, text, message } = this.#box;
    text.addEventListener('input', () => {
      this.#kept.draft = text.value;
    });
    this.#host.classList.add('sql');
    replace(
      this.#host,
      div(
        'sql-split',
        this.#schema.node,
        div(
          'sql-main',
          div(
            'flow no-print sql-bar',
            this.#schemaButton,
            this.#over(),
            span('grow'),
            examples,
            stop,
            run,
          ),
          text,
          this.#printed,
          message,
          this.#results,
        ),
      ),
    );
    this.#showSchema(this.#host.clientWidth >= kWidePx);
  }

  #over(): HTMLElement {
    const { engineCount } = this.#core;
    const { engines } = this.#context.store.report;
    const others = engines.length - engineCount;
    const name = engineCount === 1 ? visible(engines[0]?.id ?? '') : plural(engineCount, 'engine');
    const rest =
      others > 0 ? `; ${plural(others, 'other')} opened from a report, without files` : '';
    return span('dim sql-over', `over ${name}${rest}`);
  }

  #showSchema(isShown: boolean): void {
    this.#schema.node.hidden = !isShown;
    this.#schemaButton.classList.toggle('on', isShown);
    this.#schemaButton.setAttribute('aria-expanded', String(isShown));
    if (isShown) this.#schema.draw();
    this.#redraw();
  }

  // The statement in the link, else the last one written here, else an example.
  #begin(): void {
    const { store } = this.#context;
    if (this.#core.engineCount === 0) {
      const hint = 'Drop the files that they were made from.';
      const message =
        'These engines were opened from reports, without their files: there is nothing to query.';
      this.#box.tell({ ...kNoProblem, message, hint });
      this.#box.run.disabled = true;
      this.#schema.fail('');
      return;
    }
    const wanted = optionOf(store, 'q');
    const { draft, result, tables } = this.#kept;
    const { text } = this.#box;
    text.value = draft === '' ? (wanted ?? result?.sql ?? '') : draft;
    this.#box.update();
    if (result !== null && (wanted === null || wanted === result.sql)) {
      this.#asked = result.sql;
      this.#show(result);
      const count = result.rows.length + Number(result.isMore);
      this.#box.say(tallyText(count, kMaxRows, result.seconds));
    } else if (wanted !== null) {
      text.value = wanted;
      void this.#box.query();
    } else if (draft === '') {
      // Run without a request of the reader: the link stays as it is.
      this.#isUnasked = true;
      void this.#box.query();
    }
    if (tables !== null) this.#schema.show(tables);
    else void this.#readTables();
  }

  async #readTables(): Promise<void> {
    try {
      this.#kept.tables = await this.#core.tables(this.#ending.signal);
      if (!this.#ending.signal.aborted) this.#schema.show(this.#kept.tables);
    } catch (error) {
      if (!this.#ending.signal.aborted) this.#schema.fail(problemIn(error).message);
    }
  }

  // --- running

  async #run(sql: string, signal: AbortSignal): Promise<string> {
    this.#asked = sql;
    const isUnasked = this.#isUnasked;
    this.#isUnasked = false;
    const begin = performance.now();
    let rows: QueryRows;
    try {
      rows = await this.#core.query(sql, kMaxRows + 1, signal);
    } catch (error) {
      // The result of an earlier statement does not answer this one.
      this.#clear();
      throw error;
    }
    const result = resultOf(sql, rows, (performance.now() - begin) / 1000);
    this.#kept.result = result;
    this.#kept.draft = '';
    if (!this.#ending.signal.aborted) {
      // Do this first: the order and the choices in the link belong to the previous statement.
      if (!isUnasked) setStatement(this.#context.store, sql);
      this.#show(result);
    }
    return tallyText(rows.rows.length, kMaxRows, result.seconds);
  }

  #clear(): void {
    this.#forget();
    this.#kept.result = null;
    replace(this.#results);
  }

  #forget(): void {
    this.#shown?.figure.destroy();
    this.#shown?.chart?.figure.destroy();
    this.#shown = null;
  }

  // --- the result

  #show(result: Result): void {
    this.#forget();
    const table = new ResultTable(this.#context, result);
    const layers = (): readonly (LayerPlace | null)[] => this.#layers(result);
    const figure = new Figure(this.#context, {
      id: 'sql-result',
      title: 'Result',
      explain: () => explainRows(result, layers()),
      body: {
        node: table.grid.node,
        draw: (width) => table.draw(layers(), width),
        destroy: () => table.grid.destroy(),
      },
      table: null,
      aside: () => [this.#actions(result)],
    });
    const drawn = this.#drawn(result, table);
    const body = drawn && new SqlChart(this.#context, drawn);
    const chart = body && {
      body,
      figure: plotFigure(this.#context, body, {
        id: 'sql-chart',
        title: 'Chart',
        aside: () => body.legend(),
      }),
    };
    this.#shown = { result, table, figure, chart };
    this.#printed.textContent = result.sql;
    replace(this.#results, figure.node, chart && this.#choices, chart?.figure.node);
    this.#redraw();
  }

  #layers(result: Result): readonly (LayerPlace | null)[] {
    return layersOf(result, this.#context.store.report.engines, this.#core.engineCount);
  }

  // Null: nothing to draw.
  #drawn(result: Result, { order }: ResultTable): Drawn | null {
    const choice = chartChoice(this.#context.store, result);
    return choice && { result, choice, order, layers: this.#layers(result) };
  }

  #redraw(): void {
    const shown = this.#shown;
    if (shown === null) return;
    const { result, table, figure, chart } = shown;
    this.#drawnWidth = this.#results.clientWidth;
    figure.draw();
    const drawn = this.#drawn(result, table);
    if (chart === null || drawn === null) return;
    chart.body.drawn = drawn;
    keepFocus(this.#choices, () => {
      replace(this.#choices, chartControls(this.#context, result, drawn.choice));
    });
    chart.figure.draw();
  }

  // --- copying and saving

  #actions(result: Result): HTMLElement {
    const context = this.#context;
    const link = linkButton;
    const { engines } = context.store.report;
    const command = queryCommand(result.sql, engines.slice(0, this.#core.engineCount));
    return span(
      'actions',
      link('copy', 'Copy the rows, for a spreadsheet', () => this.#copy(result)),
      link('CSV', 'Save as CSV, as planex query writes it', () => this.#save(result, 'csv')),
      link('JSON', 'Save as planex.query/1', () => this.#save(result, 'json')),
      link('command', command, () => context.copy(command, 'command')),
    );
  }

  #copy({ columns, rows }: Result): void {
    const cells = [columns.map(({ name }) => name), ...rows];
    this.#context.copy(`${tabbed(cells)}\n`, plural(rows.length, 'row'));
  }

  #save(result: Result, format: 'csv' | 'json'): void {
    const save = (rows: QueryRows): void => {
      const text = format === 'csv' ? csvDocument(rows) : jsonDocument(rows);
      const type = format === 'csv' ? 'text/csv' : 'application/json';
      const name = `${this.#context.store.engineTitle}.query.${format}`;
      this.#context.download(name, new Blob([text], { type }));
    };
    if (!result.isMore) return save(result);
    void this.#box.work(async (signal) => {
      const rows = await this.#core.query(result.sql, kMaxSaved, signal);
      save(rows);
      return `${plural(rows.rows.length, 'row')} saved.`;
    });
  }

  // --- the frame

  update(change: Change): void {
    const { store } = this.#context;
    const wanted = optionOf(store, 'q');
    const shown = this.#shown;
    if (change.has('options') && wanted !== null && wanted !== this.#asked) {
      this.#box.text.value = wanted;
      void this.#box.query();
      return;
    }
    if (change.size === 0 && !this.#schema.node.hidden) this.#schema.draw();
    const onlySelection = [...change].every((key) => key === 'selected' || key === 'more');
    const isSame = this.#drawnWidth === this.#results.clientWidth;
    if (change.size > 0 && onlySelection && isSame) {
      shown?.table.grid.mark();
      shown?.chart?.figure.draw();
    } else {
      this.#redraw();
    }
  }

  reveal(row: number): void {
    this.#shown?.table.grid.revealRow(row);
  }

  order(): Int32Array {
    return this.#shown?.table.layerOrder ?? new Int32Array();
  }

  destroy(): void {
    this.#ending.abort();
    this.#box.abort();
    this.#forget();
    this.#schema.destroy();
    this.#host.classList.remove('sql');
  }
}

function explainRows({ rows, isMore }: Result, layers: readonly (LayerPlace | null)[]): string {
  const hasLayers = layers.some((layer) => layer !== null);
  return joined(
    [
      isMore && `the first ${integer(rows.length)} rows; CSV and JSON have more`,
      hasLayers && 'a click on a row selects its layer',
    ],
    '; ',
  );
}

export const view: View = {
  id: 'sql',
  title: 'SQL',
  needs: [],
  isThere: (_, core) => core !== null,
  mount: (host, context) => {
    const { core } = context;
    if (core === null) throw new Error('a view without its core');
    return new SqlView(host, context, core);
  },
};
