// What is shown of the grid: two axes, a figure, and a value for each other axis.

import { choiceList, visible, type Child, type Option } from '../../public/index.ts';
import { lies } from './grid.ts';
import { measureTitle } from './measures.ts';
import type { Shown } from './state.ts';

export function sweepControls(shown: Shown): readonly Child[] {
  const { context, grid, slice } = shown;
  const { store } = context;
  const { x, y } = slice;
  const axes: readonly Option<string>[] = grid.varied.map((axis) => ({
    id: String(axis),
    name: visible(grid.axis(axis).name),
  }));
  const others = grid.varied.filter((axis) => !lies(slice, axis));
  return [
    choiceList(
      'show',
      grid.measures.map((measure) => ({ id: measure.id, name: measureTitle(measure) })),
      shown.measure.id,
      (id) => store.setOption('sweep.value', id),
    ),
    // The axis that was replaced takes the place of the new one.
    axes.length > 1 &&
      choiceList('across', axes, String(x), (id) =>
        shown.setSlice({ ...slice, x: Number(id), y: Number(id) === y ? x : y }),
      ),
    y !== null &&
      choiceList('down', axes, String(y), (id) =>
        shown.setSlice({ ...slice, y: Number(id), x: Number(id) === x ? y : x }),
      ),
    ...others.map((axis) => {
      const { name, values } = grid.axis(axis);
      return choiceList(
        visible(name),
        values.map((value, i) => ({ id: String(i), name: visible(value) })),
        String(slice.at[axis] ?? 0),
        (id) => store.setOption(`sweep.at${axis}`, values[Number(id)] ?? null),
      );
    }),
  ];
}
