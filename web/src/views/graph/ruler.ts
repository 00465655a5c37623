// The ruler at the left: the number of each layer and the time that has passed after it.

import { bodyFont, fixed, isNumber, textWidth, type Store } from '../../public/index.ts';
import type { Bounds, Camera, Paint } from '../../drawing/index.ts';

export const kRulerWidth = 86;
const kHead = 16;
const kNumberRight = 26;
const kTimeRight = 78;
const kMinGap = 14;
const kMaxMarks = 400;

// Time after each layer, by row; NaN for rows that do no work.
function timesAfter({ engine, basis }: Store): Float64Array {
  const times = engine.times(basis);
  const after = new Float64Array(engine.layers.rowCount).fill(Number.NaN);
  let sum = 0;
  for (const row of engine.workRows) {
    const time = times[row];
    if (isNumber(time)) sum += time;
    after[row] = sum;
  }
  return after;
}

export class Ruler {
  readonly #after: Float64Array;
  readonly #hasTimes: boolean;
  readonly #paint: Paint;

  constructor(store: Store, paint: Paint) {
    this.#after = timesAfter(store);
    this.#hasTimes = store.engine.hasTimes;
    this.#paint = paint;
  }

  draw(g: CanvasRenderingContext2D, camera: Camera, bounds: Bounds, height: number): void {
    const { palette, scene } = this.#paint;
    g.fillStyle = palette.ui('bg');
    g.fillRect(0, 0, kRulerWidth, height);
    g.fillStyle = palette.ui('line');
    g.fillRect(kRulerWidth - 1, 0, 1, height);
    g.font = bodyFont(11);
    g.textAlign = 'right';
    g.textBaseline = 'alphabetic';
    g.fillStyle = palette.ui('ink3');
    for (const { y, row } of this.#marks(camera, bounds)) {
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

  // The last layers of the boxes that have room, from the top.
  #marks(camera: Camera, bounds: Bounds): readonly { readonly y: number; readonly row: number }[] {
    const { scene } = this.#paint;
    const found = scene.placed.boxGrid.query({ ...bounds, x0: -1e12, x1: 1e12 });
    const step = Math.max(1, Math.ceil(found.length / kMaxMarks));
    const marks: { y: number; row: number }[] = [];
    let last = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < found.length; i += step) {
      const box = found[i] ?? 0;
      const row = scene.rowsOf(box).at(-1);
      if (row === undefined) continue;
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
