// The tooltip: after 80 ms, at most six lines, never in the way of the pointer.

import { div, replace } from '../base/dom.ts';
import { bytesText, inUnit, isNumber, percent, timeUnit } from '../base/format.ts';
import type { Store } from '../model/store.ts';
import { layerPrecisionText, nameTitle } from '../public/marks.ts';
import type { Spot } from '../public/view.ts';

const kDelayMs = 80;
const kMaxName = 160;

export class Tooltip {
  readonly node = div('tooltip');
  #timer: number | undefined;
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
    this.node.setAttribute('role', 'tooltip');
    this.node.hidden = true;
  }

  // Of the engine on screen, or of another by its place in the report.
  layer(row: number, at: MouseEvent, place?: number): void {
    const engine = this.#store.report.engines[place ?? -1] ?? this.#store.engine;
    const basis = engine.basisOr(this.#store.state.basis);
    const name = engine.layerName(row);
    const time = engine.times(basis)[row];
    const lines = [
      `#${String(engine.layerId(row))} ${name.length > kMaxName ? `${name.slice(0, kMaxName)}…` : nameTitle(name)}`,
      `${engine.layers.text('type', row) ?? 'unknown type'} · ${layerPrecisionText(engine, row)}`,
    ];
    if (isNumber(time)) {
      const unit = timeUnit(time);
      const share = percent(engine.share(row, basis));
      const corrected = basis === 'corrected' ? ' corr.' : '';
      lines.push(`${inUnit(time, unit)} ${unit.unit} ${basis} · ${share} % of Σ${corrected}`);
    }
    const bytes = engine.layers.number('footprint_bytes', row);
    if (bytes !== null) {
      const least = engine.family(row) === 'opaque' ? '≥ ' : '';
      lines.push(`${least}${bytesText(bytes)} moved`);
    }
    const findings = engine.findingsOf(row);
    const first = findings[0];
    if (first !== undefined) {
      lines.push(
        first.rule + (findings.length > 1 ? ` and ${String(findings.length - 1)} more` : ''),
      );
    }
    this.lines(lines, at);
  }

  lines(lines: readonly string[], at: Spot): void {
    window.clearTimeout(this.#timer);
    const show = (): void => {
      replace(this.node, ...lines.slice(0, 6).map((line) => div('tooltip-line', line)));
      this.node.hidden = false;
      const gap = 12;
      const { offsetWidth: width, offsetHeight: height } = this.node;
      const left = Math.min(at.clientX + gap, window.innerWidth - width - 8);
      const below = at.clientY + gap + height <= window.innerHeight - 4;
      const top = below ? at.clientY + gap : at.clientY - gap - height;
      this.node.style.left = `${Math.max(8, left).toFixed(0)}px`;
      this.node.style.top = `${Math.max(4, top).toFixed(0)}px`;
    };
    if (this.node.hidden) this.#timer = window.setTimeout(show, kDelayMs);
    else show();
  }

  hide(): void {
    window.clearTimeout(this.#timer);
    this.node.hidden = true;
  }
}
