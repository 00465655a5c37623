// The memory timeline as a figure, with pointer and keys.

import {
  bytesText,
  Figure,
  figureTable,
  integer,
  linkButton,
  plural,
  precisionMark,
  span,
  type ViewContext,
} from '../../public/index.ts';
import { PlotBody } from '../../public/plot/index.ts';
import type { TensorIndex, Timeline, TimelineTensor } from './data.ts';
import { frameAt, layOutTimeline, rectAt, type TimelineLayout } from './timeline_layout.ts';
import { areaOf, kHeight, paintTimeline } from './timeline_paint.ts';

// Opacity of the column of a hovered layer over the drawing.
const kBand = 0.12;

export function timelineFigure(
  context: ViewContext,
  timeline: Timeline,
  index: TensorIndex,
): Figure {
  const { store } = context;
  const { engine } = store;
  const { conclusion, frames, offsets, peak, rows, tensors } = timeline;
  const isByTime = (): boolean => engine.hasTimes && store.option('memory.x') === 'time';
  const frameOf = (row: number | undefined): number | null => {
    const frame = rows.indexOf(row ?? -1);
    return frame < 0 ? null : frame;
  };
  // Blocks refer to layers that do work; the timeline has all records.
  const brackets = engine.blocks.flatMap(({ label, first, last }) => {
    const [from, to] = [frameOf(engine.workRows[first]), frameOf(engine.workRows[last])];
    return from === null || to === null ? [] : [{ label, first: from, last: to }];
  });

  let layout: TimelineLayout | null = null;
  let layoutKey = '';
  const layOut = (width: number): TimelineLayout => {
    const basis = isByTime() ? store.basis : null;
    const key = `${String(width)} ${basis ?? ''}`;
    if (layout === null || key !== layoutKey) {
      const times = basis === null ? null : engine.times(basis);
      const ofFrames = times && Float64Array.from(rows, (row) => times[row ?? -1] ?? Number.NaN);
      layout = layOutTimeline(timeline, areaOf(width), ofFrames);
      layoutKey = key;
    }
    return layout;
  };

  // Under the pointer, in addition to the store's hovered layer.
  let hovered: TimelineTensor | null = null;

  const linesOf = (tensor: TimelineTensor, at: number | null): readonly string[] => {
    const layer = (frame: number): string => {
      const row = rows[frame] ?? null;
      const name = row === null ? '' : ` ${store.layerLabel(row).slice(0, 80)}`;
      return `#${String(frames.layer_id[frame])}${name}`;
    };
    const { id, dtype, bytes, first, last } = tensor;
    const type = dtype === null ? '' : ` · ${dtype}`;
    return [
      index.name(id).slice(0, 160),
      `${bytesText(bytes)}${type} · live for ${plural(last - first + 1, 'layer')}`,
      `from ${layer(first)}`,
      `to ${layer(last)}`,
      ...(at === null
        ? []
        : [`at #${String(frames.layer_id[at])}: ${bytesText(frames.live_bytes[at])} live`]),
    ];
  };

  const body = new PlotBody(context, {
    label: () => `Memory timeline. ${conclusion.headline} The table lists the tensors.`,
    height: () => kHeight,
    draw: (plot) => {
      const selected = store.selectedRows;
      const { mask } = store.selection;
      const isWhole = store.state.chips.length === 0;
      paintTimeline(plot, layOut(plot.width), {
        store,
        timeline,
        index,
        brackets,
        byTime: isByTime(),
        stays: ({ id }) => isWhole || index.rows(id).some((row) => mask[row] === 1),
        selectedFrames: selected.flatMap((row) => frameOf(row) ?? []),
        selectedTensors: new Set(selected.flatMap((row) => [...index.of(row)])),
      });
    },
    at: (x, y) => {
      if (layout === null) return null;
      const frame = frameAt(layout.edges, x);
      const tensor = rectAt(layout, x, y)?.tensor ?? null;
      hovered = tensor;
      return {
        row: rows[frame ?? -1] ?? undefined,
        lines: tensor === null ? undefined : () => linesOf(tensor, frame),
      };
    },
    over: (pen, row) => {
      if (row === null || layout === null) return;
      const { area, edges, rects } = layout;
      const stroke = context.palette().ui('selb');
      const frame = frameOf(row);
      if (frame !== null) {
        const [x0 = 0, x1 = 0] = edges.slice(frame, frame + 2);
        pen.alpha(kBand);
        pen.rect(x0, area.top, Math.max(x1 - x0, 2), kHeight - area.top, { fill: stroke });
        pen.alpha(1);
      }
      const touched = hovered === null ? index.of(row) : new Set([hovered.id]);
      for (const { tensor, x0, x1, y0, y1 } of rects) {
        if (!touched.has(tensor.id)) continue;
        const [width, height] = [Math.max(x1 - x0 - 1, 1), Math.max(y1 - y0 - 1, 1)];
        pen.rect(x0 + 0.5, y0 + 0.5, width, height, { stroke });
      }
    },
  });
  const { node } = body;
  node.tabIndex = 0;
  node.addEventListener('mouseleave', () => {
    hovered = null;
  });
  node.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowRight') store.step(1);
    else if (event.key === 'ArrowLeft') store.step(-1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  const types = [...new Set(tensors.map(({ dtype }) => dtype))].sort((a, b) =>
    (a ?? '~') < (b ?? '~') ? -1 : 1,
  );
  return new Figure(context, {
    id: 'timeline',
    title: 'Memory timeline',
    explain: () => {
      const place =
        offsets === 'given'
          ? 'placed at the offsets in the file'
          : 'packed largest first at the lowest free offset: the engine’s own placement is not recorded';
      const streams =
        peak.stream_count > 1
          ? `; ${integer(peak.stream_count)} streams run concurrently, drawn in execution order`
          : '';
      const hidden = layout?.hidden ?? 0;
      const small =
        hidden > 0 ? `; ${plural(hidden, 'small tensor')} drawn only as a gray outline` : '';
      return `one rectangle per tensor: from the first layer that uses it to the last; height = bytes, color = type; ${place}${streams}${small}`;
    },
    body,
    aside: () => [
      ...types.map((type) => span('legend-entry', precisionMark(type))),
      engine.hasTimes
        ? linkButton(isByTime() ? 'by order' : 'by time', null, () =>
            store.setOption('memory.x', isByTime() ? null : 'time'),
          )
        : null,
    ],
    table: () =>
      figureTable(tensors, [
        ['tensor_id', 0, ({ id }) => id],
        ['tensor', null, ({ id }) => index.name(id)],
        ['type', null, ({ dtype }) => dtype],
        ['bytes', 0, ({ bytes }) => bytes],
        ['first layer', 0, ({ first }) => frames.layer_id[first]],
        ['last layer', 0, ({ last }) => frames.layer_id[last]],
        ['offset bytes', 0, ({ offset }) => offset],
      ]),
  });
}
