// Which engines are shown, in which order. Nothing here knows about the page.

import type { ListedEngine } from './wire.ts';

export type ColumnId =
  | 'name'
  | 'place'
  | 'producer'
  | 'device'
  | 'precision'
  | 'end'
  | 'layers_ms'
  | 'layers'
  | 'reached'
  | 'db'
  | 'findings'
  | 'date'
  | 'trend';

export interface Sort {
  readonly column: ColumnId;
  readonly isDescending: boolean;
}

export const kDefaultSort: Sort = { column: 'date', isDescending: true };

export const kColumnIds: readonly ColumnId[] = [
  'name',
  'place',
  'producer',
  'device',
  'precision',
  'end',
  'layers_ms',
  'layers',
  'reached',
  'db',
  'findings',
  'date',
  'trend',
];

// Columns of text begin with A, those of numbers with the largest.
const kTextColumns: ReadonlySet<ColumnId> = new Set([
  'name',
  'place',
  'producer',
  'device',
  'precision',
]);

export function firstSort(column: ColumnId): Sort {
  return { column, isDescending: !kTextColumns.has(column) };
}

export function parseSort(text: string | null): Sort {
  if (text === null) return kDefaultSort;
  const isDescending = text.startsWith('-');
  const column = kColumnIds.find((id) => id === text.slice(isDescending ? 1 : 0));
  return column === undefined ? kDefaultSort : { column, isDescending };
}

export function sortText(sort: Sort): string {
  return (sort.isDescending ? '-' : '') + sort.column;
}

export function displayName(engine: ListedEngine): string {
  if (engine.name !== null) return engine.name;
  const path = engine.place.replace(/\/+$/, '');
  return path.slice(path.lastIndexOf('/') + 1) || path;
}

// The change of the run against the one before it.
export function lastChange(engine: ListedEngine): number | null {
  return engine.trend?.find((point) => point.id === engine.id)?.change_ratio ?? null;
}

// What quantizing left of the outputs: in the engine where that is known, else in the model's own
// arithmetic.
export function outputsDb(engine: ListedEngine): number | null {
  return engine.outputs_engine_db ?? engine.outputs_simulated_db;
}

// Errors outweigh any number of warnings, and those any number of notes.
function findingsRank(engine: ListedEngine): number | null {
  const { findings } = engine;
  if (findings === null) return null;
  return findings.error * 1e12 + findings.warning * 1e6 + findings.info;
}

function key(engine: ListedEngine, column: ColumnId): string | number | null {
  switch (column) {
    case 'name':
      return displayName(engine).toLowerCase();
    case 'place':
      return engine.place.toLowerCase();
    case 'producer':
      return engine.producer === null
        ? null
        : `${engine.producer} ${engine.producer_version ?? ''}`.toLowerCase();
    case 'device':
      return engine.device?.toLowerCase() ?? null;
    case 'precision':
      return engine.precision;
    case 'end':
      return engine.end_to_end_median_ms;
    case 'layers_ms':
      return engine.layers_ms;
    case 'layers':
      return engine.layer_count;
    case 'reached':
      return engine.reached_ratio;
    case 'db':
      return outputsDb(engine);
    case 'findings':
      return findingsRank(engine);
    case 'date':
      return engine.modified_ms;
    case 'trend':
      return lastChange(engine);
  }
}

const kCollator = new Intl.Collator('en', { numeric: true });

// What is missing comes last whichever way the rest is sorted; equal ones by place.
export function sorted(engines: readonly ListedEngine[], sort: Sort): readonly ListedEngine[] {
  const keyed = engines.map((engine) => ({ engine, key: key(engine, sort.column) }));
  const sign = sort.isDescending ? -1 : 1;
  keyed.sort((a, b) => {
    if (a.key !== b.key) {
      if (a.key === null) return 1;
      if (b.key === null) return -1;
      const order =
        typeof a.key === 'number' && typeof b.key === 'number'
          ? a.key - b.key
          : kCollator.compare(String(a.key), String(b.key));
      if (order !== 0) return sign * order;
    }
    return kCollator.compare(a.engine.place, b.engine.place);
  });
  return keyed.map((entry) => entry.engine);
}

// Every word must occur somewhere in what the row shows as text.
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
      .filter((part) => part !== null)
      .join('\n')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

// As many as a report takes side by side.
export const kMaxTogether = 16;

export function reportAddress(ids: readonly string[]): string {
  return `/report?${ids.map((id) => `e=${encodeURIComponent(id)}`).join('&')}`;
}
