// Layers as areas: the size is time, or bytes; groups are frames. Replaces the predecessor's
// sunburst and treemaps, with true sizes.

import {
  figureTable,
  inUnit,
  integer,
  linkButton,
  percent,
  timeUnit,
  type Figure,
  type ViewContext,
} from '../../public/index.ts';
import { familyFill, framedAreas, plotFigure, type Plot } from '../../public/plot/index.ts';
import { groupRows, kGroupingTitles, type Grouping, type RowGroup } from './grouping.ts';

// The total number of areas; the smaller ones of a group are combined into one.
const kMaxLayers = 2000;
const kGaps = { head: 18, rim: 2, betweenFrames: 4, betweenAreas: 1 };
// Names in smaller areas are no help.
const kMinLabel = { width: 28, height: 15 };

interface Sized extends RowGroup {
  readonly name: string;
  readonly sum: number;
  // The largest first.
  readonly shown: readonly number[];
  readonly rest: readonly number[];
}

function sized(value: number | undefined): number {
  return value === undefined || Number.isNaN(value) ? 0 : value;
}

// The value of the `most`-th largest row; 0 if there are no more rows than that.
function minOf(rows: Int32Array, values: Float64Array, most: number): number {
  if (rows.length <= most) return 0;
  const sorted = Float64Array.from(rows, (row) => sized(values[row])).sort();
  return sorted[sorted.length - most] ?? 0;
}

// `grouping` and `room`, its height in pixels, are evaluated at every drawing.
export function treemapFigure(
  context: ViewContext,
  grouping: () => Grouping,
  room: () => number,
): Figure {
  const { store } = context;
  const isTime = (): boolean => {
    const { engine } = store;
    const wantsBytes = store.option('layers.size') === 'bytes';
    return engine.hasTimes && !(wantsBytes && engine.layers.has('footprint_bytes'));
  };
  const valuesOf = (): Float64Array => {
    const { engine, basis } = store;
    return isTime() ? engine.times(basis) : engine.layers.numbers('footprint_bytes');
  };
  const text = (value: number): string => {
    if (!isTime()) return `${(value / 1e6).toFixed(1)} MB`;
    const unit = timeUnit(value);
    return `${inUnit(value, unit)} ${unit.unit}`;
  };
  const explain = (): string => {
    const size = isTime() ? `time (${store.basis})` : 'bytes moved';
    const layers = integer(store.engine.workRows.length);
    return `area = ${size}, color = type, frames = ${kGroupingTitles[grouping()]}; ${layers} layers`;
  };
  const groupsOf = (values: Float64Array): readonly Sized[] => {
    const { engine } = store;
    const least = minOf(engine.workRows, values, kMaxLayers);
    return groupRows(engine, engine.workRows, grouping(), values).map((group) => {
      const rows = [...group.rows]
        .filter((row) => sized(values[row]) > 0)
        .sort((a, b) => sized(values[b]) - sized(values[a]));
      return {
        ...group,
        name: group.label ?? 'not known',
        sum: engine.sum(values, group.rows),
        shown: rows.filter((row) => sized(values[row]) >= least),
        rest: rows.filter((row) => sized(values[row]) < least),
      };
    });
  };

  const draw = (plot: Plot): void => {
    const { engine, selection, state } = store;
    const { palette } = plot;
    const values = valuesOf();
    const all = engine.whole(values);
    const groups = groupsOf(values).filter(({ sum }) => sum > 0);
    const sumOf = (rows: readonly number[]): number => engine.sum(values, Int32Array.from(rows));
    const placed = framedAreas(
      groups.map(({ shown, rest }) => [
        ...shown.map((row) => sized(values[row])),
        ...(rest.length === 0 ? [] : [sumOf(rest)]),
      ]),
      plot,
      kGaps,
    );
    for (const [g, { frame, areas }] of placed.entries()) {
      const group = groups[g];
      if (group === undefined) continue;
      const { name, sum, shown, rest } = group;
      const layers = integer(group.rows.length);
      plot.rect(frame.x0, frame.y0, frame.x1, frame.y1, { fill: palette.ui('s2') });
      plot.hit(frame.x0, frame.y0, frame.x1, frame.y1, {
        lines: () => [name, `${layers} layers · ${text(sum)} · ${percent(sum / all)} % of Σ`],
      });
      const label = (
        words: string,
        x0: number,
        x1: number,
        y: number,
        fill: string,
        rim = '',
      ): void =>
        plot.text(words, x0 + 5, y, {
          fill,
          size: 11,
          room: x1 - x0 - 10,
          ...(rim === '' ? {} : { rim }),
        });
      if (frame.x1 - frame.x0 > kMinLabel.width) {
        label(name, frame.x0, frame.x1, frame.y0 + kGaps.head / 2, palette.ui('ink2'));
      }
      for (const [i, { x0, y0, x1, y1 }] of areas.entries()) {
        const row = shown[i];
        const hasRoom = x1 - x0 > kMinLabel.width && y1 - y0 > kMinLabel.height;
        if (row === undefined) {
          const few = `${integer(rest.length)} smaller`;
          const lines = () => [`${few} layers of ${name}`, text(sumOf(rest))];
          plot.rect(x0, y0, x1, y1, { fill: palette.ui('s2') }, { lines });
          if (hasRoom) label(few, x0, x1, y0 + 10, palette.ui('ink'));
          continue;
        }
        const family = engine.family(row);
        const opacity = selection.mask[row] === 1 ? 1 : 0.25;
        plot.rect(x0, y0, x1, y1, { fill: familyFill(palette, family), opacity }, { row });
        if (row === state.selected) {
          plot.rect(x0, y0, x1, y1, { stroke: palette.ui('selb'), width: 2 });
        } else if (family === 'other') {
          plot.rect(x0, y0, x1, y1, { stroke: palette.ui('line2') });
        }
        if (!hasRoom) continue;
        const ink = family === 'reformat' ? null : palette.inkOn(palette.family(family));
        // On the hatch a name needs a rim; a background of its own would cover all of the area.
        const rim = ink === null ? palette.ui('bg') : '';
        label(store.layerLabel(row), x0, x1, y0 + 10, ink ?? palette.ui('ink'), rim);
      }
    }
  };

  const table = () => {
    const values = valuesOf();
    const all = store.engine.whole(values);
    return figureTable(groupsOf(values), [
      [kGroupingTitles[grouping()], null, ({ label }) => label],
      ['layers', 0, ({ rows }) => rows.length],
      [isTime() ? 'ms' : 'bytes moved', isTime() ? 3 : 0, ({ sum }) => sum],
      ['% of Σ', 1, ({ sum }) => (all > 0 ? (sum / all) * 100 : null)],
    ]);
  };
  const sizeChoice = (): HTMLElement | null => {
    const { engine } = store;
    if (!engine.hasTimes || !engine.layers.has('footprint_bytes')) return null;
    return linkButton(isTime() ? 'by bytes moved' : 'by time', null, () =>
      store.setOption('layers.size', isTime() ? 'bytes' : null),
    );
  };
  const label = (): string => `${explain()}. The table of layers has the same numbers.`;
  const plot = { label, height: room, draw, explain, table };
  return plotFigure(context, plot, {
    id: 'treemap',
    title: 'Treemap',
    aside: () => [sizeChoice()],
  });
}
