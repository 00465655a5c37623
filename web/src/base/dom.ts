// Small helpers to build nodes. Text becomes text nodes and attributes are set by name, so nothing
// from a file can become markup. There is no way to set a style attribute here, because the
// Content-Security-Policy forbids it (style properties through the object model are fine).

export type Child = Node | string | number | null | undefined | false;
export type Attribute = string | number | boolean | null | undefined;

export interface Props {
  readonly class?: string;
  readonly attrs?: Readonly<Record<string, Attribute>>;
  readonly css?: Readonly<Record<string, string>>;
  readonly on?: Readonly<Record<string, (event: Event) => void>>;
}

function apply(node: HTMLElement | SVGElement, props: Props): void {
  if (props.class !== undefined) node.setAttribute('class', props.class);
  for (const [name, value] of Object.entries(props.attrs ?? {})) setAttribute(node, name, value);
  for (const [name, value] of Object.entries(props.css ?? {})) node.style.setProperty(name, value);
  for (const [name, handler] of Object.entries(props.on ?? {})) {
    node.addEventListener(name, handler);
  }
}

export function setAttribute(node: Element, name: string, value: Attribute): void {
  if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? '' : String(value));
}

export function append(node: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    node.append(typeof child === 'number' ? String(child) : child);
  }
}

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  apply(node, props);
  append(node, children);
  return node;
}

export function div(className: string, ...children: readonly Child[]): HTMLDivElement {
  return el('div', { class: className }, ...children);
}

export function span(className: string, ...children: readonly Child[]): HTMLSpanElement {
  return el('span', { class: className }, ...children);
}

export function button(text: string, title: string, click: () => void): HTMLButtonElement {
  return el('button', { class: 'button', attrs: { type: 'button', title }, on: { click } }, text);
}

export function replace(node: Element, ...children: readonly Child[]): void {
  node.replaceChildren();
  append(node, children);
}

export type IconName = 'copy' | 'theme' | 'close' | 'left' | 'right' | 'add';

const kIcons: Readonly<Record<IconName, string>> = {
  copy: 'M4.5 3.5h6v7h-6zM2.5 8.5h-1v-7h6v1',
  theme: 'M6 .5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11zM6 1.8a4.2 4.2 0 0 1 0 8.4z',
  close: 'M2.5 2.5l7 7M9.5 2.5l-7 7',
  left: 'M10.5 6h-9M5 2.5L1.5 6L5 9.5',
  add: 'M6 1.5v9M1.5 6h9',
  right: 'M1.5 6h9M7 2.5L10.5 6L7 9.5',
};

export function icon(name: IconName): SVGElement {
  const ns = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(ns, 'svg');
  apply(svg, {
    class: `icon icon-${name}`,
    attrs: { viewBox: '0 0 12 12', width: 12, height: 12, 'aria-hidden': 'true' },
  });
  const path = document.createElementNS(ns, 'path');
  path.setAttribute('d', kIcons[name]);
  svg.append(path);
  return svg;
}
