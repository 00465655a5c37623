// Where in a tensor the differences are, with pointer and keys.

import {
  choiceList,
  Figure,
  figureTable,
  isNumber,
  joined,
  plural,
  significant,
  visible,
  type DifferenceMap,
  type ViewContext,
} from '../../public/index.ts';
import { PlotBody, type Plot, type TabledPlot } from '../../public/plot/index.ts';
import { choose, shownMaps, type AccuracyData, type TensorMaps } from './data.ts';
import { cellAt, cellValue, layOutMaps, type Field, type MapsLayout } from './maps_layout.ts';

const kScaleSteps = 24;
const kSteps: Readonly<Record<string, readonly [dx: number, dy: number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};

// The rows or columns of the tensor that a cell averages.
function spanText(at: number, cells: number, all: number | null): string {
  const count = all ?? cells;
  const from = Math.ceil((at * count) / cells);
  const to = Math.max(from, Math.ceil(((at + 1) * count) / cells) - 1);
  return from === to ? String(from) : `${String(from)} to ${String(to)}`;
}

function cellLines({ float, simulated, engine }: TensorMaps, cell: number): readonly string[] {
  const [columns, rows] = [float.width ?? 1, float.height ?? 1];
  const value = (name: string, map: DifferenceMap | null): readonly string[] =>
    map === null ? [] : [`${name}: ${significant(cellValue(map, cell))}`];
  const row = spanText(Math.floor(cell / columns), rows, float.tensor_height);
  return [
    `row ${row}, column ${spanText(cell % columns, columns, float.tensor_width)}`,
    ...value('float, mean |x|', float),
    ...value('simulated − float', simulated),
    ...value('engine − float', engine),
  ];
}

function drawScale(plot: Plot, field: Field): void {
  const { palette } = plot;
  const soft = { fill: palette.ui('ink3') };
  const [y, end] = [field.y + field.height + 6, field.x + field.width];
  const most = significant(field.most);
  const left = field.x + 12;
  const wide = (end - 8 - most.length * 6 - left) / kScaleSteps;
  plot.text('0', field.x, y + 4.5, soft);
  if (!(field.most > 0) || !(wide > 0)) return;
  for (let step = 0; step < kScaleSteps; step += 1) {
    const x = left + step * wide;
    plot.rect(x, y, x + wide + 0.4, y + 9, { fill: palette.heatAt((step + 0.5) / kScaleSteps) });
  }
  plot.text(most, end, y + 4.5, { ...soft, align: 'right' });
}

// `lit`: the cell under the pointer, in all fields.
function drawMaps(plot: Plot, maps: TensorMaps, layout: MapsLayout, lit: number | null): void {
  const { palette } = plot;
  for (const field of layout.fields) {
    const { x: left, y: top, width, height, most } = field;
    const [wide, high] = [width / layout.columns, height / layout.rows];
    const corner = (cell: number): readonly [number, number] => [
      left + (cell % layout.columns) * wide,
      top + Math.floor(cell / layout.columns) * high,
    ];
    plot.text(field.title, left, top - 9, { fill: palette.ui('ink2'), size: 11 });
    field.map.cells?.forEach((_, cell) => {
      const [x, y] = corner(cell);
      const fill = palette.heatAt(most > 0 ? cellValue(field.map, cell) / most : 0);
      // Overlaps its neighbours slightly, so that there are no seams.
      plot.rect(
        x,
        y,
        x + wide + 0.4,
        y + high + 0.4,
        { fill },
        {
          lines: () => cellLines(maps, cell),
        },
      );
    });
    const frame = { stroke: palette.ui('line2') };
    plot.rect(left - 0.5, top - 0.5, left + width + 0.5, top + height + 0.5, frame);
    if (lit !== null) {
      const [x, y] = corner(lit);
      const look = { stroke: palette.ui('selb'), width: 1.5 };
      plot.rect(x - 1, y - 1, x + Math.max(3, wide + 1), y + Math.max(3, high + 1), look);
    }
    drawScale(plot, field);
  }
}

