// What layers read and write, in few letters.

import { dimsText, kMissing, visible, type Engine } from '../../public/index.ts';
import type { SideFacts } from './pair_facts.ts';

// "INT8→FP16": one value when in equals out.
export function ioText(facts: SideFacts): string {
  const [input, output] = [facts.input, facts.output];
  if (input === null && output === null) return kMissing;
  if (output === null || input === output) return visible(input ?? '');
  return input === null ? visible(output) : `${visible(input)}→${visible(output)}`;
}

export function memberText(engine: Engine, row: number): string {
  const input = engine.layers.text('precision', row);
  const output = engine.layers.text('output_precision', row);
  if (input === null || output === null || input === output) return visible(input ?? output ?? '');
  return `${visible(input)}→${visible(output)}`;
}

export function outputDims(engine: Engine, row: number): string {
  const port = engine.portsOf(row).find((p) => engine.ports.text('direction', p) === 'output');
  return port === undefined ? '' : dimsText(engine.ports.list('dims', port));
}
