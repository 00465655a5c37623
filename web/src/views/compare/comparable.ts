// Reasons why two engines are not comparable like with like, from the report's data.

import { dimsText, visible, type Engine } from '../../public/index.ts';

export interface Obstacle {
  readonly text: string;
  // Then rows of layers are meaningless.
  readonly isGrave?: boolean;
}

const kShownInputs = 3;

function inputsText({ summary: { inputs } }: Engine): string {
  const shown = inputs.slice(0, kShownInputs).map((input) => dimsText(input.dims));
  const rest = inputs.length - shown.length;
  return shown.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

// The shapes of inputs without the batch, which has a line of its own.
function itemShapes({ summary: { inputs, engine } }: Engine): string | null {
  if (inputs.length === 0 || inputs.some((input) => input.dims === null)) return null;
  const { batch_size: batch } = engine;
  const shapes = inputs.map(({ dims }) => {
    return (batch !== null && dims?.[0] === batch ? dims.slice(1) : (dims ?? [])).join('×');
  });
  return shapes.sort().join(' ');
}

// `matched`: pairs that have layers of both; null if pairs were not looked for.
export function obstacles(a: Engine, b: Engine, matched: number | null): readonly Obstacle[] {
  const found: Obstacle[] = [];
  // Reported if both are known and differ.
  const differ = (
    of: (engine: Engine) => string | number | null,
    text: (a: string, b: string) => string,
  ): void => {
    const [x, y] = [of(a), of(b)];
    if (x === null || y === null || x === y) return;
    found.push({ text: text(visible(String(x).slice(0, 80)), visible(String(y).slice(0, 80))) });
  };
  if (matched === 0 && a.workRows.length > 0 && b.workRows.length > 0) {
    found.push({
      text: 'Not comparable layer by layer: no layer of A matches a layer of B by operation, name or shape. They look like engines of different models; only their totals can be compared.',
      isGrave: true,
    });
  }
  differ(
    ({ summary }) => summary.engine.device,
    (x, y) => `Devices differ: A ran on ${x}, B on ${y}.`,
  );
  differ(
    ({ summary }) => summary.engine.batch_size,
    (x, y) => `Batches differ: ${x} in A, ${y} in B; “per item” divides by them.`,
  );
  differ(itemShapes, () => `Inputs differ: ${inputsText(a)} in A, ${inputsText(b)} in B.`);
  if (a.hasTimes !== b.hasTimes) found.push({ text: `Only ${a.hasTimes ? 'A' : 'B'} has times.` });
  return found;
}
