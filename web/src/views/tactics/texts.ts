// Times, kernels and verdicts of tactics in words.

import { percent, kMissing, tacticTimeText, type LayerTactics } from '../../public/index.ts';

export function marginText(layer: LayerTactics): string {
  if (layer.margin_ms === null) return kMissing;
  const share = layer.margin_share === null ? '' : ` (${percent(layer.margin_share)} %)`;
  return tacticTimeText(layer.margin_ms) + share;
}

export function verdictText(layer: LayerTactics): string {
  const parts: string[] = [];
  if (layer.is_within_noise === true) parts.push("within the timer's noise");
  if (layer.gain_ms !== null) {
    const gain = `${tacticTimeText(layer.gain_ms)} faster in other formats`;
    if (layer.lost_to === 'conversion') {
      parts.push(`${gain}, which need conversions of ${tacticTimeText(layer.conversion_ms)}`);
    } else if (layer.conversion_ms !== null) {
      parts.push(`${gain}, with conversions of ${tacticTimeText(layer.conversion_ms)}`);
    } else parts.push(gain);
  }
  return parts.join('; ');
}

// Closest choices first, layers with an unknown choice last.
export function closestFirst(layers: readonly LayerTactics[]): readonly LayerTactics[] {
  const rank = (layer: LayerTactics): number =>
    layer.runner === null ? Infinity : (layer.margin_share ?? Number.MAX_VALUE);
  return [...layers].sort((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
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
