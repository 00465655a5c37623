// The data that views require, the notice shown without it, and the list of what each view needs.

import { div, replace, span } from '../base/dom.ts';
import { integer } from '../base/format.ts';
import { visible } from '../base/text.ts';
import type { Engine } from '../model/engine.ts';
import { kGraphViews } from '../model/graph.ts';
import type { MissingPiece } from '../model/report_types.ts';
import { missingNotice, pieceNotice } from './missing.ts';
import { column, type Content } from './grid/column.ts';
import { plainTable } from './grid/plain_table.ts';
import { sectionTitle } from './page/marks.ts';
import type { MountedView, Need, View, ViewContext } from './page/view.ts';

export function meets(engine: Engine, need: Need): boolean {
  if (need === 'layers') return engine.workRows.length > 0;
  if (need === 'graph') return kGraphViews.some((view) => engine.hasGraph(view));
  // Types that are guessed from names do not count.
  if (need === 'types') return engine.layers.has('type') && !engine.namesOnly;
  if (need === 'rest') return !engine.isEarly;
  return engine.hasTimes;
}

export function unmetNeeds(engine: Engine, view: View): readonly Need[] {
  if (engine.isEarly && view.isEarly !== true) return ['rest'];
  return view.needs.filter((need) => !meets(engine, need));
}

// Whether the notice is shown in place of the view.
export function isUnmet(view: View, engine: Engine): boolean {
  const unmet = unmetNeeds(engine, view);
  return unmet.includes('rest') || (view.showsWhatThereIs !== true && unmet.length > 0);
}

const kNeedWords: Readonly<Record<Need, string>> = {
  layers: 'layers',
  types: 'layer types and tensors',
  graph: 'tensors that connect layers',
  times: 'layer times',
  rest: 'the rest of the engine',
};

// The program's ids of missing things, by what they would provide; the first missing one is shown.
const kPieces: Readonly<Record<Need, readonly string[]>> = {
  layers: ['engine', 'layer-details', 'layer-information'],
  types: ['engine', 'layer-details', 'layer-information'],
  graph: ['engine', 'layer-details', 'layer-information'],
  times: ['engine', 'profile'],
  rest: [],
};

function reason(engine: Engine, need: Need): string {
  if (need === 'rest') return 'It is large, and still being read.';
  if (engine.workRows.length === 0) return 'The files list no layers that do work.';
  if (need === 'times') return 'No per-layer profile was read with this engine.';
  if (engine.namesOnly) return 'The files have layer names only.';
  return `Not in the files: ${kNeedWords[need]}.`;
}

function pieceOf(engine: Engine, need: Need): MissingPiece | null {
  const { missing } = engine.summary;
  const pieces = kPieces[need].flatMap((id) => missing.find((piece) => piece.id === id) ?? []);
  return pieces[0] ?? null;
}

export function unmetView(host: HTMLElement, context: ViewContext, view: View): MountedView {
  const update = (): void => {
    const { engine } = context.store;
    const needs = unmetNeeds(engine, view);
    const pieces = new Set(needs.map((need) => pieceOf(engine, need)));
    const words = needs.map((need) => kNeedWords[need]).join(' and ');
    const why = [...new Set(needs.map((need) => reason(engine, need)))].join(' ');
    replace(
      host,
      missingNotice(context, { what: `${view.title} needs ${words}.`, why, command: null }),
      ...[...pieces].map((piece) => piece && pieceNotice(context, piece)),
    );
  };
  host.classList.add('unmet-view');
  update();
  return { update, destroy: () => host.classList.remove('unmet-view') };
}

// Every view that needs something, and whether it is there.
export function needsTable(context: ViewContext): HTMLElement {
  const { engine, report } = context.store;
  const here = (view: View): Content => {
    if (unmetNeeds(engine, view).length > 0) return span('dim', '– missing');
    const count = view.count?.(engine, report.engines.length);
    return count === undefined ? 'there' : integer(count);
  };
  const needs = (view: View): string =>
    view.needs.map((need) => kNeedWords[need]).join(', ') || 'any data';
  return div(
    'block',
    sectionTitle('What each view needs', ''),
    plainTable('needs', context.views, [
      column('View', (view) => visible(view.title), { class: 'view-name' }),
      column('Needs', needs),
      column('Here', here, { width: 72 }),
    ]),
  );
}
