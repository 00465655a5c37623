// The view's answer: how close the engine comes to the limit of the device, and where most is left.

import {
  fixed,
  joined,
  middleEllipsis,
  percent,
  plural,
  type Store,
  type Conclusion,
} from '../../public/index.ts';
import { rateOf } from './limits.ts';
import { greatestRow, type WorkData } from './measures.ts';

const kName = 60;

// In a sentence.
export function shortened(name: string, most: number): string {
  return middleEllipsis(name, most, ({ length }) => length);
}

export function workConclusion(store: Store, data: WorkData): Conclusion | null {
  const { speed, rows, measures } = data;
  const { engine, basis } = store;
  const count = plural(rows.length, 'convolution or product', 'convolutions and products');
  if (speed === null || !engine.hasTimes) {
    const { macs } = engine.summary;
    const text = macs === null ? '' : `${fixed(macs / 1e9, 2)} GMAC in one inference.`;
    return rows.length === 0 ? null : { headline: `${count}, not measured.`, text };
  }
  const times = engine.times(basis);
  const all = engine.total(basis);
  const ms = engine.sum(times, rows);
  const share = all > 0 ? ` (${percent(ms / all)} % of Σ)` : '';
  const taken = `${count} take ${fixed(ms, 3)} ms${share}`;
  const headroom = speed.headroom(basis);
  const best = greatestRow(headroom, engine.workRows);
  const us = (values: Float64Array): string => fixed((values[best ?? -1] ?? 0) * 1e3, 1);
  const against = speed.isAgainstDevice ? 'limit' : 'best rates in this engine';
  const gap =
    best === null
      ? null
      : `Largest gap to the ${against}: ${shortened(store.layerLabel(best), kName)}, ${us(headroom)} of ${us(times)} µs.`;
  const total = speed.total(engine.workRows, basis, true);
  if (total.bound_ms !== null && total.reached !== null && total.headroom_ms !== null) {
    const known = total.bound_ms + total.headroom_ms;
    const left =
      total.headroom_ms >= 0
        ? `${fixed(total.headroom_ms, 3)} of ${fixed(known, 3)} ms are above the limit`
        : `the layers are ${fixed(-total.headroom_ms, 3)} ms faster than their bounds`;
    const unknown = total.unknown_bound_ms;
    const where = unknown > 0 ? 'Where work is known, ' : '';
    const layers = plural(total.unknown_count, 'layer');
    const rest = unknown > 0 && `The work of ${layers} (${fixed(unknown, 3)} ms) is unknown.`;
    return {
      headline: `${where}${percent(total.reached)} % of the device's limit is reached: ${left}.`,
      text: joined([`${taken}.`, gap, rest], ' '),
    };
  }
  if (rows.length === 0) return null;
  const { values: rates } = measures.rate;
  const fastest = greatestRow(rates, rows);
  if (fastest === null) return { headline: `${taken}.`, text: gap ?? '' };
  const { layers } = engine;
  const type = layers.text('compute_precision', fastest) ?? layers.text('precision', fastest);
  const rate = rateOf(rates[fastest] ?? 0, type);
  return {
    headline: `The fastest product reaches ${rate}; the limits of the device are unknown.`,
    text: joined([`${taken}.`, gap], ' '),
  };
}
