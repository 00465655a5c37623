// The filter row in Compare: which engine is A, which is B, which rows are shown, and how well the
// two engines match.

import {
  bodyFont,
  div,
  el,
  fitName,
  integer,
  nameTitle,
  selectOf,
  span,
  visible,
  type Child,
  type FilterRowPart,
  type Side,
  type Store,
  type ViewContext,
} from '../../public/index.ts';
import { modeOf, onlyOf } from './choice.ts';

const kMaxName = 150;
const kMaxWord = 60;

function engineSelect(store: Store, side: Side): HTMLElement {
  const { enginePair, report } = store;
  const other = side === 'a' ? 'b' : 'a';
  const options = report.engines.map(({ id, name }, i) => ({
    id: String(i),
    name: fitName(visible(id), kMaxName, bodyFont(11)),
    title: nameTitle(visible(name)),
  }));
  const change = (id: string): void => {
    if (enginePair === null) return;
    // An engine is not compared with itself: the two swap.
    if (Number(id) === enginePair[other]) store.swap();
    else store.patch({ [side]: Number(id), [other]: enginePair[other] });
  };
  const now = String(enginePair?.[side] ?? 0);
  const select = selectOf(`Engine ${side.toUpperCase()}`, options, now, change, 'small');
  return el('label', { class: 'side-switch' }, span('ab', side.toUpperCase()), select);
}

type Choice = readonly [value: string, text: string];

// The values of `--only` that apply to these two engines.
function onlyChoices({ pairs }: Store): readonly (readonly [string, readonly Choice[]])[] {
  if (pairs === null) return [];
  const groups = [pairs.engine('a'), pairs.engine('b')].flatMap(({ summary }) => summary.by_type);
  const types = new Set(groups.map(({ type }) => type).filter((type) => type !== null));
  const causes = pairs.way.causes.filter(({ cause }) => cause !== 'no-work');
  return Object.entries<readonly Choice[]>({
    rows: [
      ['changed', 'changed only'],
      ['all', 'all rows'],
      ['faster', 'faster, beyond noise'],
      ['slower', 'slower, beyond noise'],
    ],
    mismatches: [
      ['mismatch-precision', 'other precisions'],
      ['mismatch-tactic', 'other tactics'],
      ['removed', 'only in A'],
      ['added', 'only in B'],
    ],
    causes: causes.map(({ cause, text }) => [`cause=${cause}`, visible(text)]),
    types: [...types].map((type) => [`type=${type}`, visible(type.slice(0, kMaxWord))]),
  });
}

function onlySelect(store: Store): HTMLElement {
  const only = onlyOf(store);
  const groups = onlyChoices(store);
  const isKnown = groups.some(([, choices]) => choices.some(([value]) => value === only));
  const option = ([value, text]: Choice): HTMLElement =>
    el('option', { attrs: { value, selected: value === only } }, text);
  const change = (): void =>
    store.setOption('compare.only', select.value === 'changed' ? null : select.value);
  const select = el(
    'select',
    {
      class: `small${only === 'all' ? '' : ' narrowing'}`,
      attrs: { 'aria-label': 'Rows' },
      on: { change },
    },
    isKnown ? null : option([only, visible(only.slice(0, kMaxWord))]),
    ...groups.map(([label, choices]) =>
      el('optgroup', { attrs: { label } }, ...choices.map(option)),
    ),
  );
  return select;
}

function tally({ pairs }: Store): readonly Child[] {
  if (pairs === null) return [];
  const { counts, causes } = pairs.way;
  const layers = (side: Side): string => integer(pairs.engine(side).workRows.length);
  const became = (word: string): readonly string[] =>
    causes.filter(({ cause }) => cause === word).map((of) => ` · ${integer(of.pairs)} ${word}`);
  return [
    el('b', {}, integer(counts.matched)),
    ` ${counts.matched === 1 ? 'pair' : 'pairs'} of ${layers('a')} and ${layers('b')} layers`,
    ...became('fused'),
    ...became('split'),
    ` · ${integer(counts.only_a)} only in A · ${integer(counts.only_b)} only in B`,
  ];
}

export function enginePairPart({ store }: ViewContext): FilterRowPart | null {
  if (store.enginePair === null) return null;
  const attrs = { type: 'button', title: 'Swap A and B (x)', 'aria-label': 'Swap A and B' };
  const on = { click: () => store.swap() };
  return {
    lead: [
      engineSelect(store, 'a'),
      engineSelect(store, 'b'),
      el('button', { class: 'chip swap no-print', attrs, on }, '⇄', el('kbd', {}, 'x')),
      modeOf(store) === 'layers' && store.pairs !== null ? onlySelect(store) : div(''),
    ],
    tally: tally(store),
  };
}
