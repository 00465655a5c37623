// Small multiples in place of scatter charts in three dimensions: one quantity against the others, a
// cell each, the same layer in all of them.

import { choiceList, Figure, type ViewContext } from '../../public/index.ts';
import { gridFrames, makeCell, type Cell, type CellSpec } from './cells.ts';
import { colouringOf, colourOptions, kColours, type ColourId } from './colours.ts';
import { measureTitle, type MeasureId } from './measures.ts';
import type { RooflineData } from './roofline.ts';
import { ScatterBody } from './scatter_body.ts';

const kMargin = { left: 44, right: 18, top: 22, bottom: 40 };
const kPlotHeight = 132;
const kMinCell = 250;
const kMaxColumns = 4;
const kMaxRadius = 8;

const kAgainst = ['time', 'rate', 'bandwidth', 'reached'] as const;
type Against = (typeof kAgainst)[number];

const kAgainstNames: Readonly<Record<Against, string>> = {
  time: 'time',
  rate: 'compute rate',
  bandwidth: 'memory rate',
  reached: '% of limit',
};

const kOver: readonly MeasureId[] = ['macs', 'm', 'n', 'k', 'footprint', 'intensity'];

export function colourChoice(context: ViewContext, data: RooflineData): ColourId {
  const wanted = context.store.option('work.colour');
  const options = colourOptions(context.store.engine, data.measures, data.rows);
  const found = kColours.find((id) => id === wanted);
  const isThere = options.some((option) => option.id === found && option.available !== false);
  return found !== undefined && isThere ? found : 'precision';
}

export function colourControl(context: ViewContext, data: RooflineData): HTMLElement {
  const { store } = context;
  return choiceList(
    'color',
    colourOptions(store.engine, data.measures, data.rows),
    colourChoice(context, data),
    (id) => store.setOption('work.colour', id === 'precision' ? null : id),
  );
}

export interface MultiplesFigure {
  readonly figure: Figure;
  readonly isEmpty: boolean;
  mark(): void;
}

export function multiplesFigure(context: ViewContext, data: () => RooflineData): MultiplesFigure {
  const { store } = context;
  const against = (): Against => {
    const wanted = store.option('work.against');
    const { measures, rows } = data();
    const found = kAgainst.find((id) => id === wanted) ?? 'time';
    const values = measures.get(found)?.values;
    const known = values !== undefined && rows.some((row) => (values[row] ?? 0) > 0);
    return known ? found : 'time';
  };
  const specs = (): readonly CellSpec[] => {
    const { measures } = data();
    const pair = (x: MeasureId, y: MeasureId): readonly CellSpec[] => {
      const across = measures.get(x);
      const up = measures.get(y);
      return across === undefined || up === undefined
        ? []
        : [{ id: `${y}-${x}`, x: across, y: up }];
    };
    return [
      ...kOver.flatMap((x) => pair(x, against())),
      ...pair('rate', 'bandwidth'),
      ...pair('macs', 'footprint'),
    ];
  };
  const layout = (width: number): { cells: readonly Cell[]; height: number } => {
    const { rows } = data();
    // Cells without a point leave no hole.
    const kept = specs().filter((spec) =>
      rows.some((row) => (spec.x.values[row] ?? 0) > 0 && (spec.y.values[row] ?? 0) > 0),
    );
    const { frames, height } = gridFrames(
      kept.length,
      width,
      kMinCell,
      kMaxColumns,
      kPlotHeight,
      kMargin,
    );
    const cells = kept.flatMap((spec, i) => {
      const frame = frames[i];
      const cell = frame === undefined ? null : makeCell(spec, rows, frame);
      return cell === null ? [] : [cell];
    });
    return { cells, height };
  };
  const body = new ScatterBody(context, {
    label: () =>
      `${kAgainstNames[against()]} against what is computed and moved: ${String(specs().length)} cells of the same layers`,
    layout,
    look: (palette) => {
      const { rows, measures } = data();
      const colouring = colouringOf(
        colourChoice(context, data()),
        store.engine,
        measures,
        rows,
        palette,
      );
      return {
        fill: (row) => colouring.fill(row),
        outlined: () => false,
        weights: store.engine.hasTimes ? store.engine.times(store.basis) : null,
        maxRadius: kMaxRadius,
        isHollow: false,
      };
    },
  });
  const figure = new Figure(context, {
    id: 'work-multiples',
    title: 'Time, work and bytes',
    explain: () =>
      `one circle per layer, in every cell${store.engine.hasTimes ? '; area = time' : ''}; drag over a cell to filter`,
    body,
    aside: () => [
      // Without times there is only what is computed against what is moved.
      !store.engine.hasTimes
        ? null
        : choiceList(
            'up',
            kAgainst.map((id) => ({
              id,
              name: kAgainstNames[id],
              available:
                id === 'time' ||
                data().rows.some((row) => (data().measures.get(id)?.values[row] ?? 0) > 0),
            })),
            against(),
            (id) => store.setOption('work.against', id === 'time' ? null : id),
          ),
      colourControl(context, data()),
      ...colouringOf(
        colourChoice(context, data()),
        store.engine,
        data().measures,
        data().rows,
        context.palette(),
      ).legend(),
    ],
    table: () => {
      const { rows, measures } = data();
      const shown = [...measures.values()].filter((measure) =>
        rows.some((row) => !Number.isNaN(measure.values[row] ?? Number.NaN)),
      );
      return {
        columns: [
          { title: 'layer_id', decimals: 0 },
          { title: 'layer', decimals: null },
          ...shown.map((measure) => ({
            title: measureTitle(measure),
            decimals: measure.decimals,
          })),
        ],
        rows: [...rows]
          .filter((row) => store.selection.mask[row] === 1)
          .map((row) => [
            store.engine.layerId(row),
            store.engine.rawName(row),
            ...shown.map((measure) => {
              const value = measure.values[row] ?? Number.NaN;
              return Number.isNaN(value) ? null : value * measure.scale;
            }),
          ]),
      };
    },
  });
  return {
    figure,
    get isEmpty() {
      return layout(1000).cells.length === 0;
    },
    mark: () => body.mark(),
  };
}
