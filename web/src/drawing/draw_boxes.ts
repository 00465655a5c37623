// Boxes, at each level of detail.

import { bodyFont, textWidth, type Palette } from '../public/index.ts';
import type { BoxFacts } from './box_facts.ts';
import { detailOf, kMinText, kSmallText, type Detail } from './camera.ts';
import type { BoxPaint, Paint } from './paint.ts';
import { kHatchFill, type Font, type Pen } from '../public/plot/pen.ts';
import type { Rect, Scene } from './scene.ts';

const kName: Font = { size: 12, weight: 600 };
const kPlain: Font = { size: 12, weight: 400 };
const kSmall: Font = { size: kSmallText, weight: 400 };
const kSmallBold: Font = { size: kSmallText, weight: 600 };
const kStrip = 5;
const kPillHead = 26;
const kBar = { width: 76, height: 5, right: 9 } as const;
const kSign = 14;

export interface BoxLook {
  readonly palette: Palette;
  readonly paint: Paint;
  readonly isSelected: boolean;
  readonly isHovered: boolean;
}

interface Drawing extends BoxLook {
  readonly pen: Pen;
  readonly scene: Scene;
  readonly rect: Rect;
  readonly facts: BoxFacts;
  readonly colours: BoxPaint;
}

const widthOf = (text: string, font: Font): number =>
  textWidth(text, bodyFont(font.size, font.weight));

function cut(drawing: Drawing, text: string, width: number, font: Font): string {
  return drawing.scene.cut(text, Math.max(0, width), bodyFont(font.size, font.weight));
}

function frameOf({ palette, isSelected, isHovered, colours }: Drawing): {
  readonly fill: string;
  readonly stroke: string;
  readonly width: number;
} {
  if (isSelected) return { fill: palette.ui('sel'), stroke: palette.ui('selb'), width: 2 };
  const stroke = isHovered ? palette.ui('ink2') : palette.ui('line2');
  return { fill: colours.body, stroke, width: isHovered ? 1.5 : 1 };
}

function inks({ palette, isSelected, colours }: Drawing): readonly [string, string] {
  return isSelected ? [palette.ui('ink'), palette.ui('ink2')] : [colours.ink, colours.ink2];
}

function warning({ pen, palette, colours, isSelected }: Drawing, x: number, y: number): void {
  // On a fill of another colour the sign is drawn in the ink of its text.
  const isPlain = isSelected || colours.body === palette.ui('bg');
  pen.lines([[x, y, x + 5, y - 9.5, x + 10, y, x, y, x + 5, y - 9.5]], {
    colour: isPlain ? palette.ui('warning') : colours.ink,
    width: 1.4,
    isSharp: true,
  });
}

function drawLayer(drawing: Drawing): void {
  const { pen, rect, facts, colours, paint, palette } = drawing;
  const { x, y, width, height } = rect;
  pen.rect(x, y, width, height, { ...frameOf(drawing), radius: 3 });
  if (colours.strip !== null) pen.rect(x, y, kStrip, height, { fill: colours.strip });
  const [ink, ink2] = inks(drawing);
  const right = x + width - kBar.right;
  const timeWidth = facts.time === '' ? 0 : widthOf(facts.time, kName);
  pen.text(facts.time, right, y + 14, { font: kName, colour: ink, align: 'right' });
  let room = width - 13 - kBar.right - timeWidth - 8;
  if (facts.gravest !== null) {
    const at = Math.min(right - timeWidth - kSign - 4, right - kBar.width - 2);
    warning(drawing, at, y + 14.5);
    room = at - x - 13 - 4;
  }
  pen.text(cut(drawing, facts.title, room, kName), x + 13, y + 14, { font: kName, colour: ink });
  const below = width - 13 - kBar.right - kBar.width - 8;
  const precision = facts.precision === '' ? '' : ` · ${facts.precision}`;
  const precisionWidth = widthOf(precision, kSmall);
  const kind = cut(drawing, facts.kind, below - precisionWidth, kSmall);
  pen.text(kind, x + 13, y + 27, { font: kSmall, colour: ink2 });
  if (precision !== '') {
    const at = x + 13 + widthOf(kind, kSmall);
    const tone = ink2 === palette.ui('ink3') ? palette.ui('ink2') : ink2;
    pen.text(precision, at, y + 27, { font: kSmall, colour: tone });
  }
  if (Number.isNaN(facts.ratio)) return;
  pen.rect(right - kBar.width, y + 21, kBar.width, kBar.height, { fill: palette.ui('s2') });
  pen.rect(right - kBar.width, y + 21, Math.max(0.6, kBar.width * facts.ratio), kBar.height, {
    fill: paint.family(facts.family),
  });
}

