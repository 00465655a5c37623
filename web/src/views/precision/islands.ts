// Islands: layers that hang together because one tensor between them is wide.

import {
  bytesText,
  div,
  el,
  equals,
  Figure,
  figureTable,
  fixed,
  integer,
  linkButton,
  middleEllipsis,
  nameTitle,
  percent,
  plural,
  replace,
  span,
  totalsOf,
  visible,
  type FigureBody,
  type FigureTable,
  type Island,
  type PrecisionChanges,
  type ViewContext,
} from '../../public/index.ts';
import { chainLink, layerBox } from './pills.ts';

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

function endsText(island: Island, among: string): string {
  switch (island.ends) {
    case 'between':
      return `between ${among}`;
    case 'head':
      return "up to the engine's output";
    case 'stem':
      return "from the engine's input on";
    default:
      return 'by itself';
  }
}

function cut(name: string): HTMLElement {
  const text = visible(name);
  const node = span(
    'tensor-name',
    middleEllipsis(text, kShownName, (part) => part.length),
  );
  node.title = nameTitle(text);
  return node;
}

class Islands implements FigureBody {
  readonly node = div('islands');
  readonly #context: ViewContext;
  readonly #changes: () => PrecisionChanges | null;
  // Islands whose layers are all drawn.
  readonly #whole = new Set<number>();
  readonly #unsubscribe: () => void;

  constructor(context: ViewContext, changes: () => PrecisionChanges | null) {
    this.#context = context;
    this.#changes = changes;
    this.#unsubscribe = context.store.onHover((row) => this.#light(row));
  }

  draw(): void {
    const { store } = this.#context;
    const islands = this.#changes()?.islands ?? [];
    const all = store.option('precision.islands') === 'all';
    const shown = all ? islands : islands.slice(0, kShownIslands);
    const rest = islands.slice(shown.length);
    const restRows = rest.flatMap((island) => island.layers.map((layer) => layer.row));
    const ms = totalsOf(store.engine, restRows, store.basis).time_ms;
    const time = ms === null ? '' : `, ${fixed(ms, 3)} ms`;
    replace(
      this.node,
      ...shown.map((island, i) => this.#island(island, i)),
      islands.length <= kShownIslands
        ? null
        : linkButton(
            all
              ? 'first islands only'
              : `${plural(rest.length, 'more island')} with ${plural(restRows.length, 'layer')}${time}`,
            null,
            () => store.setOption('precision.islands', all ? null : 'all'),
          ),
    );
  }

  #island(island: Island, index: number): HTMLElement {
    const { store } = this.#context;
    const { engine, basis } = store;
    const base = kBases[this.#changes()?.islandBase ?? ''] ?? { among: 'others', narrow: '' };
    const rows = island.layers.map((layer) => layer.row);
    const converts = island.layers.filter((layer) => layer.role === 'converts');
    const all = totalsOf(engine, rows, basis);
    const conversions = totalsOf(
      engine,
      converts.map((layer) => layer.row),
      basis,
    );
    const time =
      all.time_ms === null ? '' : `, ${fixed(all.time_ms, 3)} ms, ${percent(all.share)} % of Σ`;
    const converting =
      converts.length === 0
        ? ''
        : `; ${integer(converts.length)} of them only ${converts.length === 1 ? 'converts' : 'convert'}${conversions.time_ms === null ? '' : `, ${fixed(conversions.time_ms, 3)} ms`}`;
    const bytes =
      island.wideBytes === null || island.narrowBytes === null
        ? ''
        : `; ${bytesText(island.wideBytes)} moved in float would be ${bytesText(island.narrowBytes)} in ${base.narrow}`;
    const isOut = rows.every((row) => store.selection.mask[row] !== 1);
    const shown = this.#whole.has(index) ? island.layers : island.layers.slice(0, kShownLayers);
    const more = island.layers.length - shown.length;
    const items: HTMLElement[] = [];
    for (const [i, layer] of shown.entries()) {
      const before = shown[i - 1];
      if (before !== undefined) items.push(chainLink(this.#context, before.row, layer.row));
      items.push(
        layerBox(this.#context, {
          row: layer.row,
          note: kRoles[layer.role] ?? '',
          isPill: layer.role === 'converts',
        }),
      );
    }
    if (more > 0) {
      items.push(
        el(
          'button',
          {
            class: 'link chain-more',
            attrs: { type: 'button' },
            on: {
              click: () => {
                this.#whole.add(index);
                this.draw();
              },
            },
          },
          `+ ${plural(more, 'layer')}`,
        ),
      );
    }
    return div(
      `island${isOut ? ' faded' : ''}`,
      el(
        'p',
        { class: 'island-head' },
        el('b', {}, `${visible(island.type ?? 'Float')} ${endsText(island, base.among)}`),
        ': ',
        island.tensor === null ? 'an unnamed tensor' : cut(island.tensor),
        island.writer === null ? ', the engine’s input' : ', written by ',
        island.writer === null ? null : cut(store.layerLabel(island.writer)),
      ),
      el(
        'p',
        { class: 'soft' },
        `${plural(all.count, 'layer')}${time}${converting}${bytes}`,
        ' ',
        linkButton('only these', null, () =>
          store.addChip(equals('layer', ...rows.map((row) => String(engine.layerId(row))))),
        ),
      ),
      div('chain', ...items),
    );
  }

  #light(row: number | null): void {
    for (const box of this.node.querySelectorAll('[data-row]')) {
      box.classList.toggle('lit', row !== null && box.getAttribute('data-row') === String(row));
    }
  }

  table(): FigureTable {
    const { engine, basis } = this.#context.store;
    const times = engine.times(basis);
    const rows = (this.#changes()?.islands ?? []).flatMap((island, i) =>
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
  }

  destroy(): void {
    this.#unsubscribe();
  }
}

export function islandsFigure(
  context: ViewContext,
  changes: () => PrecisionChanges | null,
): Figure {
  const body = new Islands(context, changes);
  return new Figure(context, {
    id: 'precision-islands',
    title: 'Layers kept wide by a wide tensor',
    explain: () => {
      const found = changes();
      const base = found?.islandBase ?? 'none';
      if (base === 'none') return '';
      const what = base === 'quantized' ? 'float among quantized layers' : 'FP32 among FP16';
      return `${plural(found?.islands.length ?? 0, 'island')} of ${what}: layers joined by one tensor; a line runs from a layer to the next one that reads its output`;
    },
    body,
    table: () => body.table(),
  });
}
