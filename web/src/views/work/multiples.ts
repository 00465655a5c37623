// Small multiples instead of scatter charts in three dimensions: one quantity against the others,
// one cell each, the same layer in all of them.

import {
  Figure,
  figureTable,
  linkedChoice,
  type DataColumn,
  type LinkedChoice,
  type ViewContext,
} from '../../public/index.ts';
import { gridFrames, makeCell, rowsOf, type Cell, type CellSpec } from './cells.ts';
import { colouringOf, colourOptions, type ColourId, type Colouring } from './colours.ts';
import {
  isKnown,
  measureName,
  measureTitle,
  type Measure,
  type MeasureId,
  type WorkData,
} from './measures.ts';
import { scatterBody } from './scatter.ts';

const kMargin = { left: 44, right: 18, top: 22, bottom: 40 };
const kPlotHeight = 132;
const kMinCell = 250;
const kMaxColumns = 4;
const kMaxRadius = 8;

const kUp = ['time', 'rate', 'bandwidth', 'reached'] as const;
const kAcross = ['macs', 'm', 'n', 'k', 'footprint', 'intensity'] as const;

// Of all figures that colour layers by the reader's choice.
export function colourChoice({ store }: ViewContext, data: WorkData): LinkedChoice<ColourId> {
  return linkedChoice(store, 'work.colour', colourOptions(store.engine, data), 'precision');
}

export function chosenColouring(context: ViewContext, data: WorkData): Colouring {
  const { now } = colourChoice(context, data);
  return colouringOf(now, context.store.engine, data, context.palette());
}

export function multiplesFigure(context: ViewContext, data: () => WorkData): Figure {
  const { store } = context;
  const upChoice = (): LinkedChoice<(typeof kUp)[number]> => {
    const { measures, rows } = data();
    const options = kUp.map((id) => ({
      id,
      name: measureName(measures[id]),
      available: id === 'time' || isKnown(measures[id], rows),
    }));
    return linkedChoice(store, 'work.against', options, 'time');
  };
  const specs = (): readonly CellSpec[] => {
    const { measures } = data();
    const up = upChoice().now;
    const pairs: readonly (readonly [MeasureId, MeasureId])[] = [
      ...kAcross.map((across) => [across, up] as const),
      ['rate', 'bandwidth'],
      ['macs', 'footprint'],
    ];
    return pairs.map(([x, y]) => ({ x: measures[x], y: measures[y] }));
  };
  // Cells without a point leave no hole.
  const kept = (): readonly CellSpec[] =>
    specs().filter((spec) => rowsOf(spec, data().rows).length > 0);
  const layout = (width: number): { readonly cells: readonly Cell[]; readonly height: number } => {
    const shown = kept();
    const grid = [width, kMinCell, kMaxColumns, kPlotHeight, kMargin] as const;
    const { frames, height } = gridFrames(shown.length, ...grid);
    const cells = shown.flatMap((spec, i) => {
      const frame = frames[i];
      return (frame && makeCell(spec, data().rows, frame)) ?? [];
    });
    return { cells, height };
  };
  const body = scatterBody(context, {
    label: () => {
      const up = measureName(data().measures[upChoice().now]);
      return `${up} against what is computed and moved: ${String(specs().length)} cells of the same layers`;
    },
    layout,
    look: () => ({
      fill: chosenColouring(context, data()).fill,
      outlined: () => false,
      maxRadius: kMaxRadius,
      isHollow: false,
    }),
  });
  return new Figure(context, {
    id: 'work-multiples',
    title: 'Time, work and bytes',
    isEmpty: () => kept().length === 0,
    explain: () =>
      `one circle per layer, in every cell${store.engine.hasTimes ? '; area = time' : ''}; drag over a cell to filter`,
    body,
    aside: () => [
      // Without times, only work against bytes moved.
      store.engine.hasTimes ? upChoice().list('up') : null,
      colourChoice(context, data()).list('color'),
      ...chosenColouring(context, data()).legend(),
    ],
    table: () => {
      const { rows, measures } = data();
      const { engine, selection } = store;
      const known = Object.values(measures).filter(({ values }: Measure) =>
        rows.some((row) => !Number.isNaN(values[row] ?? Number.NaN)),
      );
      return figureTable<number>(
        rows.filter((row) => selection.mask[row] === 1),
        [
          ['layer_id', 0, (row) => engine.layerId(row)],
          ['layer', null, (row) => engine.rawName(row)],
          ...known.map((measure): DataColumn<number> => {
            const { decimals, scale, values } = measure;
            return [measureTitle(measure), decimals, (row) => (values[row] ?? Number.NaN) * scale];
          }),
        ],
      );
    },
  });
}