function drawPill(drawing: Drawing): void {
  const { pen, rect, facts, palette } = drawing;
  const { x, y, width, height } = rect;
  const radius = height / 2;
  const { fill, stroke } = frameOf(drawing);
  const border = drawing.isSelected ? stroke : palette.family('reformat');
  pen.rect(x, y, width, height, { fill, radius });
  pen.clipped(x, y, width, height, radius, () =>
    pen.rect(x, y, kPillHead, height, { fill: kHatchFill }),
  );
  pen.rect(x, y, width, height, { stroke: border, width: drawing.isSelected ? 2 : 1.5, radius });
  const [ink, ink2] = inks(drawing);
  const base = y + height / 2 + 4;
  const right = x + width - 11;
  const timeWidth = facts.time === '' ? 0 : widthOf(facts.time, kName);
  pen.text(facts.time, right, base, { font: kName, colour: ink, align: 'right' });
  const left = x + kPillHead + 7;
  const precision = facts.precision === '' ? facts.kind : facts.precision;
  const room = right - timeWidth - left - 8;
  const first = cut(drawing, precision, room, kSmallBold);
  pen.text(first, left, base, { font: kSmallBold, colour: ink });
  const rest = room - widthOf(first, kSmallBold) - 6;
  // A few letters of a name say nothing.
  if (rest < 30) return;
  pen.text(cut(drawing, facts.title, rest, kSmall), right - timeWidth - 8 - rest, base, {
    font: kSmall,
    colour: ink2,
  });
}

function drawTensor(drawing: Drawing): void {
  const { pen, rect, facts, palette, paint } = drawing;
  const { x, y, width, height } = rect;
  const isBinding = facts.shape === 'binding';
  const { fill, stroke, width: line } = frameOf(drawing);
  const precision = facts.precision === '' ? palette.ui('ink3') : paint.precision(facts.precision);
  pen.rect(x, y, width, height, {
    fill: isBinding || drawing.isSelected ? fill : palette.ui('s2'),
    stroke: drawing.isSelected ? stroke : isBinding ? precision : palette.ui('line2'),
    width: isBinding ? Math.max(1.5, line) : line,
    radius: isBinding ? height / 2 : 2,
  });
  // Memory stands on a line in the colour of what is in it.
  if (facts.shape === 'memory') pen.rect(x, y + height - 3, width, 3, { fill: precision });
  const [ink, ink2] = inks(drawing);
  const use = facts.kind === '' ? '' : ` ${facts.kind}`;
  const useWidth = use === '' ? 0 : widthOf(use, kSmall);
  const name = cut(drawing, facts.title, width - 20 - useWidth, kPlain);
  const nameWidth = widthOf(name, kPlain);
  const left = x + (width - nameWidth - useWidth) / 2;
  const base = y + height / 2 + (facts.shape === 'memory' ? 3 : 4);
  pen.text(name, left, base, { font: kPlain, colour: ink });
  if (use !== '') pen.text(use, left + nameWidth, base, { font: kSmall, colour: ink2 });
}

function drawOperation(drawing: Drawing): void {
  const { pen, rect, facts } = drawing;
  const { x, y, width, height } = rect;
  pen.rect(x, y, width, height, { ...frameOf(drawing), radius: 3 });
  const [ink, ink2] = inks(drawing);
  const isTyped = facts.kind !== '';
  const base = isTyped ? y + 14 : y + height / 2 + 4;
  const room = width - 20 - (facts.time === '' ? 0 : widthOf(facts.time, kName) + 8);
  const title = cut(drawing, isTyped ? facts.kind : facts.title, room, kName);
  pen.text(title, x + 10, base, { font: kName, colour: ink });
  pen.text(facts.time, x + width - 10, base, { font: kName, colour: ink, align: 'right' });
  if (!isTyped) return;
  const name = cut(drawing, facts.title, width - 20, kSmall);
  pen.text(name, x + 10, y + 27, { font: kSmall, colour: ink2 });
}

function drawGroup(drawing: Drawing): void {
  const { pen, rect, facts, palette, paint } = drawing;
  const { x, y, width, height } = rect;
  const style = frameOf(drawing);
  // A pile: there is more below.
  for (const step of [6, 3]) {
    pen.rect(x + step, y + step, width - step, height - step, {
      fill: palette.ui('s1'),
      stroke: palette.ui('line2'),
      radius: 3,
    });
  }
  const [w, h] = [width - 6, height - 6];
  pen.rect(x, y, w, h, { ...style, radius: 3 });
  const [ink, ink2] = inks(drawing);
  const right = x + w - kBar.right;
  const timeWidth = facts.time === '' ? 0 : widthOf(facts.time, kName);
  pen.text(facts.time, right, y + 14, { font: kName, colour: ink, align: 'right' });
  foldMark(pen, x + 9, y + 5, ink2, true);
  const title = cut(drawing, facts.title, w - 24 - kBar.right - timeWidth - 8, kName);
  pen.text(title, x + 24, y + 14, { font: kName, colour: ink });
  pen.text(facts.kind, x + 24, y + 28, { font: kSmall, colour: ink2 });
  for (const [i, line] of facts.lines.entries()) {
    const text = cut(drawing, line, w - 32, kSmall);
    pen.text(text, x + 24, y + 42 + 14 * i, { font: kSmall, colour: ink2 });
  }
  let at = right - kBar.width;
  for (const [family, part] of facts.parts) {
    pen.rect(at, y + 21, kBar.width * part, kBar.height, { fill: paint.family(family) });
    at += kBar.width * part;
  }
}

