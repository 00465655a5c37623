// Speed of light of one layer: its time against the minimum that its bytes and its work need.

import { div, span, type Child } from '../base/dom.ts';
import { fixed, isNumber, timeUnit } from '../base/format.ts';
import type { Basis, Engine } from '../model/engine.ts';
import { speedOf } from '../model/speed.ts';
import { bar, familyClass } from '../public/page/marks.ts';
import { panelSection } from '../public/panel.ts';
import { timeText } from './panel_parts.ts';

const kBarPx = 160;

// Null if no limit of the layer is known.
export function speedSection(engine: Engine, basis: Basis, row: number): HTMLElement | null {
  const speed = speedOf(engine);
  const limit = speed?.limit(row) ?? null;
  if (speed === null || limit === null) return null;
  const time = engine.times(basis)[row];
  const timeMs = isNumber(time) ? time : null;
  const leastMs = {
    compute: speed.computeMs(row),
    memory: speed.memoryMs(row),
    launch: limit === 'launch' ? speed.launchMs(row) : null,
  };
  const longest = Math.max(timeMs ?? 0, ...Object.values(leastMs).map((ms) => ms ?? 0));
  if (!(longest > 0)) return null;
  const unit = timeUnit(longest);
  const line = (name: string, ms: number | null, className: string): Child =>
    ms !== null &&
    div(
      'speed-line',
      span('fact-key', name),
      bar(ms / longest, kBarPx, className),
      span('right', timeText(ms, unit)),
    );
  const boundMs = leastMs[limit];
  const said = (ms: number, least: number): string =>
    `${fixed((least / ms) * 100, 0)} % of the ${limit} limit · ` +
    (ms > least ? `${timeText(ms - least, unit) ?? ''} above the limit` : 'faster than the limit');
  const type = speed.rateType(row);
  const rate = type === null ? 'compute' : `compute, ${type}`;
  const node = panelSection(
    'Speed of light',
    timeMs === null || !(timeMs > 0) || boundMs === null ? null : said(timeMs, boundMs),
    line('measured', timeMs, familyClass(engine.layers.text('family', row))),
    line(rate, leastMs.compute, 'limit-bar'),
    line('memory', leastMs.memory, 'limit-bar'),
    line('fastest layer', leastMs.launch, 'limit-bar'),
  );
  node.classList.add('speed-section');
  return node;
}
