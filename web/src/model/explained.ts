// The accuracy that quantization lost, and the tactics that the builder tried, as the program
// explains them.

import { remembered } from '../base/known.ts';
import type { Engine } from './engine.ts';

// Null without a record of planex quantize or planex accuracy.
export const accuracyOf = remembered((engine: Engine) => engine.document('accuracy'));

// Null without a log that records them.
export const tacticsOf = remembered((engine: Engine) => engine.document('tactics'));
