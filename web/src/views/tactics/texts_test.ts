import { describe, expect, it } from 'vitest';

import type { LayerTactics } from '../../public/index.ts';
import { closestFirst, marginText, verdictText } from './texts.ts';

const kLayer: LayerTactics = {
  layer_id: 0,
  name: 'conv',
  runner: 'CaskConvolution',
  tactic: '0x1',
  tactic_name: null,
  time_ms: 0.01,
  input_formats: null,
  output_formats: null,
  runner_up_runner: null,
  runner_up: null,
  runner_up_name: null,
  runner_up_ms: 0.0102,
  margin_ms: 0.0002,
  margin_share: 0.02,
  is_within_noise: null,
  faster_input_formats: null,
  faster_output_formats: null,
  faster_tactic_name: null,
  faster_ms: null,
  gain_ms: null,
  conversion_ms: null,
  lost_to: null,
  choices: 1,
  candidates: 2,
  skipped: 0,
  profiling_s: null,
  formats: [],
  tactics: [],
};

describe('texts of tactics', () => {
  it('say the margin, and of what it is a part', () => {
    expect(marginText(kLayer)).toBe('200 ns (2.0 %)');
    expect(marginText({ ...kLayer, margin_ms: null, margin_share: null })).toBe('–');
  });

  it('claim nothing of noise that the log does not say', () => {
    expect(verdictText(kLayer)).toBe('');
    expect(verdictText({ ...kLayer, is_within_noise: true })).toBe("within the timer's noise");
    expect(
      verdictText({ ...kLayer, gain_ms: 0.0003, conversion_ms: 0.004, lost_to: 'conversion' }),
    ).toBe('300 ns faster in other formats, which need conversions of 4.00 µs');
  });

  it('put the closest choice first and unknown ones last', () => {
    const layers = [
      { ...kLayer, name: 'unknown', runner: null, margin_share: null },
      { ...kLayer, name: 'alone', margin_share: null },
      { ...kLayer, name: 'far', margin_share: 0.5 },
      { ...kLayer, name: 'close', margin_share: 0.01 },
    ];
    expect(closestFirst(layers).map(({ name }) => name)).toEqual([
      'close',
      'far',
      'alone',
      'unknown',
    ]);
  });
});
