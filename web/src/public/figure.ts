// A chart with all that belongs to one: a title, what is drawn of what, the numbers behind it as a
// table and as CSV, the picture as SVG and PNG. How the chart is drawn is its body's affair.

import { div, el, replace, span } from '../base/dom.ts';
import { fixed } from '../base/format.ts';
import { csvField, visible } from '../base/text.ts';
import { pngBlob, svgBlob } from './picture.ts';
import type { ViewContext } from './view.ts';

export type FigureCell = string | number | null;

export interface FigureColumn {
  // With its unit: "median ms".
  readonly title: string;
  // Of numbers on screen; the CSV has them whole. Null: texts.
  readonly decimals: number | null;
}

export interface FigureTable {
  readonly columns: readonly FigureColumn[];
  readonly rows: readonly (readonly FigureCell[])[];
}

export interface FigureBody {
  readonly node: HTMLElement;
  // The state, the theme or the size changed. `width` in pixels.
  draw(width: number): void;
  // The picture as it is on screen; null where there is none to save, as of tables.
  svg(): string | null;
  destroy(): void;
}

export interface FigureSpec {
  // In file names: "samples".
  readonly id: string;
  readonly title: string;
  // What is drawn, of what, how many; asked at every drawing.
  explain(): string;
  readonly body: FigureBody;
  // The numbers behind the picture, or, of a body without one, those of its own table: then they are
  // only saved. Null: there is nothing to save.
  readonly table: (() => FigureTable) | null;
  // Beside the title, at the right: a legend, a choice. Drawn anew with the chart.
  aside?(): readonly (HTMLElement | null)[];
}

// More rows than this are not drawn, only saved.
const kMaxRows = 500;

export class Figure {
  readonly node: HTMLElement;
  readonly #context: ViewContext;
  readonly #spec: FigureSpec;
  readonly #explain = span('explain');
  readonly #aside = span('figure-aside');
  readonly #twin = div('figure-twin');
  readonly #toggle: HTMLElement | null;
  #showsTable = false;

  constructor(context: ViewContext, spec: FigureSpec) {
    this.#context = context;
    this.#spec = spec;
    const action = (text: string, title: string, onClick: () => void): HTMLElement =>
      el(
        'button',
        { class: 'link', attrs: { type: 'button', title }, on: { click: onClick } },
        text,
      );
    const hasPicture = spec.body.svg() !== null;
    this.#toggle =
      spec.table === null || !hasPicture
        ? null
        : action('table', 'Show the numbers', () => this.#switch());
    this.node = el(
      'section',
      { class: 'chart-figure block', attrs: { 'data-figure': spec.id } },
      el(
        'h2',
        { class: 'section-title' },
        spec.title,
        this.#explain,
        span(
          'actions',
          this.#toggle,
          spec.table === null ? null : action('CSV', 'Save as CSV', () => this.#saveCsv()),
          hasPicture ? action('SVG', 'Save as SVG', () => this.#saveSvg()) : null,
          hasPicture ? action('PNG', 'Save as PNG', () => this.#savePng()) : null,
        ),
        this.#aside,
      ),
      spec.body.node,
      this.#twin,
    );
    this.#twin.hidden = true;
  }

  draw(): void {
    this.#explain.textContent = this.#spec.explain();
    replace(this.#aside, ...(this.#spec.aside?.() ?? []));
    if (this.#showsTable) {
      this.#drawTable();
      return;
    }
    const width = this.node.clientWidth;
    if (width > 0) this.#spec.body.draw(width);
  }

  destroy(): void {
    this.#spec.body.destroy();
  }

  #switch(): void {
    this.#showsTable = !this.#showsTable;
    this.#spec.body.node.hidden = this.#showsTable;
    this.#twin.hidden = !this.#showsTable;
    if (this.#toggle !== null) this.#toggle.textContent = this.#showsTable ? 'chart' : 'table';
    this.draw();
  }

  #drawTable(): void {
    const table = this.#spec.table?.();
    if (table === undefined) return;
    const isNumber = table.columns.map((column) => column.decimals !== null);
    const rest = table.rows.length - kMaxRows;
    replace(
      this.#twin,
      el(
        'table',
        { class: 'plain' },
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            ...table.columns.map((column, i) =>
              el(
                'th',
                { class: isNumber[i] ? 'right' : '', attrs: { scope: 'col' } },
                column.title,
              ),
            ),
          ),
        ),
        el(
          'tbody',
          {},
          ...table.rows
            .slice(0, kMaxRows)
            .map((row) =>
              el(
                'tr',
                {},
                ...row.map((cell, i) =>
                  el(
                    'td',
                    { class: isNumber[i] ? 'right' : 'name' },
                    typeof cell === 'string'
                      ? visible(cell)
                      : fixed(cell, table.columns[i]?.decimals ?? 0),
                  ),
                ),
              ),
            ),
        ),
      ),
      rest > 0 ? el('p', { class: 'dim' }, `${String(rest)} more rows in the CSV.`) : null,
    );
  }

  #name(extension: string): string {
    return `${this.#context.store.engineTitle}.${this.#spec.id}.${extension}`;
  }

  #saveCsv(): void {
    const table = this.#spec.table?.();
    if (table === undefined) return;
    const line = (cells: readonly FigureCell[]): string =>
      cells
        .map((cell) =>
          typeof cell === 'string' ? csvField(cell) : cell === null ? '' : String(cell),
        )
        .join(',');
    const lines = [line(table.columns.map((column) => column.title)), ...table.rows.map(line)];
    this.#context.download(
      this.#name('csv'),
      new Blob([`${lines.join('\n')}\n`], { type: 'text/csv' }),
    );
  }

  #saveSvg(): void {
    const svg = this.#spec.body.svg();
    if (svg !== null) this.#context.download(this.#name('svg'), svgBlob(svg));
  }

  #savePng(): void {
    const svg = this.#spec.body.svg();
    if (svg === null) return;
    void pngBlob(svg).then((blob) => {
      if (blob === null) this.#context.note('the browser could not make the picture');
      else this.#context.download(this.#name('png'), blob);
    });
  }
}

// The figures of a view: drawn together, and destroyed together.
export class FigureList {
  #figures: Figure[] = [];

  // Its place in the view; null for a figure that there is not.
  keep(figure: Figure | null): HTMLElement | null {
    if (figure === null) return null;
    this.#figures.push(figure);
    return figure.node;
  }

  draw(): void {
    for (const figure of this.#figures) figure.draw();
  }

  destroy(): void {
    for (const figure of this.#figures) figure.destroy();
    this.#figures = [];
  }
}
