// Where in a tensor the differences lie, with its pointer and its keys.

import {
  bodyFont,
  choiceList,
  el,
  Figure,
  figureTable,
  isNumber,
  plural,
  significant,
  visible,
  type FigureBody,
  type FigureTable,
  type Spot,
  type ViewContext,
} from '../../public/index.ts';
import { CanvasPen, SvgPen } from '../../public/drawing.ts';
import { choose, shownMaps, type AccuracyData, type TensorMaps } from './data.ts';
import { cellAt, cellValue, layOutMaps, paintMaps, type MapsLayout } from './maps_paint.ts';

class MapsBody implements FigureBody {
  readonly node: HTMLElement;
  readonly #canvas = el('canvas', { attrs: { role: 'img', tabindex: '0' } });
  readonly #context: ViewContext;
  readonly #data: AccuracyData;
  #width = 0;
  #layout: MapsLayout | null = null;
  #cell: number | null = null;

  constructor(context: ViewContext, data: AccuracyData) {
    this.#context = context;
    this.#data = data;
    this.node = el('div', { class: 'difference-maps' }, this.#canvas);
    this.#listen();
  }

  get maps(): TensorMaps | null {
    return shownMaps(this.#context.store, this.#data);
  }

  nameOf(tensor: string): string {
    return visible(this.#data.items.find((item) => item.tensor === tensor)?.name ?? tensor);
  }

  explain(): string {
    const { maps } = this;
    if (maps === null) return 'of the tensors that lose most; this one was not drawn';
    const { channels, tensor_height: height, tensor_width: width } = maps.float;
    const cells =
      maps.float.height === height && maps.float.width === width ? '' : ', each cell the mean';
    return [
      this.nameOf(maps.tensor),
      `first sample, ${String(height)}×${String(width)}, mean of ${plural(channels ?? 0, 'channel')}${cells}`,
      maps.engine === null ? 'looking at it alone changed the engine' : null,
    ]
      .filter((part) => part !== null)
      .join('; ');
  }

  label(): string {
    return `Where in a tensor the differences lie. ${this.explain()}. The table holds the numbers.`;
  }

  draw(width: number): void {
    this.#width = width;
    const { maps } = this;
    this.#layout = maps === null ? null : layOutMaps(maps, width);
    this.#cell = null;
    const height = this.#layout?.height ?? 0;
    const scale = window.devicePixelRatio || 1;
    const canvas = this.#canvas;
    canvas.hidden = this.#layout === null;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.style.width = `${String(width)}px`;
    canvas.style.height = `${String(height)}px`;
    canvas.setAttribute('aria-label', this.label());
    this.#paint();
  }

  #paint(): void {
    const g = this.#canvas.getContext('2d');
    if (g === null || this.#layout === null || this.#width === 0) return;
    const scale = window.devicePixelRatio || 1;
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    const palette = this.#context.palette();
    const pen = new CanvasPen(g, palette, { x: 0, y: 0, zoom: 1 }, scale);
    paintMaps(pen, this.#layout, palette, this.#cell);
  }

  svg(): string | null {
    if (this.#width === 0 || this.#layout === null) return '';
    const palette = this.#context.palette();
    const pen = new SvgPen(
      {
        fontFamily: bodyFont(11).replace(/^\d+ \S+ /, ''),
        background: palette.ui('bg'),
        hatch: { colour: palette.family('reformat'), stripe: palette.ui('bg') },
      },
      1,
    );
    paintMaps(pen, this.#layout, palette);
    return pen.document(this.label(), 0, 0, this.#width, this.#layout.height);
  }

  #light(cell: number | null, at: Spot | null): void {
    const { tooltip } = this.#context;
    if (cell === null || at === null) tooltip.hide();
    else tooltip.lines(this.#lines(cell), at);
    if (cell === this.#cell) return;
    this.#cell = cell;
    this.#paint();
  }

  #listen(): void {
    const canvas = this.#canvas;
    canvas.addEventListener('pointermove', (event) => {
      const layout = this.#layout;
      this.#light(layout === null ? null : cellAt(layout, event.offsetX, event.offsetY), event);
    });
    for (const end of ['pointerleave', 'blur']) {
      canvas.addEventListener(end, () => this.#light(null, null));
    }
    canvas.addEventListener('keydown', (event) => {
      const layout = this.#layout;
      if (layout === null) return;
      const steps: Readonly<Record<string, readonly [number, number]>> = {
        ArrowRight: [1, 0],
        ArrowLeft: [-1, 0],
        ArrowDown: [0, 1],
        ArrowUp: [0, -1],
      };
      const step = steps[event.key];
      if (step === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      const { columns, rows } = layout;
      const now = this.#cell ?? 0;
      const x = Math.min(columns - 1, Math.max(0, (now % columns) + step[0]));
      const y = Math.min(rows - 1, Math.max(0, Math.floor(now / columns) + step[1]));
      const field = layout.fields[0];
      const box = canvas.getBoundingClientRect();
      this.#light(y * columns + x, {
        clientX: box.left + (field?.x ?? 0) + ((x + 1) / columns) * (field?.width ?? 0),
        clientY: box.top + (field?.y ?? 0) + ((y + 1) / rows) * (field?.height ?? 0),
      });
    });
  }

  #lines(cell: number): readonly string[] {
    const { maps } = this;
    if (maps === null || this.#layout === null) return [];
    const { columns, rows } = this.#layout;
    const { tensor_height: height, tensor_width: width } = maps.float;
    const span = (at: number, cells: number, all: number | null): string => {
      const count = all ?? cells;
      const from = Math.ceil((at * count) / cells);
      const to = Math.max(from, Math.ceil(((at + 1) * count) / cells) - 1);
      return from === to ? String(from) : `${String(from)} to ${String(to)}`;
    };
    const value = (name: string, map: TensorMaps['engine']): string | null =>
      map === null ? null : `${name}: ${significant(cellValue(map, cell))}`;
    return [
      `row ${span(Math.floor(cell / columns), rows, height)}, column ${span(cell % columns, columns, width)}`,
      value('float, mean |x|', maps.float),
      value('simulated − float', maps.simulated),
      value('engine − float', maps.engine),
    ].filter((line) => line !== null);
  }

  table(): FigureTable {
    const { maps } = this;
    const columns = maps?.float.width ?? 1;
    const of = (map: TensorMaps['engine'], cell: number): number | null => {
      const value = map === null ? Number.NaN : cellValue(map, cell);
      return isNumber(value) ? Number(value.toPrecision(6)) : null;
    };
    return figureTable(maps?.float.cells ?? [], [
      ['row', 0, (_, cell) => Math.floor(cell / columns)],
      ['column', 0, (_, cell) => cell % columns],
      ['float', 5, (_, cell) => of(maps?.float ?? null, cell)],
      ['simulated − float', 5, (_, cell) => of(maps?.simulated ?? null, cell)],
      ['engine − float', 5, (_, cell) => of(maps?.engine ?? null, cell)],
    ]);
  }

  destroy(): void {
    this.#context.tooltip.hide();
  }
}

export function mapsFigure(context: ViewContext, data: AccuracyData): Figure {
  const body = new MapsBody(context, data);
  const options = data.maps.map(({ tensor }) => ({ id: tensor, name: body.nameOf(tensor) }));
  return new Figure(context, {
    id: 'accuracy-maps',
    title: 'Where it differs',
    explain: () => body.explain(),
    body,
    table: () => body.table(),
    aside: () => [
      choiceList(
        'tensor',
        body.maps === null ? [{ id: '', name: '–' }, ...options] : options,
        body.maps?.tensor ?? '',
        (tensor) => {
          const item = data.items.find((one) => one.tensor === tensor);
          if (item !== undefined) choose(context.store, item);
        },
      ),
    ],
  });
}
