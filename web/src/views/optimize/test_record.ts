// A record of planex optimize, for tests: two steps are kept, two are not.

import type { JsonObject, Optimize, OptimizeStep } from '../../public/index.ts';
import { readAs, readOptimize } from '../../public/test_engine.ts';

const time = (ms: number, spread = 0.01): JsonObject => ({
  median_ms: ms,
  low_ms: ms * (1 - spread),
  high_ms: ms * (1 + spread),
  run_count: 4,
});
const change = (ratio: number, spread: number): JsonObject => ({
  change_ratio: ratio,
  low_ratio: ratio - spread,
  high_ratio: ratio + spread,
});

const kClean: JsonObject = {
  id: 'clean',
  kind: 'clean',
  what: 'Simplify the graph.',
  command: 'planex clean m.onnx -o model.clean.onnx',
  said: '805 → 159 nodes',
  state: 'kept',
  ...change(-0.5, 0.02),
  before: time(20),
  after: time(10),
  sqnr_db: 169.4,
  top1_ratio: 1,
  layer_count: 160,
  duration_s: 8.5,
};
const kInt8: JsonObject = {
  id: 'int8',
  kind: 'precision',
  what: 'Quantize to INT8 where the engine gains by it.',
  basis: 'clean',
  state: 'kept',
  ...change(-0.6, 0.01),
  before: time(10.5),
  after: time(4.2),
  sqnr_db: 39.7,
  top1_ratio: 0.985,
  layer_count: 120,
  duration_s: 30,
};
const kOption: JsonObject = {
  id: 'denormals=zero',
  kind: 'options',
  what: 'Treat denormal numbers as zero.',
  basis: 'int8',
  state: 'not-faster',
  reason: 'within the noise: +0.3 % (-7.8 to +9.1)',
  ...change(0.003, 0.08),
  before: time(4.1),
  after: time(4.11),
  layer_count: 120,
  duration_s: 12,
};
const kFailed: JsonObject = {
  id: 'isa=avx2',
  kind: 'options',
  what: 'Use AVX2 alone.',
  basis: 'int8',
  state: 'failed',
  reason: 'it could not be built',
  duration_s: 1,
};

export const kSteps: readonly JsonObject[] = [kClean, kInt8, kOption, kFailed];

export function recordOf(part: JsonObject = {}): Optimize {
  return readAs(readOptimize, {
    schema: 'planex.optimize/1',
    goal: '30 dB',
    first: time(19),
    best: time(4),
    ...change(-0.789, 0.005),
    steps: kSteps,
    kept: ['clean', 'int8'],
    ...part,
  });
}

export function stepOf(id: string, record: Optimize = recordOf()): OptimizeStep {
  const step = record.steps.find((one) => one.id === id);
  if (step === undefined) throw new Error(`no step ${id}`);
  return step;
}
