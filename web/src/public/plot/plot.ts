// A chart's marks, in pixels, kept as a list: the screen and a saved file show the same strokes,
// and the mark under the pointer can be found.

import { bodyFont, fitName } from '../page/marks.ts';
import type { Palette } from '../page/palette.ts';
import type { LineStyle, Path, Pen, RectStyle } from './pen.ts';

// What a mark represents.
export interface Target {
  // The layer: hovering, selecting and the tooltip work as everywhere.
  readonly row?: number | undefined;
  // The lines of the tooltip, for a mark that is not a layer or instead of its layer's.
  readonly lines?: (() => readonly string[]) | undefined;
  // Instead of selecting the layer.
  readonly click?: () => void;
}

export interface MarkLook extends RectStyle {
  readonly opacity?: number;
}

export interface LineLook {
  readonly width?: number;
  readonly dash?: readonly number[];
}

export interface TextLook {
  readonly fill: string;
  readonly align?: 'left' | 'middle' | 'right';
  readonly weight?: 400 | 500 | 600;
  readonly size?: number;
  // A rim in this colour, for words that cross marks.
  readonly rim?: string;
  // Clockwise, in degrees.
  readonly turned?: number;
  // Cut in the middle if wider, in pixels.
  readonly room?: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

interface Area {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  // A circle inside.
  readonly isRound: boolean;
  // Outlined while its layer is hovered, here or elsewhere.
  readonly isSeen: boolean;
  readonly target: Target;
}

type Stroke = (pen: Pen) => void;

// From the baseline to the middle of the letters, as a fraction of the size.
const kMiddle = 0.35;

export class Plot {
  readonly palette: Palette;
  readonly width: number;
  readonly height: number;
  readonly #strokes: Stroke[] = [];
  readonly #areas: Area[] = [];

  constructor(palette: Palette, { width, height }: Size) {
    this.palette = palette;
    this.width = width;
    this.height = height;
  }

  // Corners in any order. With a target it reacts to the pointer.
  rect(x0: number, y0: number, x1: number, y1: number, look: MarkLook, target?: Target): void {
    const [left, top] = [Math.min(x0, x1), Math.min(y0, y1)];
    const [width, height] = [Math.abs(x1 - x0), Math.abs(y1 - y0)];
    this.#faded(look.opacity, (pen) => pen.rect(left, top, width, height, look));
    if (target !== undefined) this.#take(x0, y0, x1, y1, target, { isSeen: true });
  }

  circle(x: number, y: number, radius: number, look: MarkLook, target?: Target): void {
    this.#faded(look.opacity, (pen) => pen.circle(x, y, radius, look));
    if (target === undefined) return;
    const marks = { isRound: true, isSeen: true };
    this.#take(x - radius, y - radius, x + radius, y + radius, target, marks);
  }

  // x and y of its points, one after the other.
  line(points: Path, colour: string, { width = 1, dash }: LineLook = {}): void {
    const style: LineStyle = {
      colour,
      width,
      isSharp: true,
      ...(dash === undefined ? {} : { dash }),
    };
    if (points.length >= 4) this.paint((pen) => pen.lines([points], style));
  }

  // Closed and filled.
  shape(points: Path, colour: string, opacity?: number): void {
    this.#faded(opacity, (pen) => pen.shapes([points], colour));
  }

  // The middle of the line is at y.
  text(words: string, x: number, y: number, look: TextLook): void {
    const { fill: colour, size = 10, weight = 400, align, rim, room, turned = 0 } = look;
    const shown = room === undefined ? words : fitName(words, room, bodyFont(size, weight));
    const angle = (turned * Math.PI) / 180;
    const [dx, dy] = [-Math.sin(angle) * size * kMiddle, Math.cos(angle) * size * kMiddle];
    this.paint((pen) =>
      pen.text(shown, x + dx, y + dy, {
        font: { size, weight },
        colour,
        ...(align === undefined ? {} : { align }),
        ...(rim === undefined ? {} : { rim }),
        turned,
      }),
    );
  }

  // An invisible pointer target.
  hit(x0: number, y0: number, x1: number, y1: number, target: Target): void {
    this.#take(x0, y0, x1, y1, target, {});
  }

  // Draws with the pen itself.
  paint(stroke: Stroke): void {
    this.#strokes.push(stroke);
  }

  replay(pen: Pen): void {
    for (const stroke of this.#strokes) stroke(pen);
  }

  // The topmost mark at a point.
  at(x: number, y: number): Target | null {
    return this.#areas.findLast((area) => contains(area, x, y))?.target ?? null;
  }

  // Outlines the marks of a layer.
  outline(pen: Pen, row: number): void {
    const stroke = this.palette.ui('selb');
    for (const { x0, y0, x1, y1, isRound, isSeen, target } of this.#areas) {
      if (!isSeen || target.row !== row) continue;
      if (isRound)
        pen.circle((x0 + x1) / 2, (y0 + y1) / 2, (x1 - x0) / 2 + 1.5, { stroke, width: 2 });
      else pen.rect(x0, y0, Math.max(1, x1 - x0), Math.max(1, y1 - y0), { stroke });
    }
  }

  #faded(opacity: number | undefined, stroke: Stroke): void {
    if (opacity === undefined || opacity === 1) this.paint(stroke);
    else {
      this.paint((pen) => {
        pen.alpha(opacity);
        stroke(pen);
        pen.alpha(1);
      });
    }
  }

  #take(
    x0: number,
    y0: number,
    x1: number,
    y1: number,
    target: Target,
    { isRound = false, isSeen = false },
  ): void {
    this.#areas.push({
      x0: Math.min(x0, x1),
      y0: Math.min(y0, y1),
      x1: Math.max(x0, x1),
      y1: Math.max(y0, y1),
      isRound,
      isSeen,
      target,
    });
  }
}

function contains({ x0, y0, x1, y1, isRound }: Area, x: number, y: number): boolean {
  if (isRound) return Math.hypot(x - (x0 + x1) / 2, y - (y0 + y1) / 2) <= (x1 - x0) / 2 + 1;
  return x >= x0 && x <= x1 && y >= y0 && y <= y1;
}
