// What a view is, and what it can use. A view is one folder in views/ and one line in
// views/order.ts.

import type { Child } from '../../base/dom.ts';
import type { Report } from '../../model/decode.ts';
import type { Engine } from '../../model/engine.ts';
import type { Judging } from '../../model/judging.ts';
import type { Change, Store } from '../../model/store.ts';
import type { FittedName } from './marks.ts';
import type { CoreOpener, OpenedFile } from './opener.ts';
import type { Palette } from './palette.ts';

// Data a view requires; the frame greys out the tab of a view whose needs are not met. 'rest': more
// than the overview, which a page that reads engines shows first for large ones.
export type Need = 'layers' | 'types' | 'times' | 'graph' | 'rest';

// Position of a tooltip: a pointer's event, or a corner of the focused element.
export interface Spot {
  readonly clientX: number;
  readonly clientY: number;
}

export interface ViewContext {
  readonly store: Store;
  // In the order of their tabs.
  readonly views: readonly View[];
  // For the current theme; get it again at every drawing.
  palette(): Palette;
  copy(text: string, what: string): void;
  download(name: string, blob: Blob): void;
  note(text: string): void;
  // Mounts another view in a part of this one, with a store of its own; null if there is no such
  // view.
  embed(view: string, host: HTMLElement, store: Store): MountedView | null;
  // Reads engines and answers queries about them; null: the page only reads other reports.
  readonly core: CoreOpener | null;
  // Judges the engines again and replaces this report; only with a core. The link keeps the
  // choices.
  judge(wanted: Judging): void;
  // Adds engines from files to this report. The page reports what can't be read.
  open(files: readonly OpenedFile[]): void;
  // At most six lines, after a short delay, next to the pointer.
  tooltip: {
    // `engine`: its index in the report, if it is not the one on screen.
    layer(row: number, at: MouseEvent, engine?: number): void;
    lines(lines: readonly string[], at: Spot): void;
    hide(): void;
  };
}

// What a view shows in the filter row instead of the tally and before the chips.
export interface FilterRowPart {
  readonly lead: readonly HTMLElement[];
  readonly tally: readonly Child[];
}

export interface MountedView {
  // The state changed, or the theme or the size did (then the set is empty).
  update(change: Change): void;
  // A row that the reader moved to by key should be visible.
  reveal?(row: number): void;
  // The view's order of rows, for next and previous row.
  order?(): Int32Array;
  // A key with a special meaning in this view; returns whether it was handled.
  key?(key: string): boolean;
  destroy(): void;
}

export interface View {
  readonly id: string;
  readonly title: string;
  readonly needs: readonly Need[];
  // The view itself shows what is missing, and what there is: mounted even if its needs are not
  // met.
  readonly showsWhatThereIs?: boolean;
  // The overview of an engine is enough for it.
  readonly isEarly?: boolean;
  // If false, it has no tab: few reports, or pages, have what it shows.
  isThere?(report: Report, core: CoreOpener | null): boolean;
  // `engines`: how many the report has. Undefined: no count.
  count?(engine: Engine, engines: number): number | undefined;
  // Whether two engines are on screen: then the ribbon shows both.
  readonly compares?: boolean;
  // What the filter row shows while this view is on screen; null: the usual content. This and the
  // next two are evaluated at every change, also before the view is mounted.
  filterRow?(context: ViewContext): FilterRowPart | null;
  // What the details panel shows while this view is on screen, from the state alone; null: the
  // selection, as usual. `names` are fitted once the panel has its width.
  panel?(context: ViewContext, names: FittedName[]): readonly Child[] | null;
  // Layers to mark in the ribbon, from the state alone.
  marks?(store: Store): readonly number[];
  mount(host: HTMLElement, context: ViewContext): MountedView;
}
