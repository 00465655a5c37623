// Where the difference of Σ layers comes from: each layer counts to exactly one cause, so the rows
// are the last line.

import {
  column,
  el,
  figureTable,
  integer,
  numbers,
  plainTable,
  span,
  visible,
  type Content,
  type DifferenceCause,
  type FigureTable,
  type Pairs,
  type Unit,
  type Way,
} from '../../public/index.ts';
import { deltaClass, deltaText, divergingBar } from './numbers.ts';

const kHalfBar = 30;

export interface CauseShare {
  // Whether any of its pairs differs by more than noise; null where that is not known of all.
  readonly exceedsNoise: boolean | null;
  // The pair that alone explains most of it, where it has several; null where none does.
  readonly mostly: number | null;
}

const kMostly = 0.6;

// Of all causes, in one pass over the pairs.
export function causeShares(pairs: Pairs): ReadonlyMap<string, CauseShare> {
  interface Found {
    any: boolean;
    unknown: boolean;
    sum: number;
    count: number;
    most: number;
    pair: number;
  }
  const found = new Map<string, Found>();
  for (let pair = 0; pair < pairs.count; pair += 1) {
    const cause = pairs.cause(pair);
    let one = found.get(cause);
    if (one === undefined) {
      one = { any: false, unknown: false, sum: 0, count: 0, most: 0, pair: -1 };
      found.set(cause, one);
    }
    const delta = pairs.deltaMs(pair) ?? 0;
    const beyond = pairs.exceedsNoise(pair);
    one.any ||= beyond === true;
    one.unknown ||= beyond === null && delta !== 0;
    one.sum += delta;
    one.count += 1;
    if (one.pair < 0 || Math.abs(delta) > Math.abs(one.most)) {
      one.most = delta;
      one.pair = pair;
    }
  }
  return new Map(
    [...found].map(([cause, { any, unknown, sum, count, most, pair }]) => {
      const part = sum === 0 ? 0 : most / sum;
      // More than the whole: others of the cause go the other way, and no one layer is it.
      const isMost = part >= kMostly && (count === 1 || part <= 1 / kMostly);
      return [
        cause,
        { exceedsNoise: any ? true : unknown ? null : false, mostly: isMost ? pair : null },
      ];
    }),
  );
}

export interface CausesSpec {
  readonly way: Way;
  readonly unit: Unit;
  // What the pairs of a cause say of it.
  readonly share: (cause: string) => CauseShare;
  readonly nameOf: (pair: number) => string;
  // The cause that the table below is filtered by.
  readonly chosen: string | null;
  readonly choose: (cause: string | null) => void;
}

export function causesTable({ way, unit, share, nameOf, chosen, choose }: CausesSpec): HTMLElement {
  const most = Math.max(0, ...way.causes.map((cause) => Math.abs(cause.delta_ms ?? 0)));
  const cell = (cause: DifferenceCause): Content => {
    const isChosen = cause.cause === chosen;
    const { mostly } = share(cause.cause);
    // What one layer in a row of its own is, its name says; of several, that it is most of them.
    const layer = mostly === null ? null : visible(nameOf(mostly));
    const isAlone = cause.a_layers <= 1 && cause.b_layers <= 1;
    const attrs = {
      type: 'button',
      'aria-pressed': String(isChosen),
      title: isChosen ? 'All causes' : `Only pairs of this cause: ${visible(cause.clause)}`,
    };
    const click = (): void => choose(isChosen ? null : cause.cause);
    return [
      el('button', { class: 'cause', attrs, on: { click } }, visible(cause.text)),
      layer === null
        ? null
        : el(
            'span',
            { class: 'soft cause-layer', attrs: { title: layer } },
            `${isAlone ? '' : 'mostly '}${layer}`,
          ),
    ];
  };
  const beyond = ({ cause }: DifferenceCause): boolean => share(cause).exceedsNoise ?? true;
  const delta = ({ cause, delta_ms: ms }: DifferenceCause): string =>
    deltaText(ms, unit, share(cause).exceedsNoise === false ? false : null);
  return plainTable(
    'causes',
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

// The causes as parts of a sentence, those that helped and those that hurt, the greatest first.
export function clauses(way: Way): {
  readonly helped: readonly DifferenceCause[];
  readonly hurt: readonly DifferenceCause[];
} {
  const by = (sign: number): readonly DifferenceCause[] =>
    way.causes
      .filter((cause) => Math.sign(cause.delta_ms ?? 0) === sign)
      .sort((x, y) => Math.abs(y.delta_ms ?? 0) - Math.abs(x.delta_ms ?? 0));
  return { helped: by(-1), hurt: by(1) };
}
