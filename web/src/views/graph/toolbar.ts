// The row above the graph: colours, views, folding, zoom, export.

import {
  button,
  div,
  el,
  kColourModes,
  kGraphViews,
  pressButton,
  segments,
  span,
  type Child,
  type ColourMode,
  type Engine,
  type GraphChoice,
  type GraphView,
  type GraphViewName,
  type Store,
} from '../../public/index.ts';
import { streamsOf } from '../../drawing/index.ts';

export interface ToolActions {
  fit(): void;
  zoom(factor: number): void;
  saveSvg(): void;
  savePng(): void;
}

export const kZoomStep = 1.25;

const kColourNames: Readonly<Record<ColourMode, string>> = {
  type: 'Type',
  precision: 'Precision',
  time: 'Time',
  memory: 'Memory',
  stream: 'Stream',
};
const kViewNames: Readonly<Record<GraphViewName, readonly [string, string]>> = {
  execution: ['Execution', 'Layers in execution order'],
  memory: ['Memory', 'Layers and the tensors between them'],
  source: ['ONNX', 'Operations of the source model'],
};

// The available colourings.
function isKnown(engine: Engine, mode: ColourMode): boolean {
  if (mode === 'stream') return streamsOf(engine).length > 1;
  if (mode === 'time') return engine.hasTimes;
  if (mode === 'precision') return engine.layers.has('precision');
  return mode === 'type' || engine.layers.has('io_bytes');
}

// `percent`: shows the zoom, and resets it.
export function tools(
  store: Store,
  view: GraphView | null,
  actions: ToolActions,
  percent: HTMLElement,
): readonly Child[] {
  const { engine } = store;
  const { graph } = store.state;
  const choose = (part: Partial<GraphChoice>): void =>
    store.patch({ graph: { ...graph, ...part } });
  const folder = (name: string, title: string, folding: GraphChoice['folding']): HTMLElement => {
    const node = button(name, title, () => choose({ folding, toggled: [] }));
    node.disabled = view === null || view.groups.length === 0;
    return node;
  };
  const fit = button('Fit', 'Show everything', () => actions.fit());
  fit.append(el('kbd', {}, 'z'));
  return [
    span('dim', 'color'),
    segments(
      'Color by',
      kColourModes.map((id) => ({
        id,
        name: kColourNames[id],
        available: isKnown(engine, id),
      })),
      graph.colour,
      (colour) => choose({ colour }),
    ),
    span('dim', 'view'),
    segments(
      'View',
      kGraphViews.map((id) => {
        const [name, title] = kViewNames[id];
        const disabled = !engine.hasGraph(id);
        return { id, name, title: disabled ? `${title}: not in this report` : title, disabled };
      }),
      view?.view ?? graph.view,
      (id) => {
        const next = { ...graph, view: id, folding: 'chosen', toggled: [] } as const;
        store.patch({ graph: next, item: null });
      },
    ),
    folder('Fold', 'Fold all blocks', 'folded'),
    folder('Unfold', 'Open all blocks', 'open'),
    view?.hasConstants === true &&
      pressButton(
        { id: 'constants', name: 'Constants', title: 'Show constants' },
        graph.constants,
        () => choose({ constants: !graph.constants }),
      ),
    div('grow'),
    button('Table', 'The same layers as a table (l)', () => store.patch({ view: 'layers' })),
    fit,
    span(
      'segments',
      button('−', 'Smaller (-)', () => actions.zoom(1 / kZoomStep)),
      percent,
      button('+', 'Larger (+)', () => actions.zoom(kZoomStep)),
    ),
    el(
      'span',
      { class: 'segments', attrs: { role: 'group', 'aria-label': 'Save the visible part' } },
      button('SVG', 'Save the visible part as SVG', () => actions.saveSvg()),
      button('PNG', 'Save the visible part as PNG', () => actions.savePng()),
    ),
  ];
}

export function zoomText(zoom: number): string {
  const percent = zoom * 100;
  return `${percent >= 10 ? percent.toFixed(0) : percent.toPrecision(2)} %`;
}
