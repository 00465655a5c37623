// The row above the graph: colours, views, folding, zoom, export.

import {
  button,
  div,
  el,
  kGraphViews,
  pressButton,
  segments,
  span,
  type Child,
  type ColourMode,
  type GraphChoice,
  type GraphViewName,
} from '../../public/index.ts';

export interface ToolActions {
  choose(part: Partial<GraphChoice>): void;
  look(view: GraphViewName): void;
  table(): void;
  fit(): void;
  zoom(factor: number): void;
  saveSvg(): void;
  savePng(): void;
}

export interface ToolState {
  readonly colour: ColourMode;
  readonly colours: readonly ColourMode[];
  readonly view: GraphViewName;
  readonly views: readonly GraphViewName[];
  readonly constants: boolean;
  readonly hasConstants: boolean;
  readonly hasGroups: boolean;
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

// `percent`: what shows the zoom, and resets it.
export function tools(
  state: ToolState,
  actions: ToolActions,
  percent: HTMLElement,
): readonly Child[] {
  const { colour, colours, view, views, constants } = state;
  const folder = (name: string, title: string, folding: GraphChoice['folding']): HTMLElement => {
    const node = button(name, title, () => actions.choose({ folding, toggled: [] }));
    node.disabled = !state.hasGroups;
    return node;
  };
  const fit = button('Fit', 'Show everything', () => actions.fit());
  fit.append(el('kbd', {}, 'z'));
  return [
    span('dim', 'color'),
    segments(
      'Color by',
      colours.map((id) => ({ id, name: kColourNames[id] })),
      colour,
      (id) => actions.choose({ colour: id }),
    ),
    span('dim', 'view'),
    segments(
      'View',
      kGraphViews.map((id) => {
        const [name, title] = kViewNames[id];
        const disabled = !views.includes(id);
        return { id, name, title: disabled ? `${title}: not in this report` : title, disabled };
      }),
      view,
      (id) => actions.look(id),
    ),
    folder('Fold', 'Fold all blocks', 'folded'),
    folder('Unfold', 'Open all blocks', 'open'),
    state.hasConstants &&
      pressButton({ id: 'constants', name: 'Constants', title: 'Show constants' }, constants, () =>
        actions.choose({ constants: !constants }),
      ),
    div('grow'),
    button('Table', 'The same layers as a table (l)', () => actions.table()),
    fit,
    span(
      'segments',
      button('−', 'Smaller (-)', () => actions.zoom(1 / kZoomStep)),
      percent,
      button('+', 'Larger (+)', () => actions.zoom(kZoomStep)),
    ),
    el(
      'span',
      { class: 'segments', attrs: { role: 'group', 'aria-label': 'Save what is seen' } },
      button('SVG', 'Save what is seen as SVG', () => actions.saveSvg()),
      button('PNG', 'Save what is seen as PNG', () => actions.savePng()),
    ),
  ];
}

export function zoomText(zoom: number): string {
  const percent = zoom * 100;
  return `${percent >= 10 ? percent.toFixed(0) : percent.toPrecision(2)} %`;
}
