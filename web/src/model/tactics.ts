// What the builder tried, as the program explains it (planex.explain-tactics/1).

import type { Engine } from './engine.ts';
import type { ExplainTactics } from './report_types.ts';

const kTactics = new WeakMap<Engine, ExplainTactics>();

// Null without a log that tells.
export function tacticsOf(engine: Engine): ExplainTactics | null {
  const known = kTactics.get(engine);
  if (known !== undefined) return known;
  const document = engine.document('tactics');
  if (document !== null) kTactics.set(engine, document);
  return document;
}
