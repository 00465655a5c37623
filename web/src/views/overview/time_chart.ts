// Time per layer in execution order. Order carries meaning, so the bars are not sorted; layers with
// findings have a triangle, blocks are bracketed. If there are more layers than pixels, a bar is
// the sum of neighbours, with the reformats' part hatched at its base.

import {
  bodyFont,
  div,
  el,
  familySwatch,
  Figure,
  figureTable,
  integer,
  linkButton,
  replace,
  span,
  textWidth,
  type Engine,
  type FamilyKey,
  type Store,
  type ViewContext,
} from '../../public/index.ts';
import {
  drawnSvg,
  familyFill,
  PlotBody,
  ticksTo,
  xAxis,
  yAxis,
  type Plot,
} from '../../public/plot/index.ts';
import { kHeight, layersPerBar, layOutTime, type Bracket, type TimeLayout } from './time_layout.ts';

const kMaxTriangles = 200;
const kFaded = 0.25;
// For the title and the legend, in a saved picture.
const kHeadHeight = 22;

const kFamilyNames: Readonly<Record<FamilyKey, string>> = {
  convolution: 'Convolution',
  gemm: 'GEMM, attention',
  opaque: 'Opaque block',
  pointwise: 'Pointwise',
  norm: 'Norm, softmax, scale',
  pool: 'Pool, reduce',
  shuffle: 'Shuffle, slice',
  plugin: 'Plugin',
  reformat: 'Reformat',
  other: 'Other',
};

const familiesOf = (engine: Engine): readonly FamilyKey[] => [
  ...new Set([...engine.workRows].map((row) => engine.family(row))),
];

function drawBars(plot: Plot, { engine, state }: Store, layout: TimeLayout): void {
  const { palette } = plot;
  const { frame, columns, x, y, half } = layout;
  const floor = frame.top + frame.height;
  yAxis(plot, frame, y, ticksTo(layout.max, 5));
  if (layout.brackets.length === 0) {
    // Below the triangles.
    const below = { ...frame, height: frame.height + 7 };
    const idAt = (place: number): string =>
      `#${String(engine.layerId(columns[place]?.rows[0] ?? 0))}`;
    const ticks = { values: [...columns.keys()], text: idAt };
    xAxis(plot, below, (place) => x(place + 0.5), ticks, { lines: false });
  }
  const { selected } = state;
  const hasTriangles = columns.filter(({ finding }) => finding).length <= kMaxTriangles;
  for (const [i, { rows, largest, parts, finding }] of columns.entries()) {
    const middle = x(i + 0.5);
    const isSelected = selected !== null && rows.includes(selected);
    let below = 0;
    for (const { family, shown, sum } of parts) {
      plot.rect(middle - half, y(below + sum), middle + half, y(below), {
        fill: familyFill(palette, family),
        opacity: shown ? 1 : kFaded,
        ...(isSelected ? { stroke: palette.ui('selb'), width: 2 } : {}),
      });
      below += sum;
    }
    if (finding && hasTriangles) {
      const [top, foot] = [floor + 3.75, floor + 10.25];
      const corners = [middle, top, middle + 3.5, foot, middle - 3.5, foot, middle, top];
      plot.line(corners, palette.ui('warning'), { width: 1.2 });
    }
    plot.hit(x(i), 0, x(i + 1), plot.height, { row: largest });
  }
  for (const { left, middle, text, isName, isCause } of layout.labels) {
    plot.text(text, left, middle, {
      fill: palette.ui(isCause === true ? 'ink3' : 'ink'),
      size: 11,
      weight: isName === true ? 500 : 400,
    });
  }
}

// The elements that are HTML on screen: the title, the legend, brackets.
function drawAround(plot: Plot, title: string, engine: Engine, layout: TimeLayout): void {
  const { palette } = plot;
  plot.text(title, 0, 8, { fill: palette.ui('ink'), size: 12, weight: 600 });
  // Right-aligned, as on the page.
  let right = plot.width - 12;
  for (const family of [...familiesOf(engine)].reverse()) {
    const left = right - textWidth(kFamilyNames[family], bodyFont(11));
    plot.text(kFamilyNames[family], left, 8, { fill: palette.ui('ink2'), size: 11 });
    plot.rect(left - 13, 3, left - 4, 12, { fill: familyFill(palette, family) });
    right = left - 28;
  }
  const y = layout.frame.top + layout.frame.height + 15;
  for (const { left, right: end, text } of layout.brackets) {
    plot.line([left, y, left, y + 4, end, y + 4, end, y], palette.ui('line2'));
    const look = { fill: palette.ui('ink3'), align: 'middle', size: 11 } as const;
    plot.text(text, (left + end) / 2, y + 13, look);
  }
}

