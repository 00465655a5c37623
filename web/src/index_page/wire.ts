// What the server tells, as the page works with it.

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

// Most members an engine has once it was read.
export interface ListedEngine extends ToldEngine {
  // Runs of what is taken to be the same engine, from the oldest; null: there is no other.
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
    // What has no id can't be asked for.
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

// Empty texts where there is nothing to tell.
export type Refusal = Pick<Problem, 'message' | 'file' | 'context' | 'hint'>;

export function decodeError(value: Json): Refusal {
  const { message, file, context, hint } = readAs(readErrorReply, value);
  return { message, file: file ?? '', context: context ?? '', hint: hint ?? '' };
}
