// Times, kernels and verdicts of tactics in words.

import { kMissing, percent, visible, type LayerTactics } from '../../public/index.ts';

// Short times to a hundredth of a microsecond, as tactics differ by less: "41 ns", "2.07 µs".
export function timeText(ms: number | null): string {
  if (ms === null) return kMissing;
  const sign = ms < 0 ? '−' : '';
  const size = Math.abs(ms);
  if (size < 0.001) return `${sign}${(size * 1e6).toFixed(0)} ns`;
  if (size < 0.01) return `${sign}${(size * 1e3).toFixed(2)} µs`;
  if (size < 1) return `${sign}${(size * 1e3).toPrecision(3)} µs`;
  return `${sign}${size < 1000 ? size.toPrecision(3) : size.toFixed(0)} ms`;
}

export function marginText(layer: LayerTactics): string {
  if (layer.margin_ms === null) return kMissing;
  const share = layer.margin_share === null ? '' : ` (${percent(layer.margin_share)} %)`;
  return timeText(layer.margin_ms) + share;
}

// The kernel's name, else the implementation's with its tactic.
export function kernelText(
  name: string | null,
  runner: string | null,
  tactic: string | null,
): string {
  if (name !== null) return visible(name);
  if (runner === null) return kMissing;
  return visible(tactic === null ? runner : `${runner} ${tactic}`);
}

export function verdictText(layer: LayerTactics): string {
  const parts: string[] = [];
  if (layer.is_within_noise === true) parts.push("within the timer's noise");
  if (layer.gain_ms !== null) {
    const gain = `${timeText(layer.gain_ms)} faster in other formats`;
    if (layer.lost_to === 'conversion') {
      parts.push(`${gain}, which need conversions of ${timeText(layer.conversion_ms)}`);
    } else if (layer.conversion_ms !== null) {
      parts.push(`${gain}, with conversions of ${timeText(layer.conversion_ms)}`);
    } else parts.push(gain);
  }
  return parts.join('; ');
}

// Closest choices first, layers whose choice is not known last.
export function closestFirst(layers: readonly LayerTactics[]): readonly LayerTactics[] {
  const rank = (layer: LayerTactics): number =>
    layer.runner === null ? Infinity : (layer.margin_share ?? Number.MAX_VALUE);
  return layers
    .map((layer, at) => ({ layer, at, rank: rank(layer) }))
    .sort((a, b) => (a.rank === b.rank ? a.at - b.at : a.rank - b.rank))
    .map(({ layer }) => layer);
}

export const kPhases: Readonly<Record<string, string>> = {
  parsing: 'parsing the model',
  'graph-construction': 'construction of the graph',
  'graph-optimization': 'optimization of the graph',
  'tactic-selection': 'selection of formats and tactics',
  'timing-layers': 'timing of layers',
  'compiling-subgraphs': 'compilation of subgraphs',
  'timing-conversions': 'timing of conversions',
};

export function secondsText(seconds: number): string {
  if (seconds < 1) return `${(seconds * 1000).toPrecision(3)} ms`;
  return `${seconds < 1000 ? seconds.toPrecision(3) : seconds.toFixed(0)} s`;
}