function bracketButton(store: Store, bracket: Bracket, top: number): HTMLElement {
  const { left, right, firstId, lastId, text, title } = bracket;
  const values = [`${String(firstId)}-${String(lastId)}`];
  const css = {
    left: `${left.toFixed(1)}px`,
    top: `${top.toFixed(1)}px`,
    width: `${(right - left).toFixed(1)}px`,
  };
  const click = (): void => store.addChip({ field: 'layer', op: ':', values, negated: false });
  const attrs = { type: 'button', title: `${title}; click to filter` };
  return el('button', { class: 'bracket', attrs, css, on: { click } }, text);
}

export function timeFigure(context: ViewContext): Figure {
  const { store } = context;
  const { hasTimes } = store.engine;
  const title = hasTimes ? 'Time per layer' : 'Bytes moved per layer';
  let shown: TimeLayout | null = null;
  const body = new PlotBody(context, {
    label: () =>
      `${hasTimes ? `Time (${store.basis})` : 'Bytes moved'} of ${integer(store.engine.workRows.length)} ` +
      'layers in execution order. The table below lists the largest, the Layers view all.',
    height: () => kHeight,
    draw: (plot) => {
      if (shown !== null) drawBars(plot, store, shown);
    },
  });
  const brackets = div('brackets');
  const svg = (): string => {
    const width = body.node.clientWidth;
    if (width === 0) return '';
    const what = hasTimes ? `${title}, ms, ${store.basis}` : `${title}, MB`;
    const name = `${store.engineTitle}: ${what}`;
    return drawnSvg(context.palette(), { width, height: kHeight + kHeadHeight }, name, (plot) => {
      const own = layOutTime(store, width, kHeadHeight);
      drawBars(plot, store, own);
      drawAround(plot, name, store.engine, own);
    });
  };
  const draw = (width: number): void => {
    shown = layOutTime(store, width);
    body.draw(width);
    const top = shown.frame.top + shown.frame.height + 15;
    replace(brackets, ...shown.brackets.map((bracket) => bracketButton(store, bracket, top)));
  };
  const isShort = (): boolean => store.state.names === 'short';
  return new Figure(context, {
    id: 'time-per-layer',
    title,
    explain: () => {
      const many = layersPerBar(store.engine, body.node.clientWidth);
      const bars = many > 1 ? `; ${integer(many)} consecutive layers per bar` : '';
      return `${hasTimes ? `ms, ${store.basis}` : 'MB'}, in execution order${bars}`;
    },
    body: {
      node: div('time-chart', body.node, brackets),
      draw,
      svg,
      destroy: () => body.destroy(),
    },
    showTable: () => store.patch({ view: 'layers', sort: null }),
    // The numbers behind the bars, of all layers that do work.
    table: () => {
      const { engine, basis } = store;
      const { kind, values } = engine.extent(basis);
      const blockAt = (place: number): string | undefined =>
        engine.blocks.findLast(({ first, last }) => first <= place && place <= last)?.label;
      return figureTable(engine.workRows, [
        ['layer_id', 0, (row) => engine.layerId(row)],
        ['name', null, (row) => engine.rawName(row)],
        ['type', null, (row) => engine.layers.text('type', row)],
        ['block', null, (_, place) => blockAt(place)],
        [kind === 'time' ? `${basis}_ms` : 'bytes', 4, (row) => values[row]],
      ]);
    },
    aside: () => [
      linkButton(
        isShort() ? 'original names' : 'short names',
        'How layers are named in charts, ribbon and neighbors',
        () => store.patch({ names: isShort() ? 'original' : 'short' }),
      ),
      legend(store.engine),
    ],
  });
}

function legend(engine: Engine): HTMLElement {
  return span(
    'legend',
    ...familiesOf(engine).map((family) =>
      span('legend-entry', familySwatch(family), kFamilyNames[family]),
    ),
    engine.findings.some(({ layer_id: id }) => id !== null) &&
      span('legend-entry', span('triangle', '△'), 'finding'),
  );
}
