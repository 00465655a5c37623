// The view's settings in the link: the statement that ran, the order of its rows, how they are
// drawn.

import type { ViewContext } from '../../public/index.ts';
import { readChoice, writeChoice, type ChartChoice } from './choice.ts';
import type { Result } from './result.ts';

type Store = ViewContext['store'];
type Name = 'q' | 'sort' | 'chart' | 'x' | 'y';

export function optionOf(store: Store, name: Name): string | null {
  return store.option(`sql.${name}`);
}

// Null is the default.
export function setOptions(store: Store, values: Partial<Record<Name, string | null>>): void {
  store.setOptions(
    Object.fromEntries(Object.entries(values).map(([name, value]) => [`sql.${name}`, value])),
  );
}

// Choices about the last statement's columns mean nothing for the next one's.
export function setStatement(store: Store, sql: string): void {
  if (optionOf(store, 'q') === sql) return;
  setOptions(store, { q: sql, sort: null, chart: null, x: null, y: null });
}

export function chartChoice(store: Store, result: Result): ChartChoice | null {
  return readChoice(result, {
    chart: optionOf(store, 'chart'),
    x: optionOf(store, 'x'),
    y: optionOf(store, 'y'),
  });
}

export function setChartChoice(store: Store, result: Result, choice: ChartChoice): void {
  setOptions(store, { q: result.sql, ...writeChoice(result, choice) });
}
