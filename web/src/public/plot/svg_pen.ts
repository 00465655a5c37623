// The pen that writes SVG text: the view as a file of its own. Names are untrusted: control
// characters are made visible, then the text is escaped; nothing but texts and numbers is written.

import { visible } from '../../base/text.ts';
import { bodyFont } from '../page/marks.ts';
import type { Palette } from '../page/palette.ts';
import {
  cornerRadius,
  type Fill,
  type LineStyle,
  type Path,
  type Pen,
  type RectStyle,
  type TextStyle,
} from './pen.ts';

export function escapeXml(text: string): string {
  return (
    visible(text)
      // XML allows no half surrogate pair, nor these two.
      .replace(/[\ud800-\udbff](?![\udc00-\udfff])/g, '\ufffd')
      .replace(/(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
      .replace(/[\ufffe\uffff]/g, '\ufffd')
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      .replace(/"/g, '&quot;')
  );
}

const num = (value: number): string => String(Math.round(value * 100) / 100);

export interface SvgLook {
  readonly fontFamily: string;
  readonly background: string;
  readonly hatch: { readonly colour: string; readonly stripe: string };
}

export function svgLook(palette: Palette): SvgLook {
  return {
    fontFamily: bodyFont(12).replace(/^\d+ \S+ /, ''),
    background: palette.ui('bg'),
    hatch: { colour: palette.family('reformat'), stripe: palette.ui('bg') },
  };
}

export class SvgPen implements Pen {
  readonly zoom: number;
  readonly #look: SvgLook;
  readonly #parts: string[] = [];
  #alpha = 1;
  #clips = 0;

  constructor(look: SvgLook, zoom: number) {
    this.#look = look;
    this.zoom = zoom;
  }

  #fill(fill: Fill | undefined): string {
    if (fill === undefined) return 'none';
    return typeof fill === 'string' ? fill : 'url(#hatch)';
  }

  #opacity(): string {
    return this.#alpha === 1 ? '' : ` opacity="${num(this.#alpha)}"`;
  }

  #stroke(colour: string, width: number, dash: readonly number[] | undefined): string {
    const dashes = dash === undefined ? '' : ` stroke-dasharray="${dash.map(num).join(' ')}"`;
    return ` stroke="${colour}" stroke-width="${num(width)}"${dashes}`;
  }

  rect(x: number, y: number, width: number, height: number, style: RectStyle): void {
    const radius = style.radius === undefined ? '' : ` rx="${num(style.radius)}"`;
    this.#parts.push(
      `<rect x="${num(x)}" y="${num(y)}" width="${num(width)}" height="${num(height)}"${radius}${this.#finish(style)}/>`,
    );
  }

  circle(x: number, y: number, radius: number, style: RectStyle): void {
    this.#parts.push(
      `<circle cx="${num(x)}" cy="${num(y)}" r="${num(radius)}"${this.#finish(style)}/>`,
    );
  }

  #finish({ fill, stroke, width = 1, dash }: RectStyle): string {
    const outline = stroke === undefined ? '' : this.#stroke(stroke, width, dash);
    return ` fill="${this.#fill(fill)}"${outline}${this.#opacity()}`;
  }

  lines(paths: readonly Path[], style: LineStyle): void {
    const d = paths.map((path) => this.#trace(path, style.isSharp === true)).join('');
    this.#parts.push(
      `<path d="${d}" fill="none"${this.#stroke(style.colour, style.width, style.dash)}${this.#opacity()}/>`,
    );
  }

  #trace(path: Path, isSharp: boolean): string {
    const last = path.length - 2;
    let d = `M${num(path[0] ?? 0)} ${num(path[1] ?? 0)}`;
    for (let i = 2; i < last; i += 2) {
      const x = path[i] ?? 0;
      const y = path[i + 1] ?? 0;
      const fromX = x - (path[i - 2] ?? 0);
      const fromY = y - (path[i - 1] ?? 0);
      const toX = (path[i + 2] ?? 0) - x;
      const toY = (path[i + 3] ?? 0) - y;
      const before = Math.hypot(fromX, fromY);
      const after = Math.hypot(toX, toY);
      const radius = cornerRadius(before, after);
      if (isSharp || radius < 0.5) {
        d += `L${num(x)} ${num(y)}`;
        continue;
      }
      d += `L${num(x - (fromX / before) * radius)} ${num(y - (fromY / before) * radius)}`;
      d += `Q${num(x)} ${num(y)} ${num(x + (toX / after) * radius)} ${num(y + (toY / after) * radius)}`;
    }
    return `${d}L${num(path[last] ?? 0)} ${num(path[last + 1] ?? 0)}`;
  }

  shapes(paths: readonly Path[], colour: string): void {
    const d = paths.map((path) => {
      const corners: string[] = [];
      for (let i = 0; i < path.length; i += 2) {
        corners.push(`${num(path[i] ?? 0)} ${num(path[i + 1] ?? 0)}`);
      }
      return `M${corners.join('L')}Z`;
    });
    this.#parts.push(`<path d="${d.join('')}" fill="${colour}"${this.#opacity()}/>`);
  }

  text(text: string, x: number, y: number, style: TextStyle): void {
    const anchor =
      style.align === 'middle'
        ? ' text-anchor="middle"'
        : style.align === 'right'
          ? ' text-anchor="end"'
          : '';
    const { turned = 0 } = style;
    const place =
      turned !== 0
        ? ` transform="translate(${num(x)} ${num(y)}) rotate(${num(turned)})"`
        : ` x="${num(x)}" y="${num(y)}"`;
    const rim =
      style.rim === undefined
        ? ''
        : ` stroke="${style.rim}" stroke-width="3" stroke-linejoin="round" paint-order="stroke"`;
    this.#parts.push(
      `<text${place} font-size="${num(style.font.size)}" font-weight="${String(style.font.weight)}" fill="${style.colour}"${anchor}${rim}${this.#opacity()}>${escapeXml(text)}</text>`,
    );
  }

  alpha(value: number): void {
    this.#alpha = value;
  }

  moved(dx: number, dy: number, inner: () => void): void {
    this.#parts.push(`<g transform="translate(${num(dx)} ${num(dy)})">`);
    inner();
    this.#parts.push('</g>');
  }

  clipped(
    x: number,
    y: number,
    width: number,
    height: number,
    radius: number,
    inner: () => void,
  ): void {
    this.#clips += 1;
    const id = `clip${String(this.#clips)}`;
    this.#parts.push(
      `<clipPath id="${id}"><rect x="${num(x)}" y="${num(y)}" width="${num(width)}" height="${num(height)}" rx="${num(radius)}"/></clipPath><g clip-path="url(#${id})">`,
    );
    inner();
    this.#parts.push('</g>');
  }

  // The document: the part of the plane with its corner at (x, y), `width` × `height` of its
  // pixels.
  document(title: string, x: number, y: number, width: number, height: number): string {
    const { background, fontFamily, hatch } = this.#look;
    const box = `${num(x)} ${num(y)} ${num(width)} ${num(height)}`;
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" viewBox="${box}" width="${num(width * this.zoom)}" height="${num(height * this.zoom)}" font-family="${escapeXml(fontFamily)}">`,
      `<title>${escapeXml(title)}</title>`,
      `<defs><pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="5" height="5" fill="${hatch.colour}"/><rect width="1.7" height="5" fill="${hatch.stripe}"/></pattern></defs>`,
      `<rect x="${num(x)}" y="${num(y)}" width="${num(width)}" height="${num(height)}" fill="${background}"/>`,
      ...this.#parts,
      '</svg>',
    ].join('\n');
  }
}
