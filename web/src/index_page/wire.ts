// What the server tells: planex.engines/1, planex.query/1, planex.opened/1, planex.error/1. A field
// of the wrong kind reads as missing.

import {
  asArray,
  asChoice,
  asNumber,
  asObject,
  asText,
  type Json,
  type JsonObject,
  type Key,
} from '../model/json_value.ts';

export interface Findings {
  readonly error: number;
  readonly warning: number;
  readonly info: number;
}

export type EngineState = 'waiting' | 'ready' | 'failed';

export interface ListedEngine {
  readonly id: string;
  readonly place: string;
  readonly isDropped: boolean;
  readonly state: EngineState;
  // Its files changed, and the figures are of before.
  readonly isStale: boolean;
  readonly error: string | null;
  readonly modifiedMs: number | null;
  readonly sizeBytes: number | null;
  readonly name: string | null;
  readonly producer: string | null;
  readonly producerVersion: string | null;
  readonly device: string | null;
  // Precision of most of the layer time.
  readonly precision: string | null;
  readonly endToEndMs: number | null;
  readonly layersMs: number | null;
  readonly basis: string | null;
  // Of what the device can do at most, where work is known.
  readonly reachedRatio: number | null;
  // The first sentence of its summary.
  readonly headline: string | null;
  readonly layerCount: number | null;
  readonly findings: Findings | null;
  // Runs of what is taken to be the same engine, from the oldest; null: there is no other.
  readonly trend: readonly TrendPoint[] | null;
}

export interface TrendPoint {
  readonly id: string;
  readonly modifiedMs: number | null;
  readonly medianMs: number;
  readonly changeRatio: number | null;
}

export interface EngineList {
  readonly places: readonly string[];
  readonly engines: readonly ListedEngine[];
  readonly leftOut: string | null;
  readonly isSearching: boolean;
}

const kStates = ['waiting', 'ready', 'failed'] as const;

function decodePoint(value: Json): TrendPoint | null {
  const point = asObject(value);
  const id = asText(point.id);
  const medianMs = asNumber(point.end_to_end_median_ms);
  if (id === null || medianMs === null) return null;
  return {
    id,
    medianMs,
    modifiedMs: asNumber(point.modified_ms),
    changeRatio: asNumber(point.change_ratio),
  };
}

function decodeFindings(value: Json | undefined): Findings | null {
  if (value === undefined || value === null) return null;
  const findings = asObject(value);
  const count = (name: Key): number => asNumber(findings[name]) ?? 0;
  return { error: count('error'), warning: count('warning'), info: count('info') };
}

function decodeEngine(
  value: JsonObject,
  trends: ReadonlyMap<string, readonly TrendPoint[]>,
): ListedEngine | null {
  const id = asText(value.id);
  if (id === null) return null;
  return {
    id,
    place: asText(value.place) ?? '',
    isDropped: value.is_dropped === true,
    state: asChoice(value.state, kStates, 'waiting'),
    isStale: value.is_stale === true,
    error: asText(value.error),
    modifiedMs: asNumber(value.modified_ms),
    sizeBytes: asNumber(value.size_bytes),
    name: asText(value.name),
    producer: asText(value.producer),
    producerVersion: asText(value.producer_version),
    device: asText(value.device),
    precision: asText(value.precision),
    endToEndMs: asNumber(value.end_to_end_median_ms),
    layersMs: asNumber(value.layers_ms),
    basis: asText(value.basis),
    reachedRatio: asNumber(value.reached_ratio),
    headline: asText(value.headline),
    layerCount: asNumber(value.layer_count),
    findings: decodeFindings(value.findings),
    trend: trends.get(id) ?? null,
  };
}

export function decodeEngines(value: Json): EngineList {
  const list = asObject(value);
  if (list.schema !== 'planex.engines/1') throw new Error('unexpected answer from planex serve');
  const trends = new Map<string, readonly TrendPoint[]>();
  for (const points of asArray(list.trends)) {
    const trend = asArray(points)
      .map(decodePoint)
      .filter((point) => point !== null);
    for (const point of trend) trends.set(point.id, trend);
  }
  return {
    places: asArray(list.places)
      .map(asText)
      .filter((place) => place !== null),
    engines: asArray(list.engines)
      .map((engine) => decodeEngine(asObject(engine), trends))
      .filter((engine) => engine !== null),
    leftOut: asText(list.left_out),
    isSearching: list.is_searching === true,
  };
}

export interface QueryColumn {
  readonly name: string;
  readonly type: string | null;
  readonly unit: string | null;
}

export interface QueryResult {
  readonly columns: readonly QueryColumn[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

function decodeCell(value: Json): string | number | null {
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

export function decodeQuery(value: Json): QueryResult {
  const result = asObject(value);
  return {
    columns: asArray(result.columns).map((column) => {
      const { name, type, unit } = asObject(column);
      return { name: asText(name) ?? '', type: asText(type), unit: asText(unit) };
    }),
    rows: asArray(result.rows).map((row) => asArray(row).map(decodeCell)),
  };
}

export function decodeOpened(value: Json): readonly string[] {
  return asArray(asObject(value).ids)
    .map(asText)
    .filter((id) => id !== null);
}

// The error as lines, from the most important one.
export function decodeError(value: Json): readonly string[] {
  const error = asObject(value);
  return [asText(error.message), asText(error.context), asText(error.hint)].filter(
    (line) => line !== null,
  );
}
