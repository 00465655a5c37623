// The row above the graph: colours, views, folding, zoom, export.

import {
  div,
  el,
  kGraphViews,
  replace,
  span,
  type ColourMode,
  type GraphViewName,
} from '../../public/index.ts';

export interface ToolActions {
  readonly colour: (mode: ColourMode) => void;
  readonly view: (view: GraphViewName) => void;
  readonly fold: () => void;
  readonly unfold: () => void;
  readonly constants: () => void;
  readonly fit: () => void;
  readonly zoom: (factor: number) => void;
  readonly zoomReset: () => void;
  readonly saveSvg: () => void;
  readonly savePng: () => void;
  readonly table: () => void;
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

function button(
  text: string,
  onClick: () => void,
  options: {
    readonly on?: boolean;
    readonly title?: string;
    readonly off?: boolean;
    readonly key?: string;
  } = {},
): HTMLButtonElement {
  return el(
    'button',
    {
      class: `button${options.on === true ? ' on' : ''}`,
      attrs: {
        type: 'button',
        title: options.title,
        disabled: options.off === true,
        'aria-pressed': options.on === undefined ? null : String(options.on),
      },
      on: { click: onClick },
    },
    text,
    options.key === undefined ? null : el('kbd', {}, options.key),
  );
}

export class Toolbar {
  readonly node = el('div', {
    class: 'graph-tools',
    attrs: { role: 'toolbar', 'aria-label': 'Graph' },
  });
  readonly #percent = el('button', {
    class: 'button graph-percent',
    attrs: { type: 'button', title: 'To 100 %' },
  });
  readonly #actions: ToolActions;

  constructor(actions: ToolActions) {
    this.#actions = actions;
    this.#percent.addEventListener('click', actions.zoomReset);
  }

  zoomed(zoom: number): void {
    const percent = zoom * 100;
    this.#percent.textContent = `${percent >= 10 ? percent.toFixed(0) : percent.toPrecision(2)} %`;
  }

  show(state: ToolState): void {
    const actions = this.#actions;
    const missing = 'not in this report';
    replace(
      this.node,
      span('dim', 'color'),
      el(
        'span',
        { class: 'segments', attrs: { role: 'group', 'aria-label': 'Color by' } },
        ...state.colours.map((mode) =>
          button(kColourNames[mode], () => actions.colour(mode), { on: mode === state.colour }),
        ),
      ),
      span('dim', 'view'),
      el(
        'span',
        { class: 'segments', attrs: { role: 'group', 'aria-label': 'View' } },
        ...kGraphViews.map((view) => {
          const [name, title] = kViewNames[view];
          const off = !state.views.includes(view);
          return button(name, () => actions.view(view), {
            on: view === state.view,
            off,
            title: off ? `${title}: ${missing}` : title,
          });
        }),
      ),
      button('Fold', actions.fold, { off: !state.hasGroups, title: 'Fold all blocks' }),
      button('Unfold', actions.unfold, { off: !state.hasGroups, title: 'Open all blocks' }),
      state.hasConstants
        ? button('Constants', actions.constants, { on: state.constants, title: 'Show constants' })
        : null,
      div('grow'),
      button('Table', actions.table, { title: 'The same layers as a table (l)' }),
      button('Fit', actions.fit, { title: 'Show everything', key: 'z' }),
      el(
        'span',
        { class: 'segments' },
        button('−', () => actions.zoom(1 / 1.25), { title: 'Smaller (-)' }),
        this.#percent,
        button('+', () => actions.zoom(1.25), { title: 'Larger (+)' }),
      ),
      el(
        'span',
        { class: 'segments', attrs: { role: 'group', 'aria-label': 'Save what is seen' } },
        button('SVG', actions.saveSvg, { title: 'Save what is seen as SVG' }),
        button('PNG', actions.savePng, { title: 'Save what is seen as PNG' }),
      ),
    );
  }
}
