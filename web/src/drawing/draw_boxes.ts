// Boxes, at each level of detail.

import type { Palette } from '../public/index.ts';
import type { BoxFacts } from './box_facts.ts';
import { detailOf, kMinText } from './camera.ts';
import { kName, kPlain, kSmall, kSmallBold, widthOf } from './fonts.ts';
import type { BoxPaint, Paint } from './paint.ts';
import { kHatchFill, type Font, type Pen } from '../public/plot/pen.ts';
import type { Rect, Scene } from './scene.ts';

const kStrip = 5;
const kPillHead = 26;
const kBar = { width: 76, height: 5, right: 9 } as const;
const kSign = 14;

export interface BoxLook {
  readonly paint: Paint;
  readonly isSelected: boolean;
  readonly isHovered: boolean;
}

type BoxStyle = Readonly<Record<'fill' | 'stroke', string>> & { readonly width: number };

interface Drawing extends BoxLook, Rect {
  readonly pen: Pen;
  readonly palette: Palette;
  readonly scene: Scene;
  readonly facts: BoxFacts;
  readonly colours: BoxPaint;
  // The style of the box, and the ink of its first line and of the others.
  readonly style: BoxStyle;
  readonly ink: string;
  readonly ink2: string;
}

function styleOf({ paint, isSelected, isHovered }: BoxLook, colours: BoxPaint): BoxStyle {
  const { palette } = paint;
  if (isSelected) return { fill: palette.ui('sel'), stroke: palette.ui('selb'), width: 2 };
  const stroke = palette.ui(isHovered ? 'ink2' : 'line2');
  return { fill: colours.body, stroke, width: isHovered ? 1.5 : 1 };
}

// As much of a text as fits.
function write(
  { pen, scene }: Drawing,
  text: string,
  [x, y]: readonly [number, number],
  font: Font,
  colour: string,
  room: number,
): void {
  pen.text(scene.cut(text, room, font), x, y, { font, colour });
}

// The time, right-aligned at `right`. Returns its width.
function writeTime({ pen, facts, ink }: Drawing, right: number, base: number): number {
  pen.text(facts.time, right, base, { font: kName, colour: ink, align: 'right' });
  return facts.time === '' ? 0 : widthOf(facts.time, kName);
}

// The breakdown of the time.
function drawParts({ pen, facts, paint }: Drawing, { x, y, width, height }: Rect): void {
  let at = x;
  for (const [family, part] of facts.parts) {
    pen.rect(at, y, width * part, height, { fill: paint.family(family) });
    at += width * part;
  }
}

function warning(drawing: Drawing, x: number, y: number): void {
  const { pen, palette, colours, isSelected, ink } = drawing;
  // On a coloured fill the sign is drawn in the ink of the text.
  const isPlain = isSelected || colours.body === palette.ui('bg');
  pen.lines([[x, y, x + 5, y - 9.5, x + 10, y, x, y, x + 5, y - 9.5]], {
    colour: isPlain ? palette.ui('warning') : ink,
    width: 1.4,
    isSharp: true,
  });
}

function drawLayer(drawing: Drawing): void {
  const { pen, scene, facts, colours, paint, palette, ink, ink2, x, y, width, height } = drawing;
  pen.rect(x, y, width, height, { ...drawing.style, radius: 3 });
  if (colours.strip !== null) pen.rect(x, y, kStrip, height, { fill: colours.strip });
  const right = x + width - kBar.right;
  const timeWidth = writeTime(drawing, right, y + 14);
  let room = width - 13 - kBar.right - timeWidth - 8;
  if (facts.gravest !== null) {
    const at = Math.min(right - timeWidth - kSign - 4, right - kBar.width - 2);
    warning(drawing, at, y + 14.5);
    room = at - x - 13 - 4;
  }
  write(drawing, facts.title, [x + 13, y + 14], kName, ink, room);
  const below = width - 13 - kBar.right - kBar.width - 8;
  const precision = facts.precision === '' ? '' : ` · ${facts.precision}`;
  const kind = scene.cut(facts.kind, below - widthOf(precision, kSmall), kSmall);
  pen.text(kind, x + 13, y + 27, { font: kSmall, colour: ink2 });
  const tone = ink2 === palette.ui('ink3') ? palette.ui('ink2') : ink2;
  const at = x + 13 + widthOf(kind, kSmall);
  if (precision !== '') pen.text(precision, at, y + 27, { font: kSmall, colour: tone });
  if (Number.isNaN(facts.ratio)) return;
  const left = right - kBar.width;
  const time = Math.max(0.6, kBar.width * facts.ratio);
  pen.rect(left, y + 21, kBar.width, kBar.height, { fill: palette.ui('s2') });
  pen.rect(left, y + 21, time, kBar.height, { fill: paint.family(facts.family) });
}

