// What the page offers while nothing is open: drop engines, choose files, try an example. A dialog
// shows the same to open more.

import { button, div, el } from '../base/dom.ts';
import type { Opening } from '../frame/opening.ts';
import { kPasteBox } from '../frame/pasted_text.ts';
import { kExamples, type Example } from './given.ts';
import './start_screen.css';

const kReads: readonly (readonly [string, string])[] = [
  ['TensorRT', 'layer files and profiles from trtexec and the Python API, logs; also TensorRT-RTX'],
  ['OpenVINO', 'execution graphs, counters, output of benchmark_app'],
  ['ONNX Runtime', 'profiles, with the optimized model; session logs'],
  ['ONNX', 'a model alone: its graph, work and Q/DQ'],
  ['Nsight Systems', 'kernels, exported to SQLite'],
  ['Archives', 'zip, .planex and .tea; files packed with gzip'],
  ['Reports', 'from planex, to open their engines'],
];

function ways(opening: Opening, tryExample: (example: Example) => void): HTMLElement {
  return div(
    'ways',
    div(
      'start-drop',
      el('p', { class: 'start-lead' }, 'Drop an engine’s files or folders anywhere on this page'),
      div(
        'start-buttons',
        button('Choose files', 'Files of one engine or several', () => opening.choose('files')),
        button('Choose a folder', 'Search a folder for engines', () => opening.choose('folder')),
      ),
      el('textarea', {
        class: kPasteBox,
        attrs: {
          'aria-label': 'Paste a log, a table or a layer file',
          placeholder: 'Or paste a log, a table or a layer file: here, or anywhere with Ctrl+V',
          rows: 2,
        },
      }),
      el(
        'p',
        { class: 'start-quiet' },
        'Nothing leaves this page: files are read here, in the browser.',
      ),
    ),
    el('h2', { class: 'section-title' }, 'Or try one'),
    el(
      'ul',
      { class: 'bare start-examples' },
      ...kExamples.map((example) =>
        el(
          'li',
          {},
          el(
            'button',
            {
              class: 'start-example',
              attrs: { type: 'button' },
              on: { click: () => tryExample(example) },
            },
            el('b', {}, example.name),
            el('span', {}, example.words),
          ),
        ),
      ),
    ),
  );
}

export function startScreen(opening: Opening, tryExample: (example: Example) => void): HTMLElement {
  return el(
    'main',
    { class: 'start' },
    el('h1', { class: 'start-title' }, 'planex'),
    el(
      'p',
      { class: 'start-words' },
      'shows what an inference engine does: its layers, their precision and layout, where the time goes and why, what to fix, and what changed.',
    ),
    ways(opening, tryExample),
    el('h2', { class: 'section-title' }, 'What it reads'),
    el(
      'dl',
      { class: 'start-reads' },
      ...kReads.flatMap(([name, what]) => [el('dt', {}, name), el('dd', {}, what)]),
    ),
  );
}

export class OpenDialog {
  readonly node: HTMLDialogElement;

  constructor(opening: Opening, tryExample: (example: Example) => void) {
    const close = button('Close', 'Escape', () => this.node.close());
    this.node = el(
      'dialog',
      { class: 'open-dialog', attrs: { 'aria-label': 'Open engines' } },
      div('open-head', el('h2', { class: 'section-title' }, 'Open engines'), close),
      ways(opening, (example) => {
        this.node.close();
        tryExample(example);
      }),
    );
  }
}
