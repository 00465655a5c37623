// Graph: how does data flow, where does the type change, where are the copies?

import {
  conclusionLine,
  div,
  el,
  foldedGroups,
  itemText,
  kGraphViews,
  parseItem,
  plural,
  pngBlob,
  replace,
  svgBlob,
  withGroups,
  type Change,
  type GraphItem,
  type GraphView as PlanGraphView,
  type MountedView,
  type View,
  type ViewContext,
} from '../../public/index.ts';
import { LayoutClient } from '../../public/layout.ts';
import {
  fit,
  kNone,
  makeScene,
  Paint,
  svgOf,
  type Camera,
  type Look,
  type Scene,
} from '../../drawing/index.ts';
import { graphConclusion } from './conclusion.ts';
import { legend } from './legend.ts';
import { Minimap } from './minimap.ts';
import { printedGraph } from './print.ts';
import { Ruler } from './ruler.ts';
import { Stage, type Target } from './stage.ts';
import { kZoomStep, tools, zoomText, type ToolActions } from './toolbar.ts';
import './graph.css';

const kBusyAfterMs = 200;
// The part of the graph shown at first.
const kFirstBoxes = 20;
const kStartMargin = 2;
const kReadable = 0.7;
// Below this zoom a box is a line of one pixel.
const kMinFit = 0.05;
const kPanStep = 90;
const kSideGap = 16;

