// Who chooses by keys stays where they are when what they choose with is drawn anew.

// What it is called, and where: many rows may have one of this name, and a head says how it is sorted.
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
