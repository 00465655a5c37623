// The time chart as a picture that stands alone: what is on screen, with its labels and brackets.

import { bodyFont, fixed, textWidth, type FamilyKey, type Palette } from '../../public/index.ts';
import { xOf, yOf, type TimeLayout } from './time_layout.ts';

const kNamespace = 'http://www.w3.org/2000/svg';
const kFaded = 0.25;
const kHatchId = 'hatch';
const kTitleHeight = 22;

type Attributes = Readonly<Record<string, string | number>>;

function node(tag: string, attributes: Attributes, ...children: readonly Node[]): SVGElement {
  const element = document.createElementNS(kNamespace, tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, typeof value === 'number' ? value.toFixed(2) : value);
  }
  element.append(...children);
  return element;
}

function text(content: string, x: number, y: number, attributes: Attributes): SVGElement {
  return node('text', { x, y, ...attributes }, document.createTextNode(content));
}

function hatch(palette: Palette): SVGElement {
  const paint = palette.family('reformat');
  return node(
    'pattern',
    {
      id: kHatchId,
      width: 5,
      height: 5,
      patternUnits: 'userSpaceOnUse',
      patternTransform: 'rotate(45)',
    },
    node('rect', { width: 5, height: 5, fill: paint }),
    node('rect', { width: 1.7, height: 5, fill: palette.ui('bg') }),
  );
}

export interface LegendEntry {
  readonly family: FamilyKey;
  readonly name: string;
}

export function timeSvg(
  layout: TimeLayout,
  title: string,
  legend: readonly LegendEntry[],
  palette: Palette,
): SVGElement {
  const { width, height, plot } = layout;
  const bottom = height - plot.bottom;
  const ink = { fill: palette.ui('ink') };
  const soft = { fill: palette.ui('ink3') };
  const paint = (family: FamilyKey): string =>
    family === 'reformat' ? `url(#${kHatchId})` : palette.family(family);
  const parts: SVGElement[] = [
    node('defs', {}, hatch(palette)),
    node('rect', {
      y: -kTitleHeight,
      width,
      height: height + kTitleHeight,
      fill: palette.ui('bg'),
    }),
    text(title, 0, 12 - kTitleHeight, { ...ink, 'font-size': 12, 'font-weight': '600' }),
  ];
  // From the right, as on the page.
  let right = width - plot.right;
  for (const { family, name } of [...legend].reverse()) {
    const x = right - textWidth(name, bodyFont(11));
    parts.push(
      text(name, x, 12 - kTitleHeight, { fill: palette.ui('ink2') }),
      node('rect', { x: x - 13, y: 3 - kTitleHeight, width: 9, height: 9, fill: paint(family) }),
    );
    right = x - 28;
  }
  for (const tick of layout.ticks) {
    const y = yOf(layout, tick / layout.factor);
    parts.push(
      node('rect', {
        x: plot.left,
        y: y - 0.5,
        width: width - plot.left - plot.right,
        height: 1,
        fill: palette.ui(tick === 0 ? 'line2' : 'line'),
      }),
      text(fixed(tick, layout.tickDecimals), plot.left - 8, y + 3.5, {
        ...soft,
        'font-size': 10,
        'text-anchor': 'end',
      }),
    );
  }
  const bar = layout.step * (layout.columns.length > 300 ? 1 : 0.9);
  for (const [i, column] of layout.columns.entries()) {
    const x = xOf(layout, i) - bar / 2;
    let below = 0;
    for (const { family, shown, value } of column.parts) {
      const foot = below === 0 ? bottom : yOf(layout, below);
      below += value;
      const y = yOf(layout, below);
      const opacity = shown ? 1 : kFaded;
      const fill = paint(family);
      parts.push(node('rect', { x, y, width: bar, height: foot - y, fill, opacity }));
    }
  }
  for (const label of layout.labels) {
    const y = label.top + 11;
    parts.push(text(label.number.text, label.number.left, y, ink));
    if (label.name === null) continue;
    const line = text(label.name.text, label.name.left, y, { ...ink, 'font-weight': '500' });
    line.append(
      node(
        'tspan',
        { ...soft, 'font-weight': '400' },
        document.createTextNode(label.name.cause === '' ? '' : `\u00a0${label.name.cause}`),
      ),
    );
    parts.push(line);
  }
  for (const { left, right, text: name } of layout.brackets) {
    const y = bottom + 15;
    const f = (n: number): string => n.toFixed(1);
    parts.push(
      node('path', {
        d: `M${f(left)} ${f(y)}v4H${f(right)}v-4`,
        fill: 'none',
        stroke: palette.ui('line2'),
      }),
      text(name, (left + right) / 2, y + 17, { ...soft, 'text-anchor': 'middle' }),
    );
  }
  return node(
    'svg',
    {
      xmlns: kNamespace,
      viewBox: `0 ${String(-kTitleHeight)} ${width.toFixed(0)} ${String(height + kTitleHeight)}`,
      width: width.toFixed(0),
      height: (height + kTitleHeight).toFixed(0),
      'font-family': bodyFont(11).replace(/^\d+ \S+ /, ''),
      'font-size': '11',
    },
    ...parts,
  );
}
