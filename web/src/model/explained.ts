// What quantizing lost, and what the builder tried, as the program explains it.

import { remembered } from '../base/known.ts';
import type { Engine } from './engine.ts';

// Null without a record of planex quantize or planex accuracy.
export const accuracyOf = remembered((engine: Engine) => engine.document('accuracy'));

// Null without a log that tells.
export const tacticsOf = remembered((engine: Engine) => engine.document('tactics'));