// A box with a plus, or with a minus: folded, or open.
export function foldMark(pen: Pen, x: number, y: number, colour: string, isFolded: boolean): void {
  const size = 9;
  const middle = size / 2;
  pen.rect(x, y, size, size, { stroke: colour, width: 1, radius: 1.5 });
  const strokes = [[x + 2, y + middle, x + size - 2, y + middle]];
  if (isFolded) strokes.push([x + middle, y + 2, x + middle, y + size - 2]);
  pen.lines(strokes, { colour, width: 1 });
}

// One line, as large on screen as text must be at least.
function drawBrief(drawing: Drawing): void {
  const { pen, rect, facts, colours, scene, palette } = drawing;
  const { x, y, width, height } = rect;
  const style = frameOf(drawing);
  const isRound = facts.shape === 'pill' || facts.shape === 'binding';
  pen.rect(x, y, width, height, { ...style, radius: isRound ? height / 2 : 3 });
  const strip = kStrip / Math.min(1, pen.zoom * 1.5);
  if (facts.shape === 'pill') {
    pen.clipped(x, y, width, height, height / 2, () =>
      pen.rect(x, y, kPillHead, height, { fill: kHatchFill }),
    );
  } else if (colours.strip !== null) pen.rect(x, y, strip, height, { fill: colours.strip });
  const [ink] = inks(drawing);
  const font: Font = { size: kMinText / pen.zoom, weight: 500 };
  // Measured in the size on screen: the same for every zoom.
  const onScreen = bodyFont(kMinText, 500);
  const timeWidth = facts.time === '' ? 0 : textWidth(facts.time, onScreen);
  const room = width * pen.zoom - (facts.shape === 'pill' ? kPillHead * pen.zoom : 8) - 12;
  const text = facts.shape === 'pill' && facts.precision !== '' ? facts.precision : facts.title;
  const base = y + height / 2 + (kMinText * 0.36) / pen.zoom;
  const gap = 6 / pen.zoom;
  const left = x + (facts.shape === 'pill' ? kPillHead : strip) + gap;
  const showsTime = timeWidth > 0 && timeWidth < room * 0.7;
  // Cut in steps of 8 pixels, so that zooming finds most of them cut already.
  const textRoom = Math.floor((room - (showsTime ? timeWidth + 6 : 0)) / 8) * 8;
  if (textRoom > 24) {
    pen.text(scene.cut(text, textRoom, onScreen), left, base, { font, colour: ink });
  }
  if (showsTime) {
    pen.text(facts.time, x + width - gap, base, { font, colour: ink, align: 'right' });
  }
  if (drawing.isSelected) outline(pen, rect, palette);
}

function outline(pen: Pen, { x, y, width, height }: Rect, palette: Palette): void {
  const gap = 1.5 / pen.zoom;
  pen.rect(x - gap, y - gap, width + 2 * gap, height + 2 * gap, {
    stroke: palette.ui('selb'),
    width: 2 / pen.zoom,
  });
}

function drawSmall(drawing: Drawing): void {
  const { pen, rect, facts, colours, palette } = drawing;
  const { x, y, width } = rect;
  // Less than a pixel high would be a pale nothing.
  const height = Math.max(rect.height, 1 / pen.zoom);
  if (facts.shape === 'group' && facts.parts.length > 0 && drawing.paint.mode === 'type') {
    pen.rect(x, y, width, height, { fill: palette.ui('s2') });
    let at = x;
    for (const [family, part] of facts.parts) {
      pen.rect(at, y, width * part, height, { fill: drawing.paint.family(family) });
      at += width * part;
    }
  } else if (colours.strip === null) {
    pen.rect(x, y, width, height, { stroke: palette.ui('line2') });
  } else pen.rect(x, y, width, height, { fill: colours.strip });
  if (drawing.isSelected) outline(pen, rect, palette);
}

const kFull: Readonly<Record<BoxFacts['shape'], (drawing: Drawing) => void>> = {
  layer: drawLayer,
  pill: drawPill,
  binding: drawTensor,
  memory: drawTensor,
  constant: drawTensor,
  operation: drawOperation,
  group: drawGroup,
};

export function drawBox(pen: Pen, scene: Scene, index: number, look: BoxLook): void {
  const rect = scene.placed.box(index);
  const facts = scene.facts(index);
  const colours = look.paint.box(scene, index, facts);
  const drawing: Drawing = { ...look, pen, scene, rect, facts, colours };
  const detail: Detail = detailOf(pen.zoom, rect.height);
  if (detail === 'full') kFull[facts.shape](drawing);
  else if (detail === 'brief') drawBrief(drawing);
  else drawSmall(drawing);
}
