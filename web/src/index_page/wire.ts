// The server's answers, as the page uses them.

import { asObject, type Json } from '../model/json_value.ts';
import { readAs } from '../model/reader.ts';
import {
  readEngines,
  readErrorReply,
  readOpened,
  readQuery,
  type Engines,
  type ListedEngine as ToldEngine,
  type Query,
  type TrendPoint,
} from '../model/report_types.ts';
import type { Problem } from '../public/page/opener.ts';

export type { TrendPoint };
export type QueryResult = Pick<Query, 'columns' | 'rows'>;

// Most members are present only once the engine has been read.
export interface ListedEngine extends ToldEngine {
  // Runs of what is assumed to be the same engine, oldest first; null: there is no other.
  readonly trend: readonly TrendPoint[] | null;
}

export type EngineList = Pick<Engines, 'places' | 'left_out' | 'is_searching'> & {
  readonly engines: readonly ListedEngine[];
};

export function decodeEngines(value: Json): EngineList {
  if (asObject(value).schema !== 'planex.engines/1') {
    throw new Error('unexpected answer from planex serve');
  }
  const told = readAs(readEngines, value);
  const trends = new Map<string, readonly TrendPoint[]>();
  for (const trend of told.trends) for (const point of trend) trends.set(point.id, trend);
  return {
    ...told,
    // An engine without an id cannot be requested.
    engines: told.engines
      .filter((engine) => engine.id !== '')
      .map((engine) => ({ ...engine, trend: trends.get(engine.id) ?? null })),
  };
}

export function decodeQuery(value: Json): QueryResult {
  return readAs(readQuery, value);
}

export function decodeOpened(value: Json): readonly string[] {
  return readAs(readOpened, value).ids;
}

// Texts are empty if unknown.
export type Refusal = Pick<Problem, 'message' | 'file' | 'context' | 'hint'>;

export function decodeError(value: Json): Refusal {
  const { message, file, context, hint } = readAs(readErrorReply, value);
  return { message, file: file ?? '', context: context ?? '', hint: hint ?? '' };
}
