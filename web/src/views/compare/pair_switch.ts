// What the filter row holds in Compare: which engine is A, which is B, and which rows are shown; and
// how far the two engines match.

import {
  bodyFont,
  div,
  el,
  fitName,
  integer,
  nameTitle,
  span,
  visible,
  type Child,
  type FilterRowPart,
  type Side,
  type ViewContext,
} from '../../public/index.ts';
import { modeOf, onlyOf } from './choice.ts';

const kMaxName = 150;

function engineSelect(context: ViewContext, side: Side): HTMLElement {
  const { store } = context;
  const { enginePair } = store;
  const { engines } = store.report;
  const select = el(
    'select',
    {
      attrs: { 'aria-label': `Engine ${side.toUpperCase()}` },
      on: {
        change: () => {
          const chosen = select.selectedIndex;
          const other = side === 'a' ? 'b' : 'a';
          if (enginePair === null) return;
          // Not an engine with itself: the two change places.
          if (chosen === enginePair[other]) store.swap();
          else store.patch({ [side]: chosen, [other]: enginePair[other] });
        },
      },
    },
    ...engines.map((engine) =>
      el(
        'option',
        { attrs: { title: nameTitle(visible(engine.name)) } },
        fitName(visible(engine.id), kMaxName, bodyFont(11)),
      ),
    ),
  );
  select.selectedIndex = enginePair?.[side] ?? 0;
  return el('label', { class: 'side-switch' }, span('ab', side.toUpperCase()), select);
}

interface Choice {
  readonly value: string;
  readonly text: string;
}

// What `--only` can be of these two engines.
export function onlyChoices(
  context: ViewContext,
): readonly (readonly [string, readonly Choice[]])[] {
  const { pairs, report } = context.store;
  if (pairs === null) return [];
  const [a, b] = [report.engines[pairs.a], report.engines[pairs.b]];
  const types = new Set<string>();
  for (const engine of [a, b]) {
    for (const group of engine?.summary.by_type ?? [])
      if (group.type !== null) types.add(group.type);
  }
  return [
    [
      'rows',
      [
        { value: 'changed', text: 'changed only' },
        { value: 'all', text: 'all rows' },
        { value: 'faster', text: 'faster, beyond noise' },
        { value: 'slower', text: 'slower, beyond noise' },
      ],
    ],
    [
      'mismatches',
      [
        { value: 'mismatch-precision', text: 'other precisions' },
        { value: 'mismatch-tactic', text: 'other tactics' },
        { value: 'removed', text: 'only in A' },
        { value: 'added', text: 'only in B' },
      ],
    ],
    [
      'causes',
      pairs.way.causes
        .filter((cause) => cause.cause !== 'no-work')
        .map((cause) => ({ value: `cause=${cause.cause}`, text: visible(cause.text) })),
    ],
    [
      'types',
      [...types].map((type) => ({ value: `type=${type}`, text: visible(type.slice(0, 60)) })),
    ],
  ];
}

function onlySelect(context: ViewContext): HTMLElement {
  const { store } = context;
  const only = onlyOf(store);
  const groups = onlyChoices(context);
  const known = groups.some(([, choices]) => choices.some((choice) => choice.value === only));
  const option = (choice: Choice): HTMLElement =>
    el('option', { attrs: { value: choice.value, selected: choice.value === only } }, choice.text);
  const select = el(
    'select',
    {
      class: only === 'all' ? '' : 'narrowing',
      attrs: { 'aria-label': 'Rows' },
      on: {
        change: () =>
          store.setOption('compare.only', select.value === 'changed' ? null : select.value),
      },
    },
    known ? null : option({ value: only, text: visible(only.slice(0, 60)) }),
    ...groups.map(([label, choices]) =>
      el('optgroup', { attrs: { label } }, ...choices.map(option)),
    ),
  );
  return select;
}

function tally(context: ViewContext): readonly Child[] {
  const { pairs, report } = context.store;
  if (pairs === null) return [];
  const { counts, causes } = pairs.way;
  const count = (engine: number): string => integer(report.engines[engine]?.workRows.length ?? 0);
  const fused = causes.find((cause) => cause.cause === 'fused');
  const split = causes.find((cause) => cause.cause === 'split');
  const parts: Child[] = [
    el('b', {}, integer(counts.matched)),
    ` ${counts.matched === 1 ? 'pair' : 'pairs'} of ${count(pairs.a)} and ${count(pairs.b)} layers`,
  ];
  if (fused !== undefined) parts.push(` · ${integer(fused.pairs)} fused`);
  if (split !== undefined) parts.push(` · ${integer(split.pairs)} split`);
  parts.push(` · ${integer(counts.only_a)} only in A · ${integer(counts.only_b)} only in B`);
  return parts;
}

export function enginePairPart(context: ViewContext): FilterRowPart | null {
  const { store } = context;
  if (store.enginePair === null) return null;
  return {
    lead: [
      engineSelect(context, 'a'),
      engineSelect(context, 'b'),
      el(
        'button',
        {
          class: 'chip swap',
          attrs: { type: 'button', title: 'Swap A and B (x)', 'aria-label': 'Swap A and B' },
          on: { click: () => store.swap() },
        },
        '⇄',
        el('kbd', {}, 'x'),
      ),
      modeOf(store) === 'layers' && store.pairs !== null ? onlySelect(context) : div(''),
    ],
    tally: tally(context),
  };
}
