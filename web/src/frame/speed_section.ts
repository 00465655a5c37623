// Speed of light of one layer: its time beside the least that its bytes and its work take.

import { div, span } from '../base/dom.ts';
import { fixed, inUnit, isNumber, timeUnit } from '../base/format.ts';
import type { Basis, Engine } from '../model/engine.ts';
import { speedOf, type SpeedLimit } from '../model/speed.ts';
import { bar, familyClass } from '../public/marks.ts';
import { section } from './panel_section.ts';

const kBarPx = 160;

const kLimitNames: Readonly<Record<NonNullable<SpeedLimit>, string>> = {
  memory: 'memory',
  compute: 'compute',
  launch: 'launch',
};

// Null where no limit of the layer is known.
export function speedSection(engine: Engine, basis: Basis, row: number): HTMLElement | null {
  const speed = speedOf(engine);
  const limit = speed?.limit(row) ?? null;
  if (speed === null || limit === null) return null;
  const time = engine.times(basis)[row];
  const timeMs = isNumber(time) ? time : null;
  const computeMs = speed.computeMs(row);
  const memoryMs = speed.memoryMs(row);
  const launchMs = limit === 'launch' ? speed.launchMs(row) : null;
  const longest = Math.max(timeMs ?? 0, computeMs ?? 0, memoryMs ?? 0, launchMs ?? 0);
  if (!(longest > 0)) return null;
  const unit = timeUnit(longest);
  const line = (name: string, ms: number | null, className: string): HTMLElement | null =>
    ms === null
      ? null
      : div(
          'speed-line',
          span('fact-key', name),
          bar(ms / longest, kBarPx, className),
          span('right', `${inUnit(ms, unit)} ${unit.unit}`),
        );
  const boundMs = { memory: memoryMs, compute: computeMs, launch: launchMs }[limit];
  const said =
    timeMs === null || !(timeMs > 0) || boundMs === null
      ? null
      : [
          `${fixed((boundMs / timeMs) * 100, 0)} % of the ${kLimitNames[limit]} limit`,
          timeMs > boundMs
            ? `${inUnit(timeMs - boundMs, unit)} ${unit.unit} above the limit`
            : 'faster than the limit',
        ].join(' · ');
  const type = speed.rateType(row);
  const rate = type === null ? 'compute' : `compute, ${type}`;
  const node = section(
    'Speed of light',
    said,
    line('measured', timeMs, familyClass(engine.layers.text('family', row))),
    line(rate, computeMs, 'limit-bar'),
    line('memory', memoryMs, 'limit-bar'),
    line('fastest layer', launchMs, 'limit-bar'),
  );
  node.classList.add('speed-section');
  return node;
}
