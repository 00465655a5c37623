// Layers in the style of the graph, as boxes and pills of HTML.

import {
  bodyFont,
  div,
  el,
  familyClass,
  fitName,
  fixed,
  layerPrecision,
  nameTitle,
  precisionKey,
  span,
  visible,
  type ViewContext,
} from '../../public/index.ts';

const kNameWidth = 150;

// The fill of a bar or a line for a type.
export function fillClass(type: string | null): string {
  const key = precisionKey(type);
  return key === 'unknown' ? 'unknown' : `p-${key}`;
}

// "FP16 → INT8" on a hatched ground; one type if only the layout changes.
export function conversionPill(from: string | null, to: string | null): HTMLElement {
  const words = [...new Set([from, to])].map((type) => (type === null ? '?' : visible(type)));
  return span('conversion-pill f-reformat hatched', span('pill-text', words.join(' → ')));
}

// A layer's box: its type as a strip, name, types and time. A conversion is a pill. The note is
// below the name: "writes it".
export function layerBox(
  { store }: ViewContext,
  row: number,
  note: string,
  isPill: boolean,
): HTMLElement {
  const { engine, basis } = store;
  const time = engine.times(basis)[row] ?? Number.NaN;
  const isOut = store.selection.mask[row] !== 1;
  const state = row === store.state.selected ? ' selected' : '';
  const text = (column: string): string | null => engine.layers.text(column, row);
  const noted = note === '' ? null : span('chain-note', note);
  return el(
    'button',
    {
      class: `chain-box${isPill ? ' pill' : ''}${state}${isOut ? ' faded' : ''}`,
      attrs: { type: 'button', 'data-row': row, title: nameTitle(engine.layerName(row)) },
      on: {
        click: () => store.patch({ selected: row }),
        dblclick: () => store.patch({ selected: row, view: 'graph' }),
        mouseenter: () => store.hover(row),
        mouseleave: () => store.hover(null),
      },
    },
    isPill
      ? conversionPill(text('precision'), text('output_precision'))
      : span(`chain-strip ${familyClass(text('family'))}`),
    span(
      'chain-name',
      fitName(store.layerLabel(row), kNameWidth, isPill ? bodyFont(11) : bodyFont(12, 600)),
    ),
    isPill ? null : noted,
    div(
      'line chain-facts',
      isPill ? noted : layerPrecision(engine, row),
      span('chain-time', Number.isNaN(time) ? '' : `${fixed(time * 1e3, 1)} µs`),
    ),
  );
}

// The link from one box to the next: a line in the colour of the type that flows, or a gap if the
// next one reads another tensor.
export function chainLink(
  { store: { engine } }: ViewContext,
  from: number | undefined,
  to: number | undefined,
): HTMLElement {
  if (from === undefined || to === undefined || !engine.neighbours(from).after.includes(to)) {
    return span('chain-gap');
  }
  const type = engine.layers.text('output_precision', from);
  const node = span(`chain-link ${fillClass(type)}`);
  node.title = type === null ? 'unknown type' : visible(type);
  return node;
}
