// How much of the engine runs in which type: read, written and computed in, by layers and by time.

import {
  bodyFont,
  column,
  div,
  el,
  Figure,
  figureTable,
  fixed,
  htmlBody,
  htmlSvg,
  integer,
  numbers,
  percent,
  plainTable,
  replace,
  span,
  textWidth,
  wideTable,
  type Columns,
  type Store,
  type Totals,
  type ViewContext,
} from '../../public/index.ts';
import { byType, inOrder, toggleChips } from './order.ts';
import { fillClass } from './pills.ts';
import { kSideIds, kSides, sideChip, typeLabel, typeName, typeOf, type Side } from './sides.ts';
import { partsOf, totalsData, type Part } from './totals.ts';

// The width in front of a strip, and the margin of a text in its segment.
const kStripHeads = 118;
const kStripPadding = 12;

interface SideParts {
  readonly side: Side;
  // From wide to narrow.
  readonly parts: readonly Part[];
}

function sidesOf(store: Store): readonly SideParts[] {
  return kSideIds.map((side) => {
    const parts = partsOf(store, store.selection.rows, (row) => typeOf(store.engine, side, row));
    return { side, parts: [...parts].sort(byType) };
  });
}

// As much as fits: name and share, the name, nothing; a cut text is no help.
function stripText(name: string, share: string, room: number): string {
  const font = bodyFont(10);
  return [`${name} ${share}`, name].find((text) => textWidth(text, font) <= room) ?? '';
}

function strip(
  context: ViewContext,
  { side, parts }: SideParts,
  what: 'layers' | 'time',
  width: number,
): HTMLElement {
  const palette = context.palette();
  const amount = ({ totals }: Part): number =>
    what === 'layers' ? totals.count : (totals.time_ms ?? 0);
  const sum = parts.reduce((all, part) => all + amount(part), 0);
  const head = what === 'layers' ? kSides[side].name : '';
  return div(
    `strip-row${what === 'layers' ? ' first' : ''}`,
    span('', head),
    span('dim', what),
    div(
      'type-strip',
      ...parts
        .filter((part) => amount(part) > 0)
        .map((part) => {
          const { key: type } = part;
          const ratio = amount(part) / sum;
          const share = `${percent(ratio)} %`;
          const fill = palette.precision(type);
          const ink = fill === null ? palette.ui('ink') : palette.inkOn(fill);
          const text = stripText(typeName(type), share, ratio * width - kStripPadding);
          const title = `${kSides[side].name} ${typeName(type)}: ${share} of the ${what}`;
          return el(
            'button',
            {
              class: `strip-part ${fillClass(type)}`,
              attrs: { type: 'button', 'aria-label': title, title },
              css: { 'flex-grow': ratio.toFixed(5), ...(ink === null ? {} : { color: ink }) },
              on: { click: () => toggleChips(context.store, sideChip(side, type)) },
            },
            // If no ink is readable on the fill, the text has a background of its own.
            text === '' ? null : span(`strip-text${ink === null ? ' grounded' : ''}`, text),
          );
        }),
    ),
  );
}

function typesTable(hasTimes: boolean, sides: readonly SideParts[]): HTMLElement {
  const columns = ({ side, parts }: SideParts): Columns<string | null> => {
    const text = (figure: (totals: Totals) => string) => (type: string | null) => {
      const part = parts.find(({ key }) => key === type);
      return part === undefined ? '' : figure(part.totals);
    };
    const count = text((totals) => integer(totals.count));
    const time = text((totals) => fixed(totals.time_ms, 3));
    const share = text((totals) => percent(totals.share));
    return [
      numbers('n', count, { help: `layers that ${kSides[side].plural} it`, class: 'group-start' }),
      hasTimes && numbers('ms', time, { help: 'their time' }),
      hasTimes && numbers('% of Σ', share, { help: 'their share of Σ layers', cellClass: 'dim' }),
    ];
  };
  const attrs = { colspan: hasTimes ? 3 : 1, scope: 'colgroup' };
  const heads = kSideIds.map((side) =>
    el('th', { class: 'right group-start', attrs }, kSides[side].name),
  );
  const table = plainTable(
    'auto roll-up-table',
    inOrder(sides.flatMap(({ parts }) => parts.map(({ key }) => key))),
    [column('Type', typeLabel, { help: 'type of the data' }), ...sides.flatMap(columns)],
    { over: el('tr', { class: 'over' }, el('td'), ...heads) },
  );
  return wideTable('Types of layers', table);
}

export function rollUpFigure(context: ViewContext): Figure {
  const { store } = context;
  const strips = div('strips');
  const body = htmlBody('roll-up', (width) => {
    const sides = sidesOf(store);
    const { hasTimes } = store.engine;
    const room = Math.max(0, width - kStripHeads);
    replace(
      strips,
      ...sides.flatMap((side) => [
        strip(context, side, 'layers', room),
        hasTimes && strip(context, side, 'time', room),
      ]),
    );
    return [strips, typesTable(hasTimes, sides)];
  });
  const title = 'Precision roll-up';
  return new Figure(context, {
    id: 'precision-roll-up',
    title,
    explain: () =>
      store.engine.layers.has('compute_precision')
        ? 'of the layers, and of their time'
        : 'the compute type of kernels is not recorded',
    body: { ...body, svg: () => htmlSvg(strips, title, context.palette()) },
    table: () => {
      const rows = sidesOf(store).flatMap(({ side, parts }) =>
        parts.map((part) => ({ ...part, side })),
      );
      return figureTable(rows, [
        ['side', null, ({ side }) => kSides[side].name],
        ['type', null, ({ key }) => key ?? 'not recorded'],
        ...totalsData<Part>(({ totals }) => totals),
      ]);
    },
  });
}
