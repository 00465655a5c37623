// The program writes the same numbers: src/render/words/numbers_test.cc reads the same cases.
import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { heatScale, heatStep } from './heat.ts';
import * as f from './format.ts';

type Case = readonly [number, string];

type Cases = Readonly<Record<string, readonly Case[]>>;

const path = new URL('../../../tests/data/number_cases.json', import.meta.url);
const cases = JSON.parse(readFileSync(path, 'utf8')) as Cases & {
  readonly dims: readonly (readonly [number[], string])[];
  readonly heat: readonly { values: number[]; steps: (readonly [number, number])[] }[];
};

const kTexts: Readonly<Record<string, (value: number) => string>> = {
  bytes: f.bytesText,
  count: f.integer,
  percent: (value) => `${f.percent(value)} %`,
  ms: f.msText,
  flops: f.flopsText,
  flops_per_s: (value) => f.rateText(value),
  ops_per_s: (value) => f.rateText(value, true),
  bytes_per_s: f.bandwidthText,
};

describe('number cases', () => {
  it.each(Object.entries(kTexts))('%s are written as the program writes them', (topic, text) => {
    const list = cases[topic] ?? [];
    expect(list.map(([value]) => text(value))).toEqual(list.map(([, expected]) => expected));
    expect(list.length).toBeGreaterThan(0);
  });
  it('dims are written as the program writes them', () => {
    for (const [dims, expected] of cases.dims) expect(f.dimsText(dims)).toBe(expected);
  });
  it('heat has the same steps', () => {
    for (const { values, steps } of cases.heat) {
      const scale = heatScale(values);
      if (scale === null) throw new Error('no scale');
      for (const [value, step] of steps) expect(heatStep(scale, value), String(value)).toBe(step);
    }
  });
});
