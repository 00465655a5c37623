// The view's answer: how near the engine comes to what the device can do, and where most is left.

import { fixed, percent, plural, type Store, type Conclusion } from '../../public/index.ts';
import { rateOf } from './limits.ts';
import type { RooflineData } from './roofline.ts';

const kName = 60;

function shortened(name: string): string {
  return name.length <= kName ? name : `${name.slice(0, 34)}…${name.slice(-20)}`;
}

export function workConclusion(
  store: Store,
  { speed, rows, measures }: RooflineData,
): Conclusion | null {
  const { engine, basis } = store;
  const times = engine.times(basis);
  const all = engine.total(basis);
  const ms = engine.sum(times, rows);
  const count = plural(rows.length, 'convolution or product', 'convolutions and products');
  if (speed === null || !engine.hasTimes) {
    if (rows.length === 0) return null;
    const { macs } = engine.summary;
    const work = macs === null ? '' : ` ${fixed(macs / 1e9, 2)} GMAC in one inference.`;
    return { headline: `${count}, not measured.`, text: work.trim() };
  }
  const total = speed.total(engine.workRows, basis, true);
  const headroom = speed.headroom(basis);
  let best: number | null = null;
  for (const row of engine.workRows) {
    const gain = headroom[row] ?? Number.NaN;
    if (gain > 0 && (best === null || gain > (headroom[best] ?? 0))) best = row;
  }
  const share = all > 0 ? ` (${percent(ms / all)} % of Σ)` : '';
  const parts: string[] = [`${count} take ${fixed(ms, 3)} ms${share}.`];
  if (best !== null) {
    const against = speed.isAgainstDevice
      ? 'Largest gap to the limit'
      : 'Largest gap to the best rates in this engine';
    parts.push(
      `${against}: ${shortened(store.layerLabel(best))}, ${fixed((headroom[best] ?? 0) * 1e3, 1)} of ${fixed((times[best] ?? 0) * 1e3, 1)} µs.`,
    );
  }
  if (total.bound_ms !== null && total.reached !== null && total.headroom_ms !== null) {
    const known = total.bound_ms + total.headroom_ms;
    const left =
      total.headroom_ms >= 0
        ? `${fixed(total.headroom_ms, 3)} of ${fixed(known, 3)} ms are above the limit`
        : `the layers are ${fixed(-total.headroom_ms, 3)} ms faster than their bounds`;
    if (total.unknown_bound_ms > 0) {
      const layers = plural(total.unknown_count, 'layer');
      parts.push(`The work of ${layers} (${fixed(total.unknown_bound_ms, 3)} ms) is unknown.`);
    }
    const where = total.unknown_bound_ms > 0 ? 'Where work is known, ' : '';
    return {
      headline: `${where}${percent(total.reached)} % of the device's limit is reached: ${left}.`,
      text: parts.join(' '),
    };
  }
  if (rows.length === 0) return null;
  const rate = measures.get('rate');
  const typeOf = (row: number): string | null =>
    engine.layers.text('compute_precision', row) ?? engine.layers.text('precision', row);
  let fastest: number | null = null;
  for (const row of rows) {
    const value = rate?.values[row] ?? Number.NaN;
    if (value > 0 && (fastest === null || value > (rate?.values[fastest] ?? 0))) fastest = row;
  }
  const top =
    rate === undefined || fastest === null
      ? `${count} take ${fixed(ms, 3)} ms${share}`
      : `The fastest product reaches ${rateOf(rate.values[fastest] ?? 0, typeOf(fastest))}; the limits of the device are unknown`;
  return {
    headline: `${top}.`,
    text: (fastest === null ? parts.slice(1) : parts).join(' '),
  };
}
