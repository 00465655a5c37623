// Controls for what part of a result is drawn, and how.

import {
  choiceLinks,
  choiceList,
  div,
  headText,
  type Option,
  type ViewContext,
} from '../../public/index.ts';
import { kindOver, kKinds, kMaxNumbers, numberColumns, type ChartChoice } from './choice.ts';
import type { Result } from './result.ts';
import { setChartChoice } from './state.ts';

const kNone = '-';

export function chartControls(
  { store }: ViewContext,
  result: Result,
  choice: ChartChoice,
): HTMLElement {
  const { kind, x, ys } = choice;
  const set = (next: Partial<ChartChoice>): void =>
    setChartChoice(store, result, { ...choice, ...next });
  const optionOf = (i: number): Option<string> => {
    const head = result.columns[i];
    return { id: String(i), name: head === undefined ? '' : headText(head) };
  };
  const numbers = numberColumns(result);
  const rows: Option<string> = { id: kNone, name: 'rows, in their order' };
  const xs = [...result.columns.map((_, i) => optionOf(i)), rows];
  const places = Math.min(ys.length + 1, kMaxNumbers, numbers.length);
  const chooseX = (id: string): void => {
    const next = id === kNone ? null : Number(id);
    set({ x: next, kind: kindOver(result, next) });
  };
  const chooseY = (place: number, id: string): void => {
    const next = [...ys];
    if (id === kNone) next.splice(place, 1);
    else next[place] = Number(id);
    set({ ys: next });
  };
  return div(
    'choices sql-choices',
    choiceLinks(
      'as',
      kKinds.map((id) => ({ id, name: id === 'scatter' ? 'points' : `${id}s` })),
      kind,
      (id) => set({ kind: id }),
    ),
    choiceList('over', xs, x === null ? kNone : String(x), chooseX),
    ...Array.from({ length: places }, (_, place) => {
      const own = ys[place];
      const free = numbers.filter((i) => i === own || !ys.includes(i)).map(optionOf);
      const options = place === 0 && ys.length === 1 ? free : [...free, { id: kNone, name: '–' }];
      const label = place === 0 ? 'of' : `and${place === 1 ? '' : ` ${String(place + 1)}`}`;
      return choiceList(label, options, own === undefined ? kNone : String(own), (id) =>
        chooseY(place, id),
      );
    }),
  );
}
