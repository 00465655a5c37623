// What to do first, and what it would save: the head of the view.

import {
  actionRows,
  checkBox,
  el,
  kTicksOption,
  plural,
  predictionText,
  savingOf,
  savingText,
  sectionTitle,
  type Store,
} from '../../public/index.ts';

// In the link: nothing is checked.
const kNoTicks = 'none';
const kMaxActions = 5;

// By index.
function ticked({ engine, state }: Store): Set<number> {
  const option = state.options[kTicksOption];
  if (option === undefined) return new Set(engine.actions.keys());
  const places = option === kNoTicks ? [] : option.split(',').map(Number);
  return new Set(places.filter((place) => place < engine.actions.length));
}

function tick(store: Store, place: number): void {
  const ticks = ticked(store);
  if (!ticks.delete(place)) ticks.add(place);
  const isUsual = ticks.size === store.engine.actions.length;
  const option = [...ticks].sort((a, b) => a - b).join(',');
  store.setOption(kTicksOption, isUsual ? null : option || kNoTicks);
}

export function actionsBlock(store: Store): HTMLElement | null {
  const { engine } = store;
  const { actions } = engine;
  if (actions.length === 0) return null;
  const ticks = ticked(store);
  const chosen = actions.filter((_, place) => ticks.has(place));
  const { low, high } = savingOf(chosen);
  const predicted = predictionText(engine, chosen);
  const rest = actions.length - kMaxActions;
  return el(
    'section',
    { class: 'findings-actions band', attrs: { 'aria-label': 'What to do first' } },
    sectionTitle('What to do first', 'each gain excludes what the actions above it already save'),
    actionRows(store, kMaxActions, (action, place) =>
      action.certainty === null
        ? null
        : checkBox(null, ticks.has(place), () => tick(store, place), {
            'aria-label': `Include action ${String(place + 1)} in the prediction`,
          }),
    ),
    rest > 0 &&
      el(
        'p',
        { class: 'soft' },
        `${plural(rest, 'more action')}: planex lint --all, or below by rule`,
      ),
    high !== null &&
      el(
        'p',
        { class: 'predicted' },
        'Predicted with the checked actions: ',
        el('b', {}, `${savingText(low, high)} less per inference`),
        predicted !== null && `, ${predicted}`,
        '.',
      ),
  );
}