function hatchedHead({ pen, x, y, width, height }: Drawing): void {
  pen.clipped(x, y, width, height, height / 2, () =>
    pen.rect(x, y, kPillHead, height, { fill: kHatchFill }),
  );
}

function drawPill(drawing: Drawing): void {
  const { pen, scene, facts, palette, isSelected, style, ink, ink2 } = drawing;
  const { x, y, width, height } = drawing;
  const radius = height / 2;
  pen.rect(x, y, width, height, { fill: style.fill, radius });
  hatchedHead(drawing);
  const stroke = isSelected ? style.stroke : palette.family('reformat');
  pen.rect(x, y, width, height, { stroke, width: isSelected ? 2 : 1.5, radius });
  const base = y + height / 2 + 4;
  const end = x + width - 11 - writeTime(drawing, x + width - 11, base) - 8;
  const left = x + kPillHead + 7;
  const first = scene.cut(facts.precision || facts.kind, end - left, kSmallBold);
  pen.text(first, left, base, { font: kSmallBold, colour: ink });
  const rest = end - left - widthOf(first, kSmallBold) - 6;
  // A few letters of a name are no help.
  if (rest >= 30) write(drawing, facts.title, [end - rest, base], kSmall, ink2, rest);
}

function drawTensor(drawing: Drawing): void {
  const { pen, scene, facts, palette, paint, isSelected, style, ink, ink2 } = drawing;
  const { x, y, width, height } = drawing;
  const isBinding = facts.shape === 'binding';
  const precision = facts.precision === '' ? palette.ui('ink3') : paint.precision(facts.precision);
  const border = isBinding ? precision : palette.ui('line2');
  pen.rect(x, y, width, height, {
    fill: isBinding || isSelected ? style.fill : palette.ui('s2'),
    stroke: isSelected ? style.stroke : border,
    width: Math.max(isBinding ? 1.5 : 1, style.width),
    radius: isBinding ? height / 2 : 2,
  });
  // Memory has a base line in the colour of its contents' type.
  if (facts.shape === 'memory') pen.rect(x, y + height - 3, width, 3, { fill: precision });
  const use = facts.kind === '' ? '' : ` ${facts.kind}`;
  const useWidth = use === '' ? 0 : widthOf(use, kSmall);
  const name = scene.cut(facts.title, width - 20 - useWidth, kPlain);
  const nameWidth = widthOf(name, kPlain);
  const left = x + (width - nameWidth - useWidth) / 2;
  const base = y + height / 2 + (facts.shape === 'memory' ? 3 : 4);
  pen.text(name, left, base, { font: kPlain, colour: ink });
  if (use !== '') pen.text(use, left + nameWidth, base, { font: kSmall, colour: ink2 });
}

function drawOperation(drawing: Drawing): void {
  const { pen, facts, style, ink, ink2, x, y, width, height } = drawing;
  pen.rect(x, y, width, height, { ...style, radius: 3 });
  const isTyped = facts.kind !== '';
  const base = isTyped ? y + 14 : y + height / 2 + 4;
  const timeWidth = writeTime(drawing, x + width - 10, base);
  const room = width - 20 - (timeWidth === 0 ? 0 : timeWidth + 8);
  write(drawing, facts.kind || facts.title, [x + 10, base], kName, ink, room);
  if (isTyped) write(drawing, facts.title, [x + 10, y + 27], kSmall, ink2, width - 20);
}