export function mapsFigure(context: ViewContext, data: AccuracyData): Figure {
  const { store, tooltip } = context;
  let lit: number | null = null;
  const shown = (): TensorMaps | null => shownMaps(store, data);
  const layoutIn = (width: number): MapsLayout | null => {
    const maps = shown();
    return maps === null ? null : layOutMaps(maps, width);
  };
  const nameOf = (tensor: string): string =>
    visible(data.items.find((item) => item.tensor === tensor)?.name ?? tensor);
  const explain = (): string => {
    const maps = shown();
    if (maps === null) return 'only for the tensors that lose most; this tensor has none';
    const { channels, tensor_height: height, tensor_width: width } = maps.float;
    const isWhole = maps.float.height === height && maps.float.width === width;
    return joined(
      [
        nameOf(maps.tensor),
        `first sample, ${String(height)}×${String(width)}, mean of ${plural(channels ?? 0, 'channel')}${isWhole ? '' : ', each cell the mean'}`,
        maps.engine === null && 'tapping it alone changed the engine',
      ],
      '; ',
    );
  };
  const chart: TabledPlot = {
    explain,
    label: () => `Where in a tensor the differences are. ${explain()}. The table has the numbers.`,
    height: (width) => layoutIn(width)?.height ?? 0,
    draw: (plot) => {
      const [maps, layout] = [shown(), layoutIn(plot.width)];
      if (maps !== null && layout !== null) drawMaps(plot, maps, layout, lit);
    },
    table: () => {
      const maps = shown();
      const columns = maps?.float.width ?? 1;
      const of = (map: DifferenceMap | null | undefined, cell: number): number | null => {
        const value = map === null || map === undefined ? Number.NaN : cellValue(map, cell);
        return isNumber(value) ? Number(value.toPrecision(6)) : null;
      };
      return figureTable(maps?.float.cells ?? [], [
        ['row', 0, (_, cell) => Math.floor(cell / columns)],
        ['column', 0, (_, cell) => cell % columns],
        ['float', 5, (_, cell) => of(maps?.float, cell)],
        ['simulated − float', 5, (_, cell) => of(maps?.simulated, cell)],
        ['engine − float', 5, (_, cell) => of(maps?.engine, cell)],
      ]);
    },
  };
  const body = new PlotBody(context, chart);
  const { node } = body;
  node.tabIndex = 0;
  const light = (cell: number | null): void => {
    if (cell === lit) return;
    lit = cell;
    body.draw(node.clientWidth);
  };
  node.addEventListener('mousemove', (event) => {
    const box = node.getBoundingClientRect();
    const layout = layoutIn(box.width);
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    light(layout === null ? null : cellAt(layout, x, y));
  });
  node.addEventListener('mouseleave', () => light(null));
  node.addEventListener('blur', () => {
    tooltip.hide();
    light(null);
  });
  node.addEventListener('keydown', (event) => {
    const [maps, layout] = [shown(), layoutIn(node.clientWidth)];
    const step = kSteps[event.key];
    const field = layout?.fields[0];
    if (maps === null || layout === null || step === undefined || field === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const { columns, rows } = layout;
    const now = lit ?? 0;
    const x = Math.min(columns - 1, Math.max(0, (now % columns) + step[0]));
    const y = Math.min(rows - 1, Math.max(0, Math.floor(now / columns) + step[1]));
    const cell = y * columns + x;
    const box = node.getBoundingClientRect();
    tooltip.lines(cellLines(maps, cell), {
      clientX: box.left + field.x + ((x + 1) / columns) * field.width,
      clientY: box.top + field.y + ((y + 1) / rows) * field.height,
    });
    light(cell);
  });
  const options = data.maps.map(({ tensor }) => ({ id: tensor, name: nameOf(tensor) }));
  const pick = (tensor: string): void => {
    const item = data.items.find((one) => one.tensor === tensor);
    if (item !== undefined) choose(store, item);
  };
  return new Figure(context, {
    id: 'accuracy-maps',
    title: 'Where it differs',
    explain,
    body,
    table: () => chart.table(),
    aside: () => {
      const now = shown()?.tensor ?? '';
      const none = now === '' ? [{ id: '', name: '–' }] : [];
      return [choiceList('tensor', [...none, ...options], now, pick)];
    },
  });
}
