// From one box to the one that writes what it reads, or reads what it writes.

import { kNone, type Scene } from '../../public/drawing.ts';

export class Follow {
  readonly #scene: Scene;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  // Of several, the nearest in execution order; kNone where there is none.
  next(box: number, way: 'producer' | 'consumer'): number {
    let nearest = kNone;
    for (const { from, to } of this.#scene.edges) {
      const [here, there] = way === 'producer' ? [to, from] : [from, to];
      if (here !== box || there === box) continue;
      if (nearest === kNone || Math.abs(there - box) < Math.abs(nearest - box)) nearest = there;
    }
    return nearest;
  }
}
