// What `planex export` writes of an engine, saved from the page where that has a core, with the command
// that writes the same file in a terminal.

import { button, div, el, replace, span } from '../base/dom.ts';
import { integer } from '../base/format.ts';
import { enginePath, shellWord } from '../model/layers_command.ts';
import type { SizedTable } from '../model/query_rows.ts';
import { checkBox, selectOf } from '../public/choice.ts';
import { keepFocus } from '../public/keep_focus.ts';
import { factsList, type Fact } from '../public/key_figures.ts';
import { commandBox } from '../public/marks.ts';
import type { ViewContext } from '../public/view.ts';
import './export_form.css';
import { ProblemList } from './problem_list.ts';

// Options of planex export, with their words: the first is what is taken where none is named.
const kOptions = {
  basis: ['Layer times', 'best', 'median', 'mean'],
  nodes: ['Nodes', 'best', 'layers', 'operations'],
  value: ['Value', 'time', 'layer-time', 'share', 'precision'],
} as const;
type OptionName = keyof typeof kOptions;

interface Format {
  readonly id: string;
  readonly what: string;
  // Of file names, by which the program knows what to write.
  readonly ending: string;
  readonly options?: readonly OptionName[];
  // It writes one of the tables.
  readonly isTable?: boolean;
  readonly takesSeveral?: boolean;
  // It takes a library that a page has not.
  readonly needsProgram?: boolean;
}

const kTable = { what: 'one table', isTable: true, takesSeveral: true };
const kFormats: readonly [Format, ...Format[]] = [
  { id: 'csv', ending: '.csv', ...kTable },
  { id: 'jsonl', ending: '.jsonl', ...kTable },
  { id: 'plan', ending: '.plan.json', what: 'all that planex knows; it reads it back' },
  {
    id: 'trace',
    ending: '.trace.json',
    what: 'layers in time, for Perfetto',
    options: ['basis'],
    takesSeveral: true,
  },
  { id: 'onnx', ending: '.onnx', what: 'graph, for Netron', options: ['basis', 'nodes'] },
  {
    id: 'node-data',
    ending: '.node-data.json',
    what: 'values of nodes, for Model Explorer',
    options: ['basis', 'nodes', 'value'],
  },
  { id: 'xlsx', ending: '.xlsx', what: 'workbook', takesSeveral: true, needsProgram: true },
  { id: 'parquet', ending: '.parquet', ...kTable, needsProgram: true },
  { id: 'arrow', ending: '.arrow', ...kTable, needsProgram: true },
];

export function showExportForm(context: ViewContext): void {
  const { store, core } = context;
  const { engine, engineTitle } = store;
  const { engines } = store.report;
  const here = store.state.engine;
  // Engines that came in reports are there without their files.
  const ownCount = core === null ? engines.length : core.engineCount;
  const writer = here < ownCount ? core : null;

  let [format] = kFormats;
  let table = 'layers';
  let isAll = false;
  const words = new Map<OptionName, string>();
  let tables: readonly SizedTable[] = [];

  const several = (): boolean => format.takesSeveral === true && ownCount > 1 && here < ownCount;
  const asked = (): readonly number[] =>
    isAll && several() ? Array.from({ length: ownCount }, (_, i) => i) : [here];
  const options = (): readonly (readonly [string, string])[] => {
    const named = (format.options ?? []).map((name) => [name, words.get(name)] as const);
    const all = [...named, ['table', format.isTable === true ? table : undefined] as const];
    return all.flatMap(([name, word]) => (word === undefined ? [] : [[name, word] as const]));
  };
  const fileName = (): string => {
    const name = asked().length > 1 ? 'engines' : engineTitle.replaceAll('/', '-');
    return `${name}${format.isTable === true ? `.${table}` : ''}${format.ending}`;
  };
  const command = (): string => {
    const paths = asked().map((i) => enginePath(engines[i] ?? engine));
    const flags = options().flatMap(([name, word]) => [`--${name}`, word]);
    return ['planex', 'export', ...paths, ...flags, '-o', fileName()].map(shellWord).join(' ');
  };

  const form = div('');
  const where = span('dim grow');
  const problems = new ProblemList();
  problems.show([]);
  const save = button('Save', 'Written here, in the browser', () => {
    const name = fileName();
    save.disabled = true;
    problems.show([]);
    void writer
      ?.export(asked(), [['format', format.id], ...options()])
      .then((content) => context.download(name, content))
      .catch((error: unknown) => problems.showError(error))
      .finally(draw);
  });

  const optionFact = (name: OptionName): Fact => {
    const [label, ...all] = kOptions[name];
    const choices = all.map((id: string) => ({ id, name: id }));
    const take = (id: string): unknown => words.set(name, id);
    return [label, selectOf(label, choices, words.get(name) ?? null, drawnAfter(take))];
  };
  const facts = (): readonly Fact[] => {
    const formats = kFormats.map(({ id, what }) => ({ id, name: `${id}: ${what}` }));
    const take = (id: string): unknown =>
      (format = kFormats.find((one) => one.id === id) ?? format);
    const rows = tables.map(({ name, rowCount }) => ({
      id: name,
      name: `${name} (${integer(rowCount)})`,
    }));
    const takeTable = drawnAfter((id: string) => (table = id));
    const takeAll = drawnAfter((isOn: boolean) => (isAll = isOn));
    return [
      ['Format', selectOf('Format', formats, format.id, drawnAfter(take))],
      format.isTable === true && rows.length > 0
        ? ['Table (rows)', selectOf('Table', rows, table, takeTable)]
        : null,
      ...(format.options ?? []).map(optionFact),
      several()
        ? ['Engines', checkBox(`all ${String(ownCount)} that are open`, isAll, takeAll)]
        : null,
    ];
  };
  function draw(): void {
    const copy = (text: string): void => context.copy(text, 'command');
    keepFocus(form, () => replace(form, factsList(facts()), commandBox(command(), copy)));
    const isProgram = format.needsProgram === true;
    save.disabled = isProgram;
    where.textContent =
      writer === null
        ? 'This page has not the files of this engine: the command writes it.'
        : isProgram
          ? 'The command writes it, not the page.'
          : '';
  }
  function drawnAfter<T>(take: (value: T) => unknown): (value: T) => void {
    return (value) => {
      take(value);
      draw();
    };
  }

  const dialog = el(
    'dialog',
    { class: 'export-form', attrs: { 'aria-label': 'Export' } },
    el('h2', { class: 'section-title' }, `Export ${engineTitle}`),
    form,
    problems.node,
    div(
      'line',
      where,
      button('Close', 'Escape', () => dialog.close()),
      writer !== null && save,
    ),
  );
  dialog.addEventListener('close', () => dialog.remove());
  draw();
  document.body.append(dialog);
  dialog.showModal();
  void writer
    ?.exportTables(here)
    .then((known) => {
      tables = known;
      draw();
    })
    .catch((error: unknown) => problems.showError(error));
}
