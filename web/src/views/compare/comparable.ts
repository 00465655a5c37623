// What keeps two engines from being compared like with like, told from what the report has of them.

import { dimsText, visible, type Engine } from '../../public/index.ts';

export interface Obstacle {
  readonly text: string;
  // Rows of layers mean nothing then.
  readonly isGrave: boolean;
}

const kShownInputs = 3;

function inputsText(engine: Engine): string {
  const { inputs } = engine.summary;
  const shown = inputs.slice(0, kShownInputs).map((input) => dimsText(input.dims));
  const rest = inputs.length - shown.length;
  return shown.join(', ') + (rest > 0 ? ` and ${String(rest)} more` : '');
}

// The shapes of inputs without the batch, which is a line of its own.
function itemShapes(engine: Engine): string | null {
  const { inputs } = engine.summary;
  if (inputs.length === 0 || inputs.some((input) => input.dims === null)) return null;
  const batch = engine.summary.engine.batch_size;
  const shapes = inputs.map((input) => {
    const dims = input.dims ?? [];
    return (batch !== null && dims[0] === batch ? dims.slice(1) : dims).join('×');
  });
  return shapes.sort().join(' ');
}

// `matched`: pairs that have layers of both; null where nobody looked for pairs.
export function obstacles(a: Engine, b: Engine, matched: number | null): readonly Obstacle[] {
  const found: Obstacle[] = [];
  const add = (text: string, isGrave = false): void => {
    found.push({ text, isGrave });
  };
  const both = (
    of: (engine: Engine) => string | number | null,
  ): readonly [string, string] | null => {
    const [x, y] = [of(a), of(b)];
    if (x === null || y === null || x === y) return null;
    return [visible(String(x).slice(0, 80)), visible(String(y).slice(0, 80))];
  };
  if (matched === 0 && a.workRows.length > 0 && b.workRows.length > 0) {
    add(
      'Not comparable layer by layer: no layer of A matches a layer of B by operation, name or shape. They look like engines of different models; only their totals can be compared.',
      true,
    );
  }
  const devices = both((engine) => engine.summary.engine.device);
  if (devices !== null) {
    add(`Devices differ: A ran on ${devices[0]}, B on ${devices[1]}.`);
  }
  const batches = both((engine) => engine.summary.engine.batch_size);
  if (batches !== null) {
    add(`Batches differ: ${batches[0]} in A, ${batches[1]} in B; “per item” divides by them.`);
  }
  if (both(itemShapes) !== null) {
    add(`Inputs differ: ${inputsText(a)} in A, ${inputsText(b)} in B.`);
  }
  if (a.hasTimes !== b.hasTimes) {
    add(`Only ${a.hasTimes ? 'A' : 'B'} has times.`);
  }
  return found;
}
