// The marks that every view draws in the same way: swatches, precision pairs, bars, severity signs,
// fitted names.

import { div, el, icon, span, type Child } from '../../base/dom.ts';
import { kHeatSteps } from '../../base/heat.ts';
import { Names } from '../../base/names.ts';
import { middleEllipsis, visible } from '../../base/text.ts';
import { familyKey, precisionKey } from '../../base/tokens.ts';
import type { Engine } from '../../model/engine.ts';
import type { Severity } from '../../model/engine.ts';

export function familyClass(family: string | null): string {
  const key = familyKey(family);
  return `f-${key}${key === 'reformat' ? ' hatched' : ''}${key === 'other' ? ' outlined' : ''}`;
}

export function familySwatch(family: string | null): HTMLElement {
  return span(`swatch ${familyClass(family)}`);
}

export function precisionClass(precision: string | null): string {
  const key = precisionKey(precision);
  return key === 'unknown' ? 'unknown' : `p-${key}`;
}

export function precisionSwatch(precision: string | null): HTMLElement {
  return span(`swatch ${precisionClass(precision)}`);
}

export function typeMark(engine: Engine, row: number): HTMLElement {
  const type = engine.layers.text('type', row);
  const mark = span(
    `mark${engine.namesOnly ? ' guess' : ''}`,
    familySwatch(engine.layers.text('family', row)),
    type === null ? span('dim', '–') : visible(type),
  );
  if (engine.namesOnly) mark.title = 'Guessed from the name: not recorded in the file.';
  return mark;
}

export function precisionMark(precision: string | null): HTMLElement {
  if (precision === null) return span('dim', '–');
  return span('mark', precisionSwatch(precision), visible(precision));
}

// "INT8 → FP16"; one value if in equals out.
export function precisionPair(input: string | null, output: string | null): HTMLElement {
  if (output === null || input === output) return precisionMark(input);
  if (input === null) return precisionMark(output);
  return span('pair', precisionMark(input), span('arrow', '→'), precisionMark(output));
}

export function layerPrecision(engine: Engine, row: number): HTMLElement {
  const input = engine.layers.text('precision', row);
  const pair = precisionPair(input, engine.layers.text('output_precision', row));
  const compute = engine.layers.text('compute_precision', row);
  if (compute === null || compute === input) return pair;
  const node = span('pair', pair, span('computes', `·${visible(compute)}`));
  node.title = `${layerPrecisionText(engine, row)}, computes ${visible(compute)}`;
  return node;
}

export function layerPrecisionText(engine: Engine, row: number): string {
  const input = engine.layers.text('precision', row) ?? '–';
  const output = engine.layers.text('output_precision', row);
  return output === null || output === input ? input : `${input} → ${output}`;
}

// A bar in its own cell: linear from 0, full width at ratio 1, cut with a mark above that.
export function bar(ratio: number, fullPx: number, className: string): HTMLElement {
  const width = Math.min(1, Math.max(0, ratio)) * fullPx;
  const track = span('track');
  track.style.width = `${fullPx.toFixed(0)}px`;
  if (Number.isFinite(ratio) && ratio > 0) {
    const fill = span(`bar ${className}`);
    fill.style.width = `${Math.max(0.6, width).toFixed(1)}px`;
    track.append(fill);
    if (ratio > 1.0005) track.append(span('over', '▸'));
  }
  return track;
}

// The steps of heat side by side, for a legend.
export function heatSteps(): HTMLElement {
  const steps = Array.from({ length: kHeatSteps }, (_, i) => span(`heat-step h-${String(i)}`));
  return span('heat-steps', ...steps);
}

const kSigns: Readonly<Record<Severity, string>> = { error: '×', warning: '!', info: 'i' };

export function severitySign(severity: Severity, title?: string): HTMLElement {
  return el(
    'span',
    { class: `sign sign-${severity}`, attrs: { role: 'img', 'aria-label': severity, title } },
    kSigns[severity],
  );
}

let measureContext: CanvasRenderingContext2D | null = null;

export function textWidth(text: string, font: string): number {
  measureContext ??= document.createElement('canvas').getContext('2d');
  if (measureContext === null) return text.length * 6;
  if (measureContext.font !== font) measureContext.font = font;
  return measureContext.measureText(text).width;
}

let bodyFamily: string | null = null;

export function bodyFont(sizePx = 12, weight = 400): string {
  // Single quotes, because it is also used in attributes of SVG.
  bodyFamily ??= getComputedStyle(document.body).fontFamily.replaceAll('"', "'");
  return `${String(weight)} ${String(sizePx)}px ${bodyFamily}`;
}

// `among`: the names shown with it, from which it must stay distinguishable when cut.
export function fitName(
  name: string,
  widthPx: number,
  font = bodyFont(),
  among: Names | null = null,
): string {
  const measure = (text: string): number => textWidth(text, font);
  return among === null
    ? middleEllipsis(name, widthPx, measure)
    : among.fit(name, widthPx, measure);
}

// The tooltip of a cut name; one of 100 000 characters helps nobody.
export function nameTitle(name: string): string {
  return name.length > 1000 ? `${name.slice(0, 1000)}…` : name;
}

export interface FittedName {
  readonly name: string;
  readonly node: HTMLElement;
}

// Fits names into their cells; call once the cells have their width.
export function fitAll(names: readonly FittedName[]): void {
  const widths = names.map(({ node }) => (node.parentElement ?? node).clientWidth);
  const first = names[0];
  if (first === undefined) return;
  const style = getComputedStyle(first.node);
  const font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const among = new Names(() => names.map(({ name }) => name));
  for (const [i, { name, node }] of names.entries()) {
    const parent = node.parentElement;
    const padding = parent === null ? 0 : horizontalPadding(parent);
    node.textContent = fitName(name, (widths[i] ?? 0) - padding - 1, font, among);
  }
}

function horizontalPadding(node: Element): number {
  const style = getComputedStyle(node);
  return Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.paddingRight);
}

export function sectionTitle(
  title: string,
  explanation: string,
  ...right: readonly Child[]
): HTMLElement {
  return el(
    'h2',
    { class: 'section-title' },
    title,
    explanation === '' ? null : span('explain', explanation),
    span('grow'),
    ...right,
  );
}

// A link button next to a title, or in a cell.
export function linkButton(text: string, title: string | null, onClick: () => void): HTMLElement {
  const attrs = { type: 'button', title };
  return el('button', { class: 'link', attrs, on: { click: onClick } }, text);
}

export function iconButton(
  name: 'copy' | 'close' | 'left' | 'right' | 'theme',
  label: string,
  onClick: () => void,
): HTMLButtonElement {
  return el(
    'button',
    {
      class: 'icon-button',
      attrs: { type: 'button', 'aria-label': label, title: label },
      on: { click: onClick },
    },
    icon(name),
  );
}

export function commandBox(command: string, onCopy: (text: string) => void): HTMLElement {
  return div(
    'box command',
    // Arguments are not broken: a line broken after "--" reads as another argument.
    el(
      'code',
      {},
      ...visible(command)
        .split(' ')
        .flatMap((word) => [span('argument', word), ' ']),
    ),
    iconButton('copy', 'Copy the command', () => onCopy(command)),
  );
}
