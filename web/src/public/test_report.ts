// A report of a few engines, for tests of what views show of several.

import { decodeReport, type Report } from '../model/decode.ts';
import type { JsonObject } from '../model/json_value.ts';

export function reportOf(parts: JsonObject): Report {
  return decodeReport({ schema: 'planex.report/2', ...parts });
}
