// A rectangle that the reader draws over a part of a picture.

import { div, type ViewContext } from '../../public/index.ts';
import type { Frame, PlotBody } from '../../public/plot/index.ts';
import { contains, within } from './cells.ts';

const kDragPx = 4;

// `frames`: it stays within one of these; `done` receives which one.
export function addBrush(
  { store, tooltip }: ViewContext,
  { node }: PlotBody,
  frames: () => readonly Frame[],
  done: (rect: Frame, at: number) => void,
): void {
  const brush = div('scatter-brush');
  brush.hidden = true;
  node.append(brush);
  let rect: Frame | null = null;
  const placeOf = (event: PointerEvent): { readonly x: number; readonly y: number } => {
    const box = node.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const press = (down: PointerEvent): void => {
    rect = null;
    const from = placeOf(down);
    const at = frames().findIndex((frame) => contains(frame, from));
    const frame = frames()[at];
    if (down.button !== 0 || frame === undefined) return;
    const move = (event: PointerEvent): void => {
      const to = within(frame, placeOf(event));
      if (rect === null && Math.hypot(to.x - from.x, to.y - from.y) < kDragPx) return;
      if (rect === null) {
        node.setPointerCapture(down.pointerId);
        tooltip.hide();
        store.hover(null);
      }
      rect = {
        left: Math.min(from.x, to.x),
        top: Math.min(from.y, to.y),
        width: Math.abs(to.x - from.x),
        height: Math.abs(to.y - from.y),
      };
      brush.hidden = false;
      for (const [side, px] of Object.entries(rect)) {
        brush.style.setProperty(side, `${Number(px).toFixed(0)}px`);
      }
    };
    const stop = (event: Event): void => {
      node.removeEventListener('pointermove', move);
      brush.hidden = true;
      if (event.type === 'pointerup' && rect !== null) done(rect, at);
    };
    node.addEventListener('pointermove', move);
    for (const end of ['pointerup', 'pointercancel']) {
      node.addEventListener(end, stop, { once: true });
    }
  };
  node.addEventListener('pointerdown', press);
  // Drawing does not click on what is below.
  const suppress = (event: Event): void => {
    if (rect !== null) event.stopImmediatePropagation();
    if (event.type === 'click') rect = null;
  };
  for (const type of ['mousemove', 'click']) node.addEventListener(type, suppress, true);
}
