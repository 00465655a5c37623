// Keeps the keyboard focus when the control in use is redrawn.

// Its name, and where it is: many rows may have one of this name, and the name of a head shows how
// it is sorted.
function keyOf(node: Element): string {
  const place = node.closest('[data-id], [data-column]');
  const column = place?.getAttribute('data-column');
  if (column !== null && column !== undefined) return column;
  const name = node.getAttribute('aria-label') ?? node.textContent;
  return `${place?.getAttribute('data-id') ?? ''} ${name}`;
}

export function keepFocus(place: HTMLElement, draw: () => void): void {
  const { activeElement: active } = document;
  const key = place.contains(active) && active !== null ? keyOf(active) : null;
  draw();
  if (key === null) return;
  for (const node of place.querySelectorAll<HTMLElement>('select, button, input, a, summary')) {
    if (keyOf(node) === key) node.focus({ preventScroll: true });
  }
}
