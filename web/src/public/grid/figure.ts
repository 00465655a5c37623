// A chart with everything that belongs to it: a title, a line on what is drawn, the numbers as a
// table and as CSV, the picture as SVG and PNG. The body draws the chart.

import { div, el, replace, span } from '../../base/dom.ts';
import { fixed } from '../../base/format.ts';
import { visible } from '../../base/text.ts';
import { column, numbers } from './column.ts';
import { csvOf, type DataCell, type FigureTable } from './data.ts';
import { plainTable } from './plain_table.ts';
import { linkButton } from '../page/marks.ts';
import { pngBlob, svgBlob } from '../page/picture.ts';
import type { ViewContext } from '../page/view.ts';

export interface FigureBody {
  readonly node: HTMLElement;
  // The state, the theme or the size changed. `width` in pixels.
  draw(width: number): void;
  // Only the selection changed. If absent: draw.
  mark?(): void;
  // The picture as it is on screen; null or absent if there is none to save, as for tables.
  svg?(): string | null;
  destroy?(): void;
}

// A body that is HTML and not a chart: redrawn at every change.
export function htmlBody(
  className: string,
  make: (width: number) => readonly (Node | null)[],
): FigureBody {
  const node = div(className);
  const draw = (width: number): void => {
    const scrolled = node.scrollLeft;
    replace(node, ...make(width));
    node.scrollLeft = scrolled;
  };
  return { node, draw };
}

export interface FigureSpec {
  // In file names: "samples".
  readonly id: string;
  readonly title: string;
  // Nothing to draw: the view leaves it out.
  isEmpty?(): boolean;
  // What is drawn, of what, how many; evaluated at every drawing.
  explain(): string;
  readonly body: FigureBody;
  // The numbers behind the picture; or, for a body without one, those of its own table, which are
  // only saved. Null: nothing to save.
  readonly table: (() => FigureTable) | null;
  // Where the numbers are shown instead, if not in place of the picture.
  readonly showTable?: () => void;
  // Next to the title, at the right: a legend, a choice. Redrawn with the chart.
  aside?(): readonly (HTMLElement | null)[];
}

// More rows than this are only saved, not drawn.
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
    const { table } = spec;
    const svg = (): string | null => spec.body.svg?.() ?? null;
    const hasPicture = svg() !== null;
    this.#toggle =
      table === null || !hasPicture
        ? null
        : linkButton('table', 'Show the numbers', spec.showTable ?? (() => this.#switch()));
    const save = async (extension: string, make: (svg: string) => Blob | Promise<Blob | null>) => {
      const text = svg();
      if (text !== null) this.#save(extension, await make(text));
    };
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
          table && linkButton('CSV', 'Save as CSV', () => this.#save('csv', csvOf(table()))),
          hasPicture && linkButton('SVG', 'Save as SVG', () => void save('svg', svgBlob)),
          hasPicture && linkButton('PNG', 'Save as PNG', () => void save('png', pngBlob)),
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

  get isEmpty(): boolean {
    return this.#spec.isEmpty?.() === true;
  }

  mark(): void {
    const { body } = this.#spec;
    if (this.#showsTable || body.mark === undefined) this.draw();
    else body.mark();
  }

  destroy(): void {
    this.#spec.body.destroy?.();
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
    const rest = table.rows.length - kMaxRows;
    const columns = table.columns.map(({ title, decimals }, i) => {
      const text = (row: readonly DataCell[]): string => {
        const cell = row[i] ?? null;
        return typeof cell === 'string' ? visible(cell) : fixed(cell, decimals ?? 0);
      };
      return decimals === null ? column(title, text, { cellClass: 'name' }) : numbers(title, text);
    });
    replace(
      this.#twin,
      plainTable('', table.rows.slice(0, kMaxRows), columns),
      rest > 0 ? el('p', { class: 'dim' }, `${String(rest)} more rows in the CSV.`) : null,
    );
  }

  #name(extension: string): string {
    return `${this.#context.store.engineTitle}.${this.#spec.id}.${extension}`;
  }

  // Null: the browser could not create it.
  #save(extension: string, content: Blob | null): void {
    if (content === null) this.#context.note('the browser could not make the picture');
    else this.#context.download(this.#name(extension), content);
  }
}

// The figures of a view: drawn together, and destroyed together.
export class FigureList {
  #figures: Figure[] = [];

  // Its place in the view; null for an absent figure.
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
