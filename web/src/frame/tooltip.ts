// The tooltip: after 80 ms, at most six lines, never in the way of the pointer.

import { div, el, replace } from '../base/dom.ts';
import { bytesText, isNumber, percent } from '../base/format.ts';
import type { Store } from '../model/store.ts';
import { layerPrecisionText, nameTitle } from '../public/page/marks.ts';
import type { ViewContext } from '../public/page/view.ts';
import { timeText } from './panel_parts.ts';

const kDelayMs = 80;
const kMaxName = 160;

// For the engine on screen, or for another by its place in the report.
function layerLines({ report, engine: shown, state }: Store, row: number, place = -1): string[] {
  const engine = report.engines[place] ?? shown;
  const basis = engine.basisOr(state.basis);
  const name = engine.layerName(row);
  const time = engine.times(basis)[row];
  const lines = [
    `#${String(engine.layerId(row))} ${name.length > kMaxName ? `${name.slice(0, kMaxName)}…` : nameTitle(name)}`,
    `${engine.layers.text('type', row) ?? 'unknown type'} · ${layerPrecisionText(engine, row)}`,
  ];
  if (isNumber(time)) {
    const share = percent(engine.share(row, basis));
    const corrected = basis === 'corrected' ? ' corr.' : '';
    lines.push(`${timeText(time) ?? ''} ${basis} · ${share} % of Σ${corrected}`);
  }
  const bytes = engine.layers.number('footprint_bytes', row);
  if (bytes !== null) {
    const least = engine.family(row) === 'opaque' ? '≥ ' : '';
    lines.push(`${least}${bytesText(bytes)} moved`);
  }
  const [first, ...others] = engine.findingsOf(row);
  if (first !== undefined) {
    lines.push(first.rule + (others.length > 0 ? ` and ${String(others.length)} more` : ''));
  }
  return lines;
}

export type Tooltip = ViewContext['tooltip'] & { readonly node: HTMLElement };

export function makeTooltip(store: Store): Tooltip {
  const node = el('div', { class: 'popup tooltip', attrs: { role: 'tooltip', hidden: true } });
  let timer: number | undefined;
  const lines: Tooltip['lines'] = (texts, at) => {
    window.clearTimeout(timer);
    const show = (): void => {
      replace(node, ...texts.slice(0, 6).map((line) => div('tooltip-line', line)));
      node.hidden = false;
      const gap = 12;
      const { offsetWidth: width, offsetHeight: height } = node;
      const left = Math.min(at.clientX + gap, window.innerWidth - width - 8);
      const below = at.clientY + gap + height <= window.innerHeight - 4;
      const top = below ? at.clientY + gap : at.clientY - gap - height;
      node.style.left = `${Math.max(8, left).toFixed(0)}px`;
      node.style.top = `${Math.max(4, top).toFixed(0)}px`;
    };
    if (node.hidden) timer = window.setTimeout(show, kDelayMs);
    else show();
  };
  return {
    node,
    lines,
    layer: (row, at, engine) => lines(layerLines(store, row, engine), at),
    hide: () => {
      window.clearTimeout(timer);
      node.hidden = true;
    },
  };
}
