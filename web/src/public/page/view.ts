// What a view is, and what it may use. A view is one folder in views/ and one line in views/order.ts.

import type { Child } from '../../base/dom.ts';
import type { Report } from '../../model/decode.ts';
import type { Engine } from '../../model/engine.ts';
import type { Judging } from '../../model/judging.ts';
import type { Change, Store } from '../../model/store.ts';
import type { FittedName } from './marks.ts';
import type { CoreOpener, OpenedFile } from './opener.ts';
import type { Palette } from './palette.ts';

// Data a view cannot do without; the frame greys the tab of a view whose needs are not met.
// 'rest': more than an overview, which a page that reads engines shows first of large ones.
export type Need = 'layers' | 'types' | 'times' | 'graph' | 'rest';

// Where a tooltip belongs: a pointer's event, or a corner of what has the focus.
export interface Spot {
  readonly clientX: number;
  readonly clientY: number;
}

export interface ViewContext {
  readonly store: Store;
  // In the order of their tabs.
  readonly views: readonly View[];
  // Of the theme on screen; ask again at every drawing.
  palette(): Palette;
  copy(text: string, what: string): void;
  download(name: string, blob: Blob): void;
  note(text: string): void;
  // Puts another view into a part of this one, with a store of its own; null where there is no such
  // view.
  embed(view: string, host: HTMLElement, store: Store): MountedView | null;
  // What reads engines and answers about them; null: the page reads other reports alone.
  readonly core: CoreOpener | null;
  // The engines judged anew, in place of this report; with a core only. What is chosen is in the link.
  judge(wanted: Judging): void;
  // Engines of files, beside those of this report. What can't be read is told by the page.
  open(files: readonly OpenedFile[]): void;
  // At most six lines, after a moment, beside the pointer.
  tooltip: {
    // `engine`: its place in the report, where it is not the one on screen.
    layer(row: number, at: MouseEvent, engine?: number): void;
    lines(lines: readonly string[], at: Spot): void;
    hide(): void;
  };
}

// What a view puts into the filter row instead of the tally and before the chips.
export interface FilterRowPart {
  readonly lead: readonly HTMLElement[];
  readonly tally: readonly Child[];
}

export interface MountedView {
  // The state changed, or the theme or the size did (then the set is empty).
  update(change: Change): void;
  // A row the reader moved to by key should be on screen.
  reveal?(row: number): void;
  // The order a view shows its rows in, for next and previous row.
  order?(): Int32Array;
  // A key that means something here and nothing, or something else, elsewhere; whether it did.
  key?(key: string): boolean;
  destroy(): void;
}

export interface View {
  readonly id: string;
  readonly title: string;
  readonly needs: readonly Need[];
  // It says itself what it lacks, and shows what there is: mounted also where its needs are not met.
  readonly showsWhatThereIs?: boolean;
  // The overview of an engine is enough for it.
  readonly isEarly?: boolean;
  // Left out of the tabs where it is false: few reports, or pages, have what it shows.
  isThere?(report: Report, core: CoreOpener | null): boolean;
  // `engines`: how many the report has. Undefined: no count.
  count?(engine: Engine, engines: number): number | undefined;
  // Whether two engines are on screen: then the ribbon shows both.
  readonly compares?: boolean;
  // What the filter row holds while this view is on screen; null: what it holds everywhere. This and
  // the next two are asked for at every change, also before the view is mounted.
  filterRow?(context: ViewContext): FilterRowPart | null;
  // What the details panel holds while this view is on screen, from the state alone; null: what is
  // selected, as everywhere. `names` are fitted when the panel has its width.
  panel?(context: ViewContext, names: FittedName[]): readonly Child[] | null;
  // Layers to mark in the ribbon, from the state alone.
  marks?(store: Store): readonly number[];
  mount(host: HTMLElement, context: ViewContext): MountedView;
}
