// Who chooses by keys stays where they are when what they choose with is drawn anew.

export function keepFocus(place: HTMLElement, draw: () => void): void {
  const { activeElement: active } = document;
  const keyOf = (node: Element): string => node.getAttribute('aria-label') ?? node.textContent;
  const key = place.contains(active) && active !== null ? keyOf(active) : null;
  draw();
  if (key === null) return;
  for (const node of place.querySelectorAll<HTMLElement>('select, button, input')) {
    if (keyOf(node) === key) node.focus({ preventScroll: true });
  }
}
