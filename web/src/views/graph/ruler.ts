// The ruler at the left: number of each layer and the time that has passed after it.

import { bodyFont, fixed, textWidth, type Palette, type Store } from '../../public/index.ts';
import { type Camera, kNone, type Bounds, type Scene } from '../../public/drawing.ts';

export const kRulerWidth = 86;
const kHead = 16;
const kNumberRight = 26;
const kTimeRight = 78;
const kMinGap = 14;
const kMaxMarks = 400;

export class Ruler {
  // Time after each layer, by row; NaN for rows that do no work.
  readonly #after: Float64Array;
  readonly #hasTimes: boolean;

  constructor(store: Store) {
    const { engine } = store;
    const times = engine.times(store.basis);
    this.#hasTimes = engine.hasTimes;
    this.#after = new Float64Array(engine.layers.rowCount).fill(Number.NaN);
    let sum = 0;
    for (const row of engine.workRows) {
      const time = times[row] ?? Number.NaN;
      if (!Number.isNaN(time)) sum += time;
      this.#after[row] = sum;
    }
  }

  // The last layer of a box, or null.
  #lastRow(scene: Scene, index: number): number | null {
    const box = scene.graph.boxes[index];
    if (box === undefined) return null;
    if (box.group === kNone) return scene.maker.rowOf(box.node);
    return scene.maker.figures(box.group).rows.at(-1) ?? null;
  }

  draw(
    g: CanvasRenderingContext2D,
    scene: Scene,
    camera: Camera,
    bounds: Bounds,
    height: number,
    palette: Palette,
  ): void {
    g.fillStyle = palette.ui('bg');
    g.fillRect(0, 0, kRulerWidth, height);
    g.fillStyle = palette.ui('line');
    g.fillRect(kRulerWidth - 1, 0, 1, height);
    g.font = bodyFont(11);
    g.textAlign = 'right';
    g.textBaseline = 'alphabetic';
    g.fillStyle = palette.ui('ink3');
    for (const { y, row } of this.#marks(scene, camera, bounds)) {
      g.fillText(numberText(String(scene.engine.layerId(row))), kNumberRight, y + 4);
      const after = this.#after[row] ?? Number.NaN;
      if (this.#hasTimes && !Number.isNaN(after)) g.fillText(fixed(after, 3), kTimeRight, y + 4);
    }
    g.fillStyle = palette.ui('bg');
    g.fillRect(0, 0, kRulerWidth - 1, kHead);
    g.fillStyle = palette.ui('ink3');
    g.fillText('#', kNumberRight, 12);
    if (this.#hasTimes) g.fillText('Σ ms', kTimeRight, 12);
  }

  // Those that have room, from above.
  #marks(
    scene: Scene,
    camera: Camera,
    bounds: Bounds,
  ): readonly { readonly y: number; readonly row: number }[] {
    const wide = { ...bounds, x0: -1e12, x1: 1e12 };
    const found = scene.placed.boxGrid.query(wide);
    const step = Math.max(1, Math.ceil(found.length / kMaxMarks));
    const marks: { y: number; row: number }[] = [];
    let last = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < found.length; i += step) {
      const box = found[i] ?? 0;
      const row = this.#lastRow(scene, box);
      if (row === null) continue;
      const rect = scene.placed.box(box);
      const y = (rect.y + rect.height / 2 - camera.y) * camera.zoom;
      if (y < kHead + 6 || y < last + kMinGap) continue;
      last = y;
      marks.push({ y, row });
    }
    return marks;
  }
}

// Six digits do not fit before the times.
function numberText(text: string): string {
  return textWidth(text, bodyFont(11)) <= kNumberRight ? text : `…${text.slice(-3)}`;
}
