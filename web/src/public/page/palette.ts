// The colours of the theme on screen, for canvases, which cannot read style sheets.

import { inkOn, parseHex } from '../../base/colour.ts';
import {
  kFamilyColours,
  kHatch,
  kHeatColours,
  kPrecisionColours,
  kTrexFamilyColours,
  kTrexPrecisionColours,
  kUiColours,
  precisionKey,
  type FamilyKey,
  type ThemeName,
  type UiColour,
} from '../../base/tokens.ts';

export type PaletteName = 'planex' | 'trex';

export class Palette {
  readonly theme: ThemeName;
  readonly #hatches = new Map<number, HTMLCanvasElement>();

  readonly #name: PaletteName;

  constructor(theme: ThemeName, name: PaletteName = 'planex') {
    this.theme = theme;
    this.#name = name;
  }

  ui(colour: UiColour): string {
    return kUiColours[this.theme][colour];
  }

  family(family: FamilyKey): string {
    return (this.#name === 'trex' ? kTrexFamilyColours : kFamilyColours[this.theme])[family];
  }

  // Null for an unknown precision: drawn as an outline.
  precision(precision: string | null): string | null {
    const key = precisionKey(precision);
    if (key === 'unknown') return null;
    return (this.#name === 'trex' ? kTrexPrecisionColours : kPrecisionColours[this.theme])[key];
  }

  // 0 is the coldest of six.
  heat(step: number): string {
    const steps = kHeatColours[this.theme];
    return steps[Math.min(steps.length - 1, Math.max(0, step))] ?? '';
  }

  // Between the six steps, from 0 to 1: for fields in which neighbours must be told apart.
  heatAt(ratio: number): string {
    const steps = kHeatColours[this.theme];
    const at = Math.min(1, Math.max(0, ratio)) * (steps.length - 1);
    const step = Math.min(steps.length - 2, Math.floor(at));
    const [from, to] = [parseHex(steps[step] ?? ''), parseHex(steps[step + 1] ?? '')];
    const parts = from.map((value, i) =>
      Math.round(value + ((to[i] ?? value) - value) * (at - step)),
    );
    return `rgb(${parts.join(', ')})`;
  }

  // The ink for text in a fill, or null if it belongs next to it.
  inkOn(fill: string): string | null {
    return inkOn(fill, this.ui('ink'), this.ui('bg'));
  }

  // One tile of the reformat hatch, at `scale` device pixels per pixel. A 45 degree stripe with a
  // pitch of p repeats every p·√2 along the axes, so the tile is rounded to whole device pixels.
  hatchTile(scale: number): HTMLCanvasElement {
    const known = this.#hatches.get(scale);
    if (known !== undefined) return known;
    const size = Math.max(4, Math.round(kHatch.pitchPx * Math.SQRT2 * scale));
    const tile = document.createElement('canvas');
    tile.width = size;
    tile.height = size;
    const g = tile.getContext('2d');
    if (g !== null) {
      g.fillStyle = this.family('reformat');
      g.fillRect(0, 0, size, size);
      g.strokeStyle = this.ui('bg');
      g.lineWidth = kHatch.strokePx * scale;
      g.beginPath();
      for (const shift of [-size, 0, size]) {
        g.moveTo(shift - 1, size + 1);
        g.lineTo(shift + size + 1, -1);
      }
      g.stroke();
    }
    this.#hatches.set(scale, tile);
    return tile;
  }

  // The hatch of reformats on a canvas whose transform is scaled by `scale`.
  hatch(g: CanvasRenderingContext2D, scale: number): string | CanvasPattern {
    const pattern = g.createPattern(this.hatchTile(scale), 'repeat');
    pattern?.setTransform(new DOMMatrix().scale(1 / scale));
    return pattern ?? this.family('reformat');
  }
}
