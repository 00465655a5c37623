// What `planex export` writes of an engine: saved from the page if it has a core, with the command
// that writes the same file in a terminal.

import { button, div, el, replace, span } from '../base/dom.ts';
import { integer } from '../base/format.ts';
import {
  exportCommand,
  exportFile,
  exportOptions,
  kExportFormats,
  kExportOptions,
  type ExportOption,
} from '../model/exports.ts';
import type { SizedTable } from '../model/query_rows.ts';
import { checkBox, selectOf } from '../public/choice.ts';
import { keepFocus } from '../public/page/keep_focus.ts';
import { factsList, type Fact } from '../public/key_figures.ts';
import { commandBox } from '../public/page/marks.ts';
import type { CoreOpener } from '../public/page/opener.ts';
import type { ViewContext } from '../public/page/view.ts';
import './export_form.css';
import { ProblemList } from './problem_list.ts';

class ExportForm {
  readonly node: HTMLDialogElement;
  readonly #context: ViewContext;
  readonly #here: number;
  // Engines that came from reports have no files here.
  readonly #ownCount: number;
  // Null: the page can't write this engine.
  readonly #writer: CoreOpener | null;
  readonly #form = div('');
  readonly #problems = new ProblemList();
  readonly #where = span('dim grow');
  readonly #save = button('Save', 'Written here, in the browser', () => this.#write());
  readonly #words = new Map<ExportOption, string>();
  #format = kExportFormats[0];
  #table = 'layers';
  #tables: readonly SizedTable[] = [];
  #isAll = false;

  constructor(context: ViewContext) {
    const { core, store } = context;
    this.#context = context;
    this.#here = store.state.engine;
    this.#ownCount = core === null ? store.report.engines.length : core.engineCount;
    this.#writer = this.#here < this.#ownCount ? core : null;
    const close = button('Close', 'Escape', () => this.node.close());
    this.node = el(
      'dialog',
      { class: 'export-form', attrs: { 'aria-label': 'Export' } },
      el('h2', { class: 'section-title' }, `Export ${store.engineTitle}`),
      this.#form,
      this.#problems.node,
      div('line', this.#where, close, this.#writer !== null && this.#save),
    );
    this.node.addEventListener('close', () => this.node.remove());
    this.#draw();
    void this.#findTables();
  }

  async #findTables(): Promise<void> {
    try {
      this.#tables = (await this.#writer?.exportTables(this.#here)) ?? [];
      this.#draw();
    } catch (error) {
      this.#problems.showError(error);
    }
  }

  get #canTakeSeveral(): boolean {
    const isOwn = this.#here < this.#ownCount;
    return this.#format.takesSeveral === true && this.#ownCount > 1 && isOwn;
  }

  get #engines(): readonly number[] {
    const all = Array.from({ length: this.#ownCount }, (_, i) => i);
    return this.#isAll && this.#canTakeSeveral ? all : [this.#here];
  }

  get #wanted() {
    return { format: this.#format, table: this.#table, words: this.#words } as const;
  }

  get #file(): string {
    const title = this.#engines.length > 1 ? 'engines' : this.#context.store.engineTitle;
    return exportFile(this.#wanted, title);
  }

  #write(): void {
    const file = this.#file;
    this.#save.disabled = true;
    this.#problems.show([]);
    void this.#writer
      ?.export(this.#engines, [['format', this.#format.id], ...exportOptions(this.#wanted)])
      .then((content) => this.#context.download(file, content))
      .catch((error: unknown) => this.#problems.showError(error))
      .finally(() => this.#draw());
  }

  // --- The choices

  #draw(): void {
    const { store } = this.#context;
    const engines = this.#engines.map((i) => store.report.engines[i] ?? store.engine);
    const command = exportCommand(this.#wanted, engines, this.#file);
    const box = commandBox(command, (text) => this.#context.copy(text, 'command'));
    keepFocus(this.#form, () => replace(this.#form, factsList(this.#facts()), box));
    const needsProgram = this.#format.needsProgram === true;
    this.#save.disabled = needsProgram;
    this.#where.textContent =
      this.#writer === null
        ? 'This page does not have the files of this engine: use the command.'
        : needsProgram
          ? 'Only the command can write this format.'
          : '';
  }

  #facts(): readonly Fact[] {
    const formats = kExportFormats.map(({ id, what }) => ({ id, name: `${id}: ${what}` }));
    const format = this.#list('Format', formats, this.#format.id, (id) => {
      this.#format = kExportFormats.find((one) => one.id === id) ?? this.#format;
    });
    const isTable = this.#format.isTable === true && this.#tables.length > 0;
    return [
      format,
      isTable ? this.#tableList() : null,
      ...(this.#format.options ?? []).map((name) => this.#optionList(name)),
      this.#canTakeSeveral ? this.#severalBox() : null,
    ];
  }

  #list(
    label: string,
    choices: readonly { readonly id: string; readonly name: string }[],
    now: string | null,
    take: (id: string) => void,
  ): Fact {
    const pick = (id: string): void => {
      take(id);
      this.#draw();
    };
    return [label, selectOf(label, choices, now, pick)];
  }

  #tableList(): Fact {
    const rows = this.#tables.map(({ name, rowCount }) => ({
      id: name,
      name: `${name}, rows: ${integer(rowCount)}`,
    }));
    return this.#list('Table', rows, this.#table, (id) => (this.#table = id));
  }

  #optionList(name: ExportOption): Fact {
    const [label, ...words] = kExportOptions[name];
    const choices = words.map((id: string) => ({ id, name: id }));
    const take = (id: string): unknown => this.#words.set(name, id);
    return this.#list(label, choices, this.#words.get(name) ?? null, take);
  }

  #severalBox(): Fact {
    const words = `all ${String(this.#ownCount)} open engines`;
    const change = (isOn: boolean): void => {
      this.#isAll = isOn;
      this.#draw();
    };
    return ['Engines', checkBox(words, this.#isAll, change)];
  }
}

export function showExportForm(context: ViewContext): void {
  const { node } = new ExportForm(context);
  document.body.append(node);
  node.showModal();
}
