// What quantizing lost, as the program explains it (planex.report-accuracy/1).

import type { Engine } from './engine.ts';
import type { EngineAccuracy } from './report_types.ts';

const kAccuracy = new WeakMap<Engine, EngineAccuracy>();

// Null without a record of planex quantize or planex accuracy.
export function accuracyOf(engine: Engine): EngineAccuracy | null {
  const known = kAccuracy.get(engine);
  if (known !== undefined) return known;
  const document = engine.document('accuracy');
  if (document !== null) kAccuracy.set(engine, document);
  return document;
}
