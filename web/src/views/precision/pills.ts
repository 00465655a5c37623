// Layers in the graph's own language, as boxes and pills of HTML.

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

const kBoxName = 150;
const kPillName = 152;

// "FP16 → INT8" on a hatched ground; one type where only the layout changes.
export function conversionPill(from: string | null, to: string | null): HTMLElement {
  const word = (type: string | null): string => (type === null ? '?' : visible(type));
  const text = from === to ? word(from) : `${word(from)} → ${word(to)}`;
  return span('conversion-pill f-reformat hatched', span('pill-text', text));
}

export interface LayerBox {
  readonly row: number;
  // Under the name: "writes it".
  readonly note: string;
  readonly isPill: boolean;
}

// A box of a layer: its type as a strip, name, types and time. A conversion is a pill.
export function layerBox(context: ViewContext, { row, note, isPill }: LayerBox): HTMLElement {
  const { store } = context;
  const { engine, basis } = store;
  const time = engine.times(basis)[row] ?? Number.NaN;
  const name = store.layerLabel(row);
  const isOut = store.selection.mask[row] !== 1;
  const state = row === store.state.selected ? ' selected' : '';
  const facts = div(
    'chain-facts',
    isPill ? span('chain-note', note) : layerPrecision(engine, row),
    span('chain-time', Number.isNaN(time) ? '' : `${fixed(time * 1e3, 1)} µs`),
  );
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
      ? conversionPill(
          engine.layers.text('precision', row),
          engine.layers.text('output_precision', row),
        )
      : span(`chain-strip ${familyClass(engine.layers.text('family', row))}`),
    span(
      'chain-name',
      isPill ? fitName(name, kPillName, bodyFont(11)) : fitName(name, kBoxName, bodyFont(12, 600)),
    ),
    note === '' || isPill ? null : span('chain-note', note),
    facts,
  );
}

// What leads from one box to the next: a line in the colour of the type that flows, or a gap where
// the next one reads something else.
export function chainLink(context: ViewContext, from: number, to: number): HTMLElement {
  const { engine } = context.store;
  const flows = engine.neighbours(from).after.includes(to);
  if (!flows) return span('chain-gap');
  const type = engine.layers.text('output_precision', from);
  const key = precisionKey(type);
  const node = span(`chain-link ${key === 'unknown' ? 'unknown' : `p-${key}`}`);
  node.title = type === null ? 'unknown type' : visible(type);
  return node;
}
