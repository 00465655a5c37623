// Which engines are shown, in which order. Nothing here knows about the page.

import { nextSort, parseSort, sortItems, type Sort } from '../public/grid/sort.ts';
import type { ListedEngine } from './wire.ts';

export function displayName(engine: ListedEngine): string {
  if (typeof engine.name === 'string') return engine.name;
  const path = engine.place.replace(/\/+$/, '');
  return path.slice(path.lastIndexOf('/') + 1) || path;
}

// The change of the run against the one before it.
export function lastChange(engine: ListedEngine): number | null {
  return engine.trend?.find((point) => point.id === engine.id)?.change_ratio ?? null;
}

// The accuracy left after quantization: in the engine if known, else in the model's own arithmetic.
export function outputsDb(engine: ListedEngine): number | null {
  return engine.outputs_engine_db ?? engine.outputs_simulated_db ?? null;
}

// Errors outweigh any number of warnings, and those any number of notes.
function findingsRank({ findings }: ListedEngine): number | undefined {
  return findings && findings.error * 1e12 + findings.warning * 1e6 + findings.info;
}

// Sort keys of columns.
type Keys<Key> = Readonly<Record<string, (engine: ListedEngine) => Key | null | undefined>>;
const kTexts: Keys<string> = {
  name: displayName,
  place: (engine) => engine.place,
  producer: ({ producer, producer_version: version }) => producer && `${producer} ${version ?? ''}`,
  device: (engine) => engine.device,
  precision: (engine) => engine.precision,
};
export const kNumbers = {
  end: (engine) => engine.end_to_end_median_ms,
  layers_ms: (engine) => engine.layers_ms,
  layers: (engine) => engine.layer_count,
  reached: (engine) => engine.reached_ratio,
  db: outputsDb,
  findings: findingsRank,
  date: (engine) => engine.modified_ms,
  trend: lastChange,
} satisfies Keys<number>;
const isNumber = (id: string): id is keyof typeof kNumbers => Object.hasOwn(kNumbers, id);

export function sortKey(id: string): (engine: ListedEngine) => string | number {
  if (isNumber(id)) return (engine) => kNumbers[id](engine) ?? Number.NaN;
  return (engine) => kTexts[id]?.(engine)?.toLowerCase() ?? '';
}

export const kDefaultSort: Sort = { id: 'date', descending: true };

export function orderOf(text: string | null): Sort {
  const sort = parseSort(text);
  const isThere = sort !== null && (isNumber(sort.id) || Object.hasOwn(kTexts, sort.id));
  return isThere ? sort : kDefaultSort;
}

// A click on a head toggles between descending and ascending.
export function turned(sort: Sort, id: string): Sort {
  return nextSort(sort, id, isNumber(id)) ?? { id, descending: isNumber(id) };
}

const kCollator = new Intl.Collator('en', { numeric: true });

// Equal ones by place.
export function sorted(engines: readonly ListedEngine[], sort: Sort): readonly ListedEngine[] {
  const byPlace = [...engines].sort((a, b) => kCollator.compare(a.place, b.place));
  return sortItems(byPlace, sortKey(sort.id), sort.descending, kCollator.compare);
}

// Every word must occur somewhere in the text that the row shows.
export function matching(engines: readonly ListedEngine[], query: string): readonly ListedEngine[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return engines;
  return engines.filter((engine) => {
    const text = [
      engine.name,
      engine.place,
      engine.producer,
      engine.producer_version,
      engine.device,
      engine.precision,
      engine.state === 'failed' ? 'failed' : null,
    ]
      .filter((part) => typeof part === 'string')
      .join('\n')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

// The most that a report compares side by side.
export const kMaxTogether = 16;

export function reportAddress(ids: readonly string[]): string {
  return `/report?${ids.map((id) => `e=${encodeURIComponent(id)}`).join('&')}`;
}