class GraphPage implements MountedView {
  readonly #context: ViewContext;
  readonly #host: HTMLElement;
  readonly #tools = el('div', {
    class: 'graph-tools flow band no-print',
    attrs: { role: 'toolbar', 'aria-label': 'Graph' },
  });
  readonly #percent = el('button', {
    class: 'button graph-percent',
    attrs: { type: 'button', title: 'To 100 %' },
    on: { click: () => this.#stage.zoom(1 / this.#stage.camera.zoom) },
  });
  readonly #conclusion = div('graph-conclusion');
  readonly #busy = el('div', { class: 'graph-busy no-print', attrs: { role: 'status' } });
  readonly #map = new Minimap((x, y) => this.#stage.look(this.#stage.centre(x, y)));
  readonly #legend = el('div', {
    class: 'graph-legend',
    attrs: { role: 'group', 'aria-label': 'Legend' },
  });
  readonly #side = div('graph-side no-print', this.#map.node, this.#legend);
  readonly #stage: Stage;
  readonly #layouts = new LayoutClient();
  readonly #ended = new AbortController();
  readonly #unsubscribe: () => void;
  #view: PlanGraphView | null = null;
  #paint: Paint | null = null;
  #ruler: Ruler | null = null;
  // What the scene on screen was made for, and the one that is being laid out.
  #wanted = '';
  #ticket = 0;

  constructor(host: HTMLElement, context: ViewContext) {
    this.#context = context;
    this.#host = host;
    this.#stage = this.#makeStage();
    const printed = printedGraph(() => this.#svg(), this.#ended.signal);
    host.classList.add('graph');
    replace(host, this.#tools, this.#conclusion, this.#stage.node, printed);
    this.#unsubscribe = context.store.onHover(() => this.#refresh());
    this.#refold();
  }

  // --- parts

  readonly #actions: ToolActions = {
    fit: () => this.#fit(),
    zoom: (factor) => this.#stage.zoom(factor),
    saveSvg: () => this.#save('svg', svgBlob),
    savePng: () => this.#save('png', pngBlob),
  };

  #makeStage(): Stage {
    const { store, tooltip } = this.#context;
    return new Stage(
      {
        hover: (target, event) => {
          const row = this.#scene?.rowOf(target.box) ?? null;
          const box = this.#scene?.graph.boxes[target.box];
          store.hover(row);
          if (row !== null) tooltip.layer(row, event);
          else if (box === undefined) tooltip.hide();
          else tooltip.lines(this.#scene?.maker.tooltip(box) ?? [], event);
        },
        leave: () => {
          store.hover(null);
          tooltip.hide();
        },
        click: (target, event) => this.#click(target, event),
        open: (target) => this.#toggle(target.group),
        moved: (camera) => this.#moved(camera),
        key: (event) => {
          if (event.key !== 'Enter' && event.key !== ' ') return;
          event.preventDefault();
          this.#toggleSelected();
        },
      },
      this.#side,
      this.#busy,
    );
  }

  // --- selection

  #click(target: Target, event: PointerEvent): void {
    const { store } = this.#context;
    const row = this.#scene?.rowOf(target.box) ?? null;
    if (row !== null && event.altKey) {
      const type = store.engine.layers.text('type', row);
      if (type !== null) {
        store.addChip({ field: 'type', op: ':', values: [type], negated: false });
      }
    } else if (target.box !== kNone) {
      this.#select(target.box);
    } else if (target.isTitle) {
      this.#selectItem({ kind: 'group', group: target.group });
    } else if (store.state.selected !== null || store.state.item !== null) {
      store.patch({ selected: null, item: null });
    }
  }

  // A box, whatever it represents.
  #select(index: number): void {
    const box = this.#scene?.graph.boxes[index];
    if (box === undefined) return;
    const row = this.#scene?.rowOf(index) ?? null;
    if (row !== null) this.#context.store.patch({ selected: row });
    else if (box.group !== kNone) this.#selectItem({ kind: 'group', group: box.group });
    else this.#selectItem({ kind: 'node', node: box.node });
  }

  #selectItem(item: GraphItem): void {
    if (this.#view !== null) this.#context.store.patch({ item: itemText(this.#view, item) });
  }

  get #scene(): Scene | null {
    return this.#paint?.scene ?? null;
  }

  get #item(): GraphItem | null {
    const { item } = this.#context.store.state;
    return this.#view === null ? null : parseItem(this.#view, item);
  }

  get #selectedBox(): number {
    const scene = this.#scene;
    const { selected } = this.#context.store.state;
    if (scene === null) return kNone;
    if (selected !== null) return scene.boxOfRow(selected);
    const item = this.#item;
    if (item?.kind === 'node') return scene.graph.boxOfNode[item.node] ?? kNone;
    if (item?.kind !== 'group') return kNone;
    const first = scene.view.groups[item.group]?.first ?? kNone;
    const box = scene.graph.boxOfNode[first] ?? kNone;
    return scene.graph.boxes[box]?.group === item.group ? box : kNone;
  }

  #toggle(group: number): void {
    const { store } = this.#context;
    const view = this.#view;
    if (view === null || group === kNone) return;
    const isFolded = foldedGroups(view, store.state.graph)[group] === 1;
    this.#anchor = group;
    store.patch({ graph: withGroups(view, store.state.graph, [group], !isFolded) });
  }

  // The selected group; for anything else, the group around it.
  #toggleSelected(): void {
    const item = this.#item;
    if (item?.kind === 'group') {
      this.#toggle(item.group);
      return;
    }
    const box = this.#scene?.graph.boxes[this.#selectedBox];
    const frame = this.#scene?.graph.frames[box?.frame ?? kNone];
    if (frame === undefined) return;
    this.#selectItem({ kind: 'group', group: frame.group });
    this.#toggle(frame.group);
  }

  // What must keep its position on screen through the next layout.
  #anchor = kNone;

  // --- update

  update(change: Change): void {
    const { store } = this.#context;
    if (change.has('engine')) this.#paint = null;
    const { selected } = store.state;
    // A selection made elsewhere must be visible here.
    if (change.has('selected') && selected !== null && this.#openAround(selected)) return;
    const isMoved = change.has('selected') || change.has('item');
    const isOnlyMoved = [...change].every((key) => key === 'selected' || key === 'item');
    // Only the mark moves; an empty change is another theme or size.
    if (change.size > 0 && isOnlyMoved) this.#refresh();
    else this.#refold();
    if (isMoved) this.#revealSelected();
  }

  // Opens the groups that hide a layer; true if that changes the state.
  #openAround(row: number): boolean {
    const { store } = this.#context;
    const view = this.#view;
    const node = view?.nodeOfLayer(store.engine.layerId(row)) ?? null;
    if (view === null || node === null) return false;
    const folded = foldedGroups(view, store.state.graph);
    const around = view.groupsAround(node).filter((group) => folded[group] === 1);
    if (around.length === 0) return false;
    store.patch({ graph: withGroups(view, store.state.graph, around, false) });
    return true;
  }

  // Builds a new scene if another one is needed; else only what is drawn of this one.
  #refold(): void {
    const { store } = this.#context;
    const { engine } = store;
    const { graph, names } = store.state;
    const name = [graph.view, ...kGraphViews].find((view) => engine.hasGraph(view));
    this.#view = name === undefined ? null : engine.graph(name);
    replace(this.#tools, ...tools(store, this.#view, this.#actions, this.#percent));
    this.#percent.textContent = zoomText(this.#stage.camera.zoom);
    replace(this.#conclusion, conclusionLine(graphConclusion(store)));
    const key = JSON.stringify([store.state.engine, { ...graph, colour: null }, names]);
    if (this.#view === null) {
      this.#paint = null;
      this.#busy.textContent = 'No graph: the files name layers but no tensors between them.';
    } else if (key !== this.#wanted) {
      this.#wanted = key;
      void this.#layOut(this.#view);
    } else if (this.#scene !== null) {
      // The same boxes in the same places; new texts, colours, selection.
      this.#dress(this.#scene.renew(store));
    }
  }

  async #layOut(view: PlanGraphView): Promise<void> {
    const { store } = this.#context;
    const { run } = this.#layouts;
    const { constants } = store.state.graph;
    this.#ticket += 1;
    const ticket = this.#ticket;
    const isCurrent = (): boolean => ticket === this.#ticket && !this.#ended.signal.aborted;
    const hidden = Uint8Array.from(view.nodes.kind, (_, node) =>
      !constants && view.isConstant(node) ? 1 : 0,
    );
    let busy = 0;
    try {
      const folded = foldedGroups(view, store.state.graph);
      const scene = await makeScene(run, store, view, folded, hidden);
      if (!isCurrent()) return;
      busy = window.setTimeout(() => {
        this.#busy.textContent = `laying out ${plural(scene.graph.boxes.length, 'box', 'boxes')} …`;
      }, kBusyAfterMs);
      await scene.layOut(run);
      if (isCurrent()) this.#install(scene);
    } catch (error) {
      if (isCurrent()) this.#context.note(`the graph could not be laid out: ${String(error)}`);
    } finally {
      window.clearTimeout(busy);
      if (isCurrent()) this.#busy.textContent = '';
    }
  }

  #install(scene: Scene): void {
    const before = this.#scene;
    const anchored = before === null ? null : this.#anchored(before, scene);
    // If all of it was in view, show all of the next one: the same part of it could be empty.
    const isAllWanted = this.#fitsNext || (before !== null && this.#showsAll(before));
    this.#fitsNext = false;
    this.#dress(scene);
    if (before === null) this.#stage.look(this.#start(scene));
    else if (isAllWanted && this.#anchor === kNone) this.#stage.look(this.#whole(scene));
    else if (anchored !== null) this.#stage.look(anchored);
    else this.#stage.look({ ...this.#start(scene), zoom: this.#stage.camera.zoom });
    this.#anchor = kNone;
    this.#revealSelected();
    this.#host.dataset.boxes = String(scene.graph.boxes.length);
  }

  // The camera that keeps the toggled group, the selection or the middle of the view in place.
  #anchored(before: Scene, after: Scene): Camera | null {
    if (before.view !== after.view) return null;
    const node = this.#anchorNode(before);
    const from = before.graph.boxOfNode[node] ?? kNone;
    const to = after.graph.boxOfNode[node] ?? kNone;
    if (from === kNone || to === kNone) return null;
    const a = before.placed.box(from);
    const b = after.placed.box(to);
    const { camera } = this.#stage;
    return {
      ...camera,
      x: camera.x + b.x + b.width / 2 - a.x - a.width / 2,
      y: camera.y + b.y - a.y,
    };
  }

  #anchorNode(scene: Scene): number {
    const first = (group: number): number => scene.view.groups[group]?.first ?? kNone;
    if (this.#anchor !== kNone) return first(this.#anchor);
    const { x0, y0, x1, y1 } = this.#stage.bounds;
    const selected = this.#selectedBox;
    const [middle = kNone] = scene.placed.boxGrid.query({ x0, x1, y0: (y0 + y1) / 2, y1 });
    const box = scene.graph.boxes[selected === kNone ? middle : selected];
    return box?.node === kNone ? first(box.group) : (box?.node ?? kNone);
  }

  // From the top, with the first box in the middle of the uncovered part.
  #start(scene: Scene): Camera {
    const { placed } = scene;
    const free = this.#stage.width - this.#covered();
    // Slightly smaller if the names of the first boxes would otherwise begin outside.
    const firstBoxes = [...placed.byHeight.slice(0, kFirstBoxes)].map((box) => placed.box(box));
    const widest = Math.max(0, ...firstBoxes.map(({ width }) => width));
    const zoom = Math.min(1, Math.max(kReadable, free / (widest + 2 * kStartMargin)));
    const room = free / zoom;
    const [first] = firstBoxes;
    if (placed.width <= room || first === undefined) {
      return { x: (placed.width - room) / 2, y: -24, zoom };
    }
    return { x: Math.max(-24, first.x + (first.width - room) / 2), y: -24, zoom };
  }

  // --- fitting

  // The next scene is to be shown whole.
  #fitsNext = false;

  // The part of the canvas that nothing covers.
  get #free(): { readonly width: number; readonly height: number } {
    const { width, height } = this.#stage;
    return { width: Math.max(1, width - this.#covered()), height };
  }

  #showsAll({ placed }: Scene): boolean {
    const { x0, y0, x1, y1 } = this.#stage.bounds;
    return x0 <= 0 && y0 <= 0 && x1 >= placed.width && y1 >= placed.height;
  }

  // All of a scene; if it is too long to show whole, its beginning over the full width.
  #whole(scene: Scene): Camera {
    const camera = fit(scene.placed, this.#free);
    if (camera.zoom >= kMinFit) return camera;
    const { width } = this.#free;
    const zoom = Math.max(kMinFit, Math.min(1, width / Math.max(1, scene.placed.width)));
    return { x: scene.placed.width / 2 - width / 2 / zoom, y: -24 / zoom, zoom };
  }

  // Boxes of one pixel are no help: then the groups are folded first.
  #fit(): void {
    const { store } = this.#context;
    const scene = this.#scene;
    const view = this.#view;
    if (scene === null || view === null) return;
    const { graph } = store.state;
    const isTooLong = fit(scene.placed, this.#free).zoom < kMinFit;
    const isFolded = graph.folding === 'folded' && graph.toggled.length === 0;
    if (isTooLong && !isFolded && view.groups.length > 0) {
      this.#fitsNext = true;
      store.patch({ graph: { ...graph, folding: 'folded', toggled: [] } });
      return;
    }
    if (isTooLong) this.#context.note('too long to show whole; this is the beginning');
    this.#stage.go(this.#whole(scene));
  }

  // Pixels at the right covered by the map, and by the panel if it overlaps.
  #covered(): number {
    if (![...this.#side.children].some((part) => part.clientHeight > 0)) return 0;
    const { right } = this.#stage.node.getBoundingClientRect();
    return right - this.#side.getBoundingClientRect().left + kSideGap;
  }

  #revealSelected(): void {
    const box = this.#selectedBox;
    if (box === kNone || this.#scene === null) return;
    this.#stage.reveal(this.#scene.placed.box(box), this.#covered(), kReadable);
  }

  // --- drawing

  #look(paint: Paint): Look {
    const { store } = this.#context;
    const { scene } = paint;
    const { mask } = store.selection;
    const item = this.#item;
    const stays = (box: number): boolean => {
      const rows = scene.rowsOf(box);
      const isGroup = scene.graph.boxes[box]?.node === kNone;
      return rows.length === 0 ? !isGroup : rows.some((row) => mask[row] === 1);
    };
    return {
      paint,
      selected: this.#selectedBox,
      hovered: store.hovered === null ? kNone : scene.boxOfRow(store.hovered),
      selectedGroup: item?.kind === 'group' ? item.group : kNone,
      stays: store.state.chips.length === 0 ? null : stays,
    };
  }

  // Colours, ruler, map and legend of a scene.
  #dress(scene: Scene): void {
    const { store } = this.#context;
    this.#paint = new Paint(store, scene, this.#context.palette());
    this.#ruler = new Ruler(store, this.#paint);
    this.#map.show(this.#paint);
    replace(this.#legend, ...legend(this.#paint));
    this.#label(scene);
    this.#refresh();
  }

  #refresh(): void {
    if (this.#paint === null || this.#ruler === null) return;
    this.#stage.show(this.#look(this.#paint), this.#ruler);
    this.#moved(this.#stage.camera);
  }

  #moved(camera: Camera): void {
    this.#percent.textContent = zoomText(camera.zoom);
    this.#map.draw(camera, this.#stage.width, this.#stage.height, this.#selectedBox);
  }

  #label(scene: Scene): void {
    const conclusion = graphConclusion(this.#context.store);
    const { boxes, edges, frames } = scene.graph;
    const folded = boxes.filter((box) => box.group !== kNone).length;
    const parts = [
      conclusion === null ? '' : `${conclusion.headline} ${conclusion.text}`,
      `Graph of ${plural(boxes.length, 'box', 'boxes')} and ${plural(edges.length, 'edge')}`,
      folded === 0 ? '' : `, ${plural(folded, 'folded block')}`,
      frames.length === 0 ? '' : `, ${plural(frames.length, 'open block')}`,
      '. The table in the Layers view has the same layers.',
    ];
    this.#stage.canvas.setAttribute('aria-label', parts.filter((part) => part !== '').join(' '));
  }

  // --- export

  #svg(): string | null {
    const look = this.#stage.shown;
    const { bounds, camera } = this.#stage;
    const title = `${this.#context.store.engineTitle}, graph`;
    return look === null ? null : svgOf(look, bounds, camera.zoom, title);
  }

  #save(kind: string, file: (svg: string) => Blob | Promise<Blob | null>): void {
    const svg = this.#svg();
    if (svg === null) return;
    void Promise.resolve(file(svg)).then((blob) => {
      if (blob === null) this.#context.note('the browser could not write the picture');
      else this.#context.download(`${this.#context.store.engineTitle}.graph.${kind}`, blob);
    });
  }

  // --- keys

  key(key: string): boolean {
    const stage = this.#stage;
    const actions: Readonly<Record<string, () => void>> = {
      w: () => stage.pan(0, -kPanStep),
      s: () => stage.pan(0, kPanStep),
      a: () => stage.pan(-kPanStep, 0),
      d: () => stage.pan(kPanStep, 0),
      '+': () => stage.zoom(kZoomStep),
      '=': () => stage.zoom(kZoomStep),
      '-': () => stage.zoom(1 / kZoomStep),
      z: () => this.#fit(),
      o: () => this.#toggleSelected(),
      j: () => this.#step(1),
      k: () => this.#step(-1),
      ArrowDown: () => this.#step(1),
      ArrowUp: () => this.#step(-1),
      '[': () => this.#along('producer'),
      ']': () => this.#along('consumer'),
    };
    const action = Object.hasOwn(actions, key) ? actions[key] : undefined;
    if (action === undefined || this.#scene === null) return false;
    action();
    return true;
  }

  #step(by: 1 | -1): void {
    const count = this.#scene?.graph.boxes.length ?? 0;
    if (count === 0) return;
    const at = this.#selectedBox;
    const next = at === kNone ? (by > 0 ? 0 : count - 1) : at + by;
    this.#select(Math.min(count - 1, Math.max(0, next)));
  }

  // To a writer of the selected box's inputs, or a reader of its outputs; of several, the nearest.
  #along(way: 'producer' | 'consumer'): void {
    const box = this.#selectedBox;
    let next = kNone;
    for (const { from, to } of this.#scene?.edges ?? []) {
      const [here, there] = way === 'producer' ? [to, from] : [from, to];
      if (here !== box || there === box) continue;
      if (next === kNone || Math.abs(there - box) < Math.abs(next - box)) next = there;
    }
    if (next === kNone) this.#context.note(`no ${way} in this view`);
    else this.#select(next);
  }

  reveal(): void {
    this.#revealSelected();
  }

  destroy(): void {
    this.#ended.abort();
    this.#unsubscribe();
    this.#stage.destroy();
    this.#layouts.close();
    this.#host.classList.remove('graph');
    delete this.#host.dataset.boxes;
  }
}

export const view: View = {
  id: 'graph',
  title: 'Graph',
  needs: ['layers', 'graph'],
  mount: (host, context) => new GraphPage(host, context),
};
