// Islands: layers connected by one wide tensor.

import {
  bytesText,
  div,
  el,
  equals,
  Figure,
  figureTable,
  htmlBody,
  integer,
  linkButton,
  middleEllipsis,
  nameTitle,
  plural,
  precisionOf,
  span,
  visible,
  type Island,
  type ViewContext,
} from '../../public/index.ts';
import { chainLink, layerBox } from './pills.ts';
import { costText, sumOf, timeText } from './totals.ts';

const kShownIslands = 3;
const kShownLayers = 12;
const kShownName = 90;

const kRoles: Readonly<Record<string, string>> = {
  'writes-wide': 'writes it',
  'runs-wide': 'runs in it',
  'reads-wide': 'reads it',
  converts: 'converts',
};

const kBases: Readonly<Record<string, { readonly among: string; readonly narrow: string }>> = {
  quantized: { among: 'quantized layers', narrow: 'INT8' },
  half: { among: 'FP16 layers', narrow: 'FP16' },
};

const kEnds: Readonly<Record<string, string>> = {
  head: "up to the engine's output",
  stem: "from the engine's input on",
};

function cut(name: string): HTMLElement {
  const text = visible(name);
  const node = span(
    'code-text',
    middleEllipsis(text, kShownName, (part) => part.length),
  );
  node.title = nameTitle(text);
  return node;
}

const rowsOf = (island: Island): readonly number[] => island.layers.map(({ row }) => row);

// `more`: expands the list to all of its layers.
function islandBlock(
  context: ViewContext,
  island: Island,
  isWhole: boolean,
  more: () => void,
): HTMLElement {
  const { store } = context;
  const base = kBases[precisionOf(store.engine)?.islandBase ?? ''];
  const among = base?.among ?? 'others';
  const where =
    island.ends === 'between' ? `between ${among}` : (kEnds[island.ends ?? ''] ?? 'by itself');
  const rows = rowsOf(island);
  const sum = sumOf(store, rows);
  const converts = island.layers.filter(({ role }) => role === 'converts').map(({ row }) => row);
  const verb = converts.length === 1 ? 'converts' : 'convert';
  const converting =
    converts.length === 0
      ? ''
      : `; ${integer(converts.length)} of them only ${verb}${timeText(sumOf(store, converts))}`;
  const bytes =
    island.wideBytes === null || island.narrowBytes === null
      ? ''
      : `; ${bytesText(island.wideBytes)} moved in float would be ${bytesText(island.narrowBytes)} in ${base?.narrow ?? ''}`;
  const isOut = rows.every((row) => store.selection.mask[row] !== 1);
  const shown = isWhole ? island.layers : island.layers.slice(0, kShownLayers);
  const rest = island.layers.length - shown.length;
  return div(
    `island${isOut ? ' faded' : ''}`,
    el(
      'p',
      {},
      el('b', {}, `${visible(island.type ?? 'Float')} ${where}`),
      ': ',
      island.tensor === null ? 'an unnamed tensor' : cut(island.tensor),
      island.writer === null ? ', the engine’s input' : ', written by ',
      island.writer === null ? null : cut(store.layerLabel(island.writer)),
    ),
    el(
      'p',
      { class: 'soft' },
      `${plural(sum.count, 'layer')}${costText(sum)}${converting}${bytes} `,
      linkButton('only these', null, () =>
        store.addChip(equals('layer', ...rows.map((row) => String(store.engine.layerId(row))))),
      ),
    ),
    div(
      'flow chain',
      ...shown.flatMap(({ row, role }, i) => {
        const before = shown[i - 1];
        const box = layerBox(context, row, kRoles[role] ?? '', role === 'converts');
        return before === undefined ? [box] : [chainLink(context, before.row, row), box];
      }),
      rest > 0 ? linkButton(`+ ${plural(rest, 'layer')}`, null, more) : null,
    ),
  );
}

export function islandsFigure(context: ViewContext): Figure {
  const { store } = context;
  const islands = (): readonly Island[] => precisionOf(store.engine)?.islands ?? [];
  // Islands that show all of their layers.
  const whole = new Set<number>();
  const body = htmlBody('islands', (width) => {
    const isAll = store.option('precision.islands') === 'all';
    const shown = isAll ? islands() : islands().slice(0, kShownIslands);
    const rest = islands().slice(shown.length);
    const rows = rest.flatMap(rowsOf);
    const text = isAll
      ? 'first islands only'
      : `${plural(rest.length, 'more island')} with ${plural(rows.length, 'layer')}${timeText(sumOf(store, rows))}`;
    return [
      ...shown.map((island, i) =>
        islandBlock(context, island, whole.has(i), () => {
          whole.add(i);
          body.draw(width);
        }),
      ),
      islands().length <= kShownIslands
        ? null
        : linkButton(text, null, () => store.setOption('precision.islands', isAll ? null : 'all')),
    ];
  });
  const light = (row: number | null): void => {
    for (const box of body.node.querySelectorAll<HTMLElement>('[data-row]')) {
      box.classList.toggle('lit', box.dataset.row === String(row));
    }
  };
  return new Figure(context, {
    id: 'precision-islands',
    title: 'Layers kept wide by a wide tensor',
    explain: () => {
      const base = precisionOf(store.engine)?.islandBase ?? 'none';
      if (base === 'none') return '';
      const what = base === 'quantized' ? 'float among quantized layers' : 'FP32 among FP16';
      return `${plural(islands().length, 'island')} of ${what}: layers joined by one tensor; a line runs from a layer to the next one that reads its output`;
    },
    body: { ...body, destroy: store.onHover(light) },
    table: () => {
      const { engine, basis } = store;
      const times = engine.times(basis);
      const rows = islands().flatMap((island, i) =>
        island.layers.map((layer) => ({ island, i, layer, row: layer.row })),
      );
      return figureTable(rows, [
        ['island', 0, ({ i }) => i + 1],
        ['ends', null, ({ island }) => island.ends],
        ['tensor', null, ({ island }) => island.tensor],
        ['type', null, ({ island }) => island.type],
        ['layer_id', 0, ({ row }) => engine.layerId(row)],
        ['layer', null, ({ row }) => engine.rawName(row)],
        ['role', null, ({ layer }) => layer.role],
        ['reads', null, ({ row }) => engine.layers.text('precision', row)],
        ['writes', null, ({ row }) => engine.layers.text('output_precision', row)],
        ['ms', 4, ({ row }) => times[row]],
        ['wide bytes of the island', 0, ({ island }) => island.wideBytes],
        ['narrow bytes of the island', 0, ({ island }) => island.narrowBytes],
      ]);
    },
  });
}
