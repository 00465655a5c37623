// The view's answer: how many layers change their type, what that costs, and how much is avoidable.

import {
  integer,
  plural,
  precisionOf,
  reformatsOf,
  visible,
  type Conclusion,
  type Store,
  type Totals,
} from '../../public/index.ts';
import { inOrder } from './order.ts';
import { costText, sumOf, timeText } from './totals.ts';

// The layers that only convert, and who can avoid how many of them.
function conversions(store: Store): readonly string[] {
  const all = reformatsOf(store.engine)?.rows ?? [];
  if (all.length === 0) return [];
  const every = sumOf(
    store,
    all.map(({ row }) => row),
  );
  const gain = (by: string, who: string): string | null => {
    const own = all.filter((item) => item.verdict === 'avoidable' && item.changedBy === by);
    if (own.length === 0) return null;
    const rows = own.map(({ row }) => row);
    const time = timeText(sumOf(store, rows), '');
    return `${integer(own.length)} in ${who}${time === '' ? '' : ` (${time})`}`;
  };
  const gains = [gain('model', 'the model'), gain('caller', 'the caller’s bindings')].filter(
    (part) => part !== null,
  );
  const verb = every.count === 1 ? 'only converts' : 'only convert';
  return [
    `${plural(every.count, 'layer')} ${verb}${ofLayers(every)}.`,
    ...(gains.length > 0 ? [`Avoidable: ${gains.join(', ')}.`] : []),
  ];
}

function ofLayers(totals: Totals): string {
  const cost = costText(totals, ': ');
  return cost === '' ? '' : `${cost} layers`;
}

export function precisionConclusion(store: Store): Conclusion | null {
  const { engine, basis } = store;
  const changes = precisionOf(engine);
  const cells = changes?.cells(engine.workRows, basis, true) ?? [];
  const known = cells.filter((cell) => cell.from !== null && cell.to !== null);
  if (changes === null || known.length === 0) return null;
  const sentences = [...conversions(store)];
  const [island] = changes.islands;
  if (island?.ends === 'between') {
    const sum = sumOf(
      store,
      island.layers.map(({ row }) => row),
    );
    sentences.push(
      `The largest island of ${visible(island.type ?? 'float')} joins ${plural(sum.count, 'layer')}${costText(sum, ': ')}.`,
    );
  }
  const text = sentences.join(' ');
  const changing = sumOf(
    store,
    engine.workRows.filter((row) => {
      const [from, to] = [changes.readType(row), changes.writtenType(row)];
      return from !== null && to !== null && from !== to;
    }),
  );
  if (changing.count === 0) {
    const types = inOrder(known.map((cell) => cell.from)).map((type) => visible(type ?? ''));
    const said =
      cells.length > known.length ? 'No layer whose types are known changes' : 'No layer changes';
    return { headline: `${said} the type it reads (${types.join(', ')}).`, text };
  }
  const verb =
    changing.count === 1
      ? 'writes a different type than it reads'
      : 'write a different type than they read';
  const all = plural(engine.workRows.length, 'layer');
  return { headline: `${integer(changing.count)} of ${all} ${verb}${ofLayers(changing)}.`, text };
}
