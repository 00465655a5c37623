// Where the difference of Σ layers comes from: each layer counts to exactly one cause, so the rows
// add up to the last line.

import {
  column,
  deltaClass,
  deltaText,
  divergingBar,
  el,
  figureTable,
  grouped,
  integer,
  numbers,
  plainTable,
  span,
  timeUnit,
  visible,
  type Content,
  type DifferenceCause,
  type FigureTable,
  type Pairs,
  type Way,
} from '../../public/index.ts';

const kHalfBar = 30;
const kMostly = 0.6;

export interface CauseShare {
  // Whether any of its pairs differs by more than noise; null if that is not known for all.
  readonly exceedsNoise: boolean | null;
  // The pair that alone explains most of it, if it has several pairs; null if none does.
  readonly mostly: number | null;
}

function shareOf(pairs: Pairs, list: readonly number[]): CauseShare {
  const delta = (pair: number): number => pairs.deltaMs(pair) ?? 0;
  const beyond = (pair: number): boolean | null => pairs.exceedsNoise(pair);
  const sum = list.reduce((before, pair) => before + delta(pair), 0);
  const most = list.reduce((x, y) => (Math.abs(delta(y)) > Math.abs(delta(x)) ? y : x));
  const part = sum === 0 ? 0 : delta(most) / sum;
  // More than the whole: other pairs of the cause go the opposite way, so no single layer explains
  // it.
  const isMost = part >= kMostly && (list.length === 1 || part <= 1 / kMostly);
  const isUnknown = list.some((pair) => beyond(pair) === null && delta(pair) !== 0);
  return {
    exceedsNoise: list.some((pair) => beyond(pair) === true) ? true : isUnknown ? null : false,
    mostly: isMost ? most : null,
  };
}

export function causeShares(pairs: Pairs): ReadonlyMap<string, CauseShare> {
  const byCause = grouped(Array(pairs.count).keys(), (pair) => pairs.cause(pair));
  return new Map([...byCause].map(([cause, list]) => [cause, shareOf(pairs, list)]));
}

export interface CausesSpec {
  readonly nameOf: (pair: number) => string;
  // The cause that the table below is filtered by.
  readonly chosen: string | null;
  readonly choose: (cause: string | null) => void;
}

export function causesTable(pairs: Pairs, { nameOf, chosen, choose }: CausesSpec): HTMLElement {
  const { way } = pairs;
  const most = Math.max(0, ...way.causes.map((cause) => Math.abs(cause.delta_ms ?? 0)));
  const unit = timeUnit(most);
  const shares = causeShares(pairs);
  const share = ({ cause }: DifferenceCause): CauseShare =>
    shares.get(cause) ?? { exceedsNoise: null, mostly: null };
  const cell = (cause: DifferenceCause): Content => {
    const isChosen = cause.cause === chosen;
    const { mostly } = share(cause);
    // If the cause has one layer, its name; if several, the one that makes up most of it.
    const layer = mostly === null ? null : visible(nameOf(mostly));
    const isAlone = cause.a_layers <= 1 && cause.b_layers <= 1;
    const attrs = {
      type: 'button',
      'aria-pressed': String(isChosen),
      title: isChosen ? 'All causes' : `Only pairs of this cause: ${visible(cause.clause)}`,
    };
    const click = (): void => choose(isChosen ? null : cause.cause);
    const title = { class: 'soft cut', attrs: { title: layer } };
    return [
      el('button', { class: 'cause', attrs, on: { click } }, visible(cause.text)),
      layer === null ? null : el('span', title, `${isAlone ? '' : 'mostly '}${layer}`),
    ];
  };
  const beyond = (cause: DifferenceCause): boolean => share(cause).exceedsNoise ?? true;
  const delta = (cause: DifferenceCause): string =>
    deltaText(cause.delta_ms, unit, beyond(cause) ? null : false);
  return plainTable(
    'causes auto',
    way.causes,
    [
      column('cause', cell, { isHead: true, foot: () => 'Σ layers' }),
      numbers('layers', ({ a_layers: a, b_layers: b }) => `${integer(a)} → ${integer(b)}`, {
        cellClass: 'dim',
      }),
      numbers(`B − A, ${unit.unit}`, delta, {
        cellClass: (cause) => `delta ${deltaClass(cause.delta_ms, beyond(cause))}`,
        foot: () => deltaText(way.delta_ms, unit, null),
      }),
      column(span('offscreen', 'bar'), (cause) =>
        divergingBar(cause.delta_ms, most, kHalfBar, beyond(cause)),
      ),
    ],
    { row: ({ cause }) => ({ class: cause === chosen ? 'selected' : '' }) },
  );
}

export function causesData(way: Way): FigureTable {
  return figureTable(way.causes, [
    ['cause', null, (cause) => cause.text],
    ['layers of A', 0, (cause) => cause.a_layers],
    ['layers of B', 0, (cause) => cause.b_layers],
    ['A, ms', 4, (cause) => cause.a_ms],
    ['B, ms', 4, (cause) => cause.b_ms],
    ['B − A, ms', 4, (cause) => cause.delta_ms],
  ]);
}
