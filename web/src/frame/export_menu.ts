// The export menu: the link, the command line, the layers on screen as files.

import { div, el } from '../base/dom.ts';
import { layersCommand } from '../model/layers_command.ts';
import type { Store } from '../model/store.ts';
import { csvOf, figureTable } from '../public/grid/index.ts';
import type { ViewContext } from '../public/page/view.ts';
import { showExportForm } from './export_form.ts';

type Way = readonly [title: string, help: string, run: () => void];

function waysOut(context: ViewContext): readonly Way[] {
  const { store } = context;
  const save = (extension: string, content: Blob): void =>
    context.download(`${store.engineTitle}.layers.${extension}`, content);
  return [
    [
      'Copy link',
      'To this view with its filter and selection',
      () => context.copy(`${location.href.split('#')[0] ?? ''}${store.link()}`, 'link'),
    ],
    [
      'Copy command',
      'Lists the layers on screen in a terminal',
      () => context.copy(layersCommand(store.state.chips, store.engine, store.basis), 'command'),
    ],
    ['Layers as CSV', 'All columns of the layers on screen', () => save('csv', csv(store))],
    ['Layers as JSON', 'All columns of the layers on screen', () => save('json', json(store))],
    [
      'Whole engine…',
      'Tables, workbook, trace, ONNX graph: what planex export writes',
      () => showExportForm(context),
    ],
    [
      'Print',
      'Or save as PDF: overview, findings, slowest layers, comparison',
      () => window.print(),
    ],
  ];
}

function csv({ engine: { layers }, selection }: Store): Blob {
  const text = (name: string) => (row: number) => String(layers.value(name, row) ?? '');
  const columns = layers.names.map((name) => [name, null, text(name)] as const);
  return csvOf(figureTable(selection.rows, columns));
}

function json({ engine: { layers }, selection }: Store): Blob {
  const rows = Array.from(selection.rows, (row) =>
    Object.fromEntries(layers.names.map((name) => [name, layers.value(name, row)])),
  );
  return new Blob([`${JSON.stringify(rows, null, 1)}\n`], { type: 'application/json' });
}

export function exportMenu(context: ViewContext): HTMLElement {
  const button = el(
    'button',
    {
      class: 'button',
      attrs: { type: 'button', 'aria-haspopup': 'menu', 'aria-expanded': 'false' },
      on: { click: () => show(list.hidden === true) },
    },
    'Export ▾',
  );
  const items = waysOut(context).map(([title, help, run]) => {
    const attrs = { type: 'button', role: 'menuitem', tabindex: '-1', title: help };
    const click = (): void => {
      show(false);
      run();
    };
    return el('button', { attrs, on: { click } }, title);
  });
  const list = el(
    'div',
    { class: 'popup export-list', attrs: { role: 'menu', hidden: true } },
    ...items,
  );
  const show = (isOpen: boolean): void => {
    const hadFocus = list.contains(document.activeElement);
    list.hidden = !isOpen;
    button.setAttribute('aria-expanded', String(isOpen));
    if (isOpen) items[0]?.focus();
    else if (hadFocus) button.focus();
  };
  const key = (event: KeyboardEvent): void => {
    if (list.hidden) return;
    const at = items.findIndex((item) => item === document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') show(false);
    else if (step !== undefined) items[(at + step + items.length) % items.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const node = div('export-menu', button, list);
  node.addEventListener('keydown', key);
  document.addEventListener('pointerdown', (event) => {
    const isOutside = !(event.target instanceof Node) || !node.contains(event.target);
    if (isOutside && !list.hidden) show(false);
  });
  return node;
}