function drawGroup(drawing: Drawing): void {
  const { pen, facts, palette, style, ink, ink2, x, y, width, height } = drawing;
  // A pile: there is more inside.
  for (const step of [6, 3]) {
    pen.rect(x + step, y + step, width - step, height - step, {
      fill: palette.ui('s1'),
      stroke: palette.ui('line2'),
      radius: 3,
    });
  }
  const w = width - 6;
  pen.rect(x, y, w, height - 6, { ...style, radius: 3 });
  const right = x + w - kBar.right;
  const room = w - 24 - kBar.right - writeTime(drawing, right, y + 14) - 8;
  foldMark(pen, x + 9, y + 5, ink2, true);
  write(drawing, facts.title, [x + 24, y + 14], kName, ink, room);
  pen.text(facts.kind, x + 24, y + 28, { font: kSmall, colour: ink2 });
  for (const [i, line] of facts.lines.entries()) {
    write(drawing, line, [x + 24, y + 42 + 14 * i], kSmall, ink2, w - 32);
  }
  drawParts(drawing, { ...kBar, x: right - kBar.width, y: y + 21 });
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

// One line at the smallest readable size on screen.
function drawBrief(drawing: Drawing): void {
  const { pen, facts, colours, scene, style, ink, x, y, width, height } = drawing;
  const isPill = facts.shape === 'pill';
  const isRound = isPill || facts.shape === 'binding';
  pen.rect(x, y, width, height, { ...style, radius: isRound ? height / 2 : 3 });
  const strip = kStrip / Math.min(1, pen.zoom * 1.5);
  if (isPill) hatchedHead(drawing);
  else if (colours.strip !== null) pen.rect(x, y, strip, height, { fill: colours.strip });
  const font: Font = { size: kMinText / pen.zoom, weight: 500 };
  // Measured at the size on screen: the same for every zoom.
  const onScreen: Font = { size: kMinText, weight: 500 };
  const timeWidth = facts.time === '' ? 0 : widthOf(facts.time, onScreen);
  const room = width * pen.zoom - (isPill ? kPillHead * pen.zoom : 8) - 12;
  const text = isPill && facts.precision !== '' ? facts.precision : facts.title;
  const base = y + height / 2 + (kMinText * 0.36) / pen.zoom;
  const gap = 6 / pen.zoom;
  const left = x + (isPill ? kPillHead : strip) + gap;
  const showsTime = timeWidth > 0 && timeWidth < room * 0.7;
  // Cut in steps of 8 pixels, so that most cuts are cached while zooming.
  const textRoom = Math.floor((room - (showsTime ? timeWidth + 6 : 0)) / 8) * 8;
  if (textRoom > 24) {
    pen.text(scene.cut(text, textRoom, onScreen), left, base, { font, colour: ink });
  }
  if (showsTime) {
    pen.text(facts.time, x + width - gap, base, { font, colour: ink, align: 'right' });
  }
  outline(drawing);
}

function outline({ pen, palette, isSelected, x, y, width, height }: Drawing): void {
  if (!isSelected) return;
  const gap = 1.5 / pen.zoom;
  pen.rect(x - gap, y - gap, width + 2 * gap, height + 2 * gap, {
    stroke: palette.ui('selb'),
    width: 2 / pen.zoom,
  });
}

function drawSmall(drawing: Drawing): void {
  const { pen, facts, colours, palette, x, y, width } = drawing;
  // Less than a pixel high, it would be a pale smear.
  const height = Math.max(drawing.height, 1 / pen.zoom);
  if (facts.shape === 'group' && facts.parts.length > 0 && drawing.paint.mode === 'type') {
    pen.rect(x, y, width, height, { fill: palette.ui('s2') });
    drawParts(drawing, { x, y, width, height });
  } else if (colours.strip === null) {
    pen.rect(x, y, width, height, { stroke: palette.ui('line2') });
  } else pen.rect(x, y, width, height, { fill: colours.strip });
  outline(drawing);
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

export function drawBox(pen: Pen, index: number, look: BoxLook): void {
  const { paint, isSelected } = look;
  const { scene, palette } = paint;
  const rect = scene.placed.box(index);
  const facts = scene.facts(index);
  const colours = paint.box(index);
  const drawing: Drawing = {
    ...look,
    ...rect,
    pen,
    palette,
    scene,
    facts,
    colours,
    style: styleOf(look, colours),
    ink: isSelected ? palette.ui('ink') : colours.ink,
    ink2: isSelected ? palette.ui('ink2') : colours.ink2,
  };
  const detail = detailOf(pen.zoom, rect.height);
  if (detail === 'full') kFull[facts.shape](drawing);
  else if (detail === 'brief') drawBrief(drawing);
  else drawSmall(drawing);
}
