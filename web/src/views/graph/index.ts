// Graph: how does data flow, where does the type change, where are the copies?

import {
  div,
  el,
  foldedGroups,
  itemText,
  kColourModes,
  kGraphViews,
  parseItem,
  plural,
  replace,
  span,
  withGroups,
  type Change,
  type GraphChoice,
  type GraphItem,
  type GraphView as PlanGraphView,
  type MountedView,
  type View,
  type ViewContext,
} from '../../public/index.ts';
import { LayoutClient } from '../../public/layout.ts';
import {
  type Camera,
  fit,
  kNone,
  type Look,
  pngOf,
  svgOf,
  type Seen,
  Paint,
  streamsOf,
  makeScene,
  type Scene,
} from '../../public/drawing.ts';
import { Follow } from './follow.ts';
import { graphConclusion } from './conclusion.ts';
import { Legend } from './legend.ts';
import { Minimap } from './minimap.ts';
import { PrintedGraph } from './print.ts';
import { Ruler } from './ruler.ts';
import { Stage, type Target } from './stage.ts';
import { Toolbar } from './toolbar.ts';
import './graph.css';

const kBusyAfterMs = 200;
// What is looked at for the first look.
const kFirstBoxes = 20;
const kStartMargin = 2;
const kReadable = 0.7;
// Smaller than this a box is a line of a pixel.
const kMinFit = 0.05;
const kPanStep = 90;
const kZoomStep = 1.25;
const kSideGap = 16;

class GraphPage implements MountedView {
  readonly #context: ViewContext;
  readonly #host: HTMLElement;
  readonly #tools: Toolbar;
  readonly #stage: Stage;
  readonly #conclusion = div('graph-conclusion');
  readonly #side = div('graph-side');
  readonly #busy = el('div', { class: 'graph-busy', attrs: { role: 'status' } });
  readonly #map: Minimap;
  readonly #legend = new Legend();
  readonly #layouts = new LayoutClient();
  readonly #printed: PrintedGraph;
  readonly #unsubscribe: () => void;
  #view: PlanGraphView | null = null;
  #scene: Scene | null = null;
  #paint: Paint | null = null;
  #ruler: Ruler | null = null;
  // What the scene on screen was made for, and the one that is being laid out.
  #wanted = '';
  #ticket = 0;
  #destroyed = false;

  constructor(host: HTMLElement, context: ViewContext) {
    this.#context = context;
    this.#host = host;
    this.#tools = this.#makeTools();
    this.#map = new Minimap((x, y) => this.#stage.look(this.#stage.centre(x, y)));
    replace(this.#side, this.#map.node, this.#legend.node);
    this.#stage = this.#makeStage();
    this.#printed = new PrintedGraph(() => {
      const part = this.#seen();
      return part === null ? null : svgOf(part, this.#title());
    });
    host.classList.add('graph');
    replace(host, this.#tools.node, this.#conclusion, this.#stage.node, this.#printed.node);
    this.#unsubscribe = context.store.onHover(() => this.#refresh());
    this.#refold();
  }

  // --- parts

  #makeTools(): Toolbar {
    const { store } = this.#context;
    const choose = (part: Partial<GraphChoice>): void =>
      store.patch({ graph: { ...store.state.graph, ...part } });
    return new Toolbar({
      colour: (colour) => choose({ colour }),
      view: (view) => {
        store.patch({
          graph: { ...store.state.graph, view, folding: 'chosen', toggled: [] },
          item: null,
        });
      },
      fold: () => choose({ folding: 'folded', toggled: [] }),
      unfold: () => choose({ folding: 'open', toggled: [] }),
      constants: () => choose({ constants: !store.state.graph.constants }),
      fit: () => this.#fit(),
      zoom: (factor) => this.#stage.zoom(factor),
      zoomReset: () => this.#stage.zoom(1 / this.#stage.camera.zoom),
      saveSvg: () => this.#saveSvg(),
      savePng: () => void this.#savePng(),
      table: () => store.patch({ view: 'layers' }),
    });
  }

  #makeStage(): Stage {
    const { store, tooltip } = this.#context;
    return new Stage(
      {
        hover: (target, event) => {
          const row = this.#rowOf(target);
          store.hover(row);
          const box = target.kind === 'box' ? this.#scene?.graph.boxes[target.box] : undefined;
          if (row !== null) tooltip.layer(row, event);
          else if (box !== undefined) {
            tooltip.lines(this.#scene?.maker.tooltip(box) ?? [], event);
          } else tooltip.hide();
        },
        leave: () => {
          store.hover(null);
          tooltip.hide();
        },
        click: (target, event) => this.#click(target, event),
        open: (target) => this.#toggle(this.#groupOf(target)),
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

  #rowOf(target: Target): number | null {
    const box = target.kind === 'box' ? this.#scene?.graph.boxes[target.box] : undefined;
    return box === undefined || box.node === kNone
      ? null
      : (this.#scene?.maker.rowOf(box.node) ?? null);
  }

  // The folded group of a box, or the open one of a frame.
  #groupOf(target: Target): number {
    if (target.kind === 'box') return this.#scene?.graph.boxes[target.box]?.group ?? kNone;
    return target.kind === 'nothing' ? kNone : target.group;
  }

  // --- selection

  #click(target: Target, event: PointerEvent): void {
    const { store } = this.#context;
    const row = this.#rowOf(target);
    if (row !== null && event.altKey) {
      const type = store.engine.layers.text('type', row);
      if (type !== null) {
        store.addChip({ field: 'type', op: ':', values: [type], negated: false });
      }
      return;
    }
    if (target.kind === 'box') {
      this.select(target.box);
      return;
    }
    if (target.kind === 'title') {
      this.#selectItem({ kind: 'group', group: target.group });
      return;
    }
    if (store.state.selected !== null || store.state.item !== null) {
      store.patch({ selected: null, item: null });
    }
  }

  // A box, whatever it stands for.
  select(index: number): void {
    const box = this.#scene?.graph.boxes[index];
    if (box === undefined) return;
    const row = this.#rowOf({ kind: 'box', box: index });
    if (row !== null) this.#context.store.patch({ selected: row });
    else if (box.group !== kNone) this.#selectItem({ kind: 'group', group: box.group });
    else this.#selectItem({ kind: 'node', node: box.node });
  }

  #selectItem(item: GraphItem): void {
    if (this.#view !== null) this.#context.store.patch({ item: itemText(this.#view, item) });
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
    this.#anchor = { group };
    store.patch({ graph: withGroups(view, store.state.graph, [group], !isFolded) });
  }

  // The selected group; of anything else the group around it.
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

  // What should stay where it is on screen when the next layout comes.
  #anchor: { readonly group: number } | null = null;

  // --- update

  update(change: Change): void {
    const { store } = this.#context;
    if (change.has('engine')) this.#scene = null;
    const { selected } = store.state;
    // What is selected elsewhere must be seen here.
    if (change.has('selected') && selected !== null && this.#openAround(selected)) return;
    const isMoved = change.has('selected') || change.has('item');
    const isOnlyMoved = [...change].every((key) => key === 'selected' || key === 'item');
    // Nothing but the mark moves; no change at all is another theme or size.
    if (change.size > 0 && isOnlyMoved) this.#refresh();
    else this.#refold();
    if (isMoved) this.#revealSelected();
  }

  // Opens the groups that hide a layer; true where that makes another state.
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

  #key(): string {
    const { store } = this.#context;
    const { graph, names, engine } = store.state;
    const { view, constants, folding, toggled } = graph;
    return JSON.stringify([engine, view, constants, folding, toggled, names]);
  }

  // A new scene where another is asked for; else only what is drawn of this one.
  #refold(): void {
    const { store } = this.#context;
    const wanted = store.engine.graph(store.state.graph.view);
    this.#view = wanted ?? firstGraph(store.engine);
    this.#drawTools();
    this.#drawConclusion();
    if (this.#view === null) {
      this.#showMissing();
      return;
    }
    const key = this.#key();
    if (key === this.#wanted && this.#scene !== null) {
      this.#renew();
      return;
    }
    if (key === this.#wanted) return;
    this.#wanted = key;
    void this.#layOut(this.#view);
  }

  // The same boxes in the same places: words, colours, selection.
  #renew(): void {
    if (this.#scene === null) return;
    this.#scene = this.#scene.renew(this.#context.store);
    this.#dress(this.#scene);
  }

  #hidden(view: PlanGraphView): Uint8Array {
    const hidden = new Uint8Array(view.nodes.count);
    if (this.#context.store.state.graph.constants) return hidden;
    return hidden.map((_, node) => (view.isConstant(node) ? 1 : 0));
  }

  async #layOut(view: PlanGraphView): Promise<void> {
    const { store } = this.#context;
    this.#ticket += 1;
    const ticket = this.#ticket;
    const isCurrent = (): boolean => ticket === this.#ticket && !this.#destroyed;
    const scene = makeScene(store, view, foldedGroups(view, store.state.graph), this.#hidden(view));
    const busy = window.setTimeout(() => {
      this.#busy.textContent = `laying out ${plural(scene.graph.boxes.length, 'box', 'boxes')} …`;
    }, kBusyAfterMs);
    try {
      const result = await this.#layouts.layOut(scene.layoutInput());
      if (!isCurrent()) return;
      scene.place(result);
      this.#install(scene);
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
    // Where all was in view, all of the next one is: the same part of it could be empty.
    const isAllWanted = this.#fitsNext || (before !== null && this.#showsAll(before));
    this.#fitsNext = false;
    this.#scene = scene;
    this.#dress(scene);
    if (before === null) this.#firstLook(scene);
    else if (isAllWanted && this.#anchor === null) this.#stage.look(this.#whole(scene));
    else if (anchored !== null) this.#stage.look(anchored);
    else this.#stage.look({ ...this.#start(scene), zoom: this.#stage.camera.zoom });
    this.#anchor = null;
    this.#revealSelected();
    this.#host.dataset.boxes = String(scene.graph.boxes.length);
  }

  // The camera that leaves the toggled group, the selection or the middle of the view where it is.
  #anchored(before: Scene, after: Scene): Camera | null {
    if (before.view !== after.view) return null;
    const node = this.#anchorNode(before);
    if (node === null) return null;
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

  #anchorNode(scene: Scene): number | null {
    if (this.#anchor !== null) return scene.view.groups[this.#anchor.group]?.first ?? null;
    const { x0, y0, x1, y1 } = this.#stage.bounds;
    const selected = this.#selectedBox;
    const [middle] = scene.placed.boxGrid.query({ x0, x1, y0: (y0 + y1) / 2, y1 });
    const box = scene.graph.boxes[selected === kNone ? (middle ?? kNone) : selected];
    if (box === undefined) return null;
    return box.node === kNone ? (scene.view.groups[box.group]?.first ?? null) : box.node;
  }

  // From the top, with the first box in the middle of what nothing lies over.
  #start(scene: Scene): Camera {
    const { placed } = scene;
    const free = this.#stage.width - this.#covered();
    // A little smaller where else the names of the first boxes would begin outside.
    const widest = [...placed.byHeight.slice(0, kFirstBoxes)]
      .map((box) => placed.box(box).width)
      .reduce((most, width) => Math.max(most, width), 0);
    const zoom = Math.min(1, Math.max(kReadable, free / (widest + 2 * kStartMargin)));
    const room = free / zoom;
    const first = scene.graph.boxes.length > 0 ? placed.box(placed.byHeight[0] ?? 0) : null;
    const middle =
      placed.width <= room || first === null ? placed.width / 2 : first.x + first.width / 2;
    const x = middle - room / 2;
    return { x: placed.width <= room ? x : Math.max(-24, x), y: -24, zoom };
  }

  // --- all of it

  // The next scene is to be seen whole.
  #fitsNext = false;

  // What nothing lies over.
  get #free(): { readonly width: number; readonly height: number } {
    const { width, height } = this.#stage;
    return { width: Math.max(1, width - this.#covered()), height };
  }

  #showsAll(scene: Scene): boolean {
    const { x0, y0, x1, y1 } = this.#stage.bounds;
    const { width, height } = scene.placed;
    return x0 <= 0 && y0 <= 0 && x1 >= width && y1 >= height;
  }

  // All of a scene; of one too long to be seen so, its beginning over the whole width.
  #whole(scene: Scene): Camera {
    const camera = fit(scene.placed, this.#free);
    if (camera.zoom >= kMinFit) return camera;
    const { width } = this.#free;
    const zoom = Math.max(kMinFit, Math.min(1, width / Math.max(1, scene.placed.width)));
    return { x: scene.placed.width / 2 - width / 2 / zoom, y: -24 / zoom, zoom };
  }

  // Boxes of a pixel tell nothing: then the groups are folded first.
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
    if (isTooLong) this.#context.note('too long to show whole: this is the beginning');
    this.#stage.go(this.#whole(scene));
  }

  #firstLook(scene: Scene): void {
    this.#stage.look(this.#start(scene));
  }

  // Pixels at the right that the map lies over, and the panel where it does.
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

  #look(scene: Scene, paint: Paint): Look {
    const { store } = this.#context;
    const { mask } = store.selection;
    const hovered = store.hovered === null ? kNone : scene.boxOfRow(store.hovered);
    const item = this.#item;
    const stays = (index: number): boolean => {
      const box = scene.graph.boxes[index];
      if (box === undefined) return true;
      if (box.group !== kNone) {
        return scene.maker.figures(box.group).rows.some((row) => mask[row] === 1);
      }
      const row = scene.maker.rowOf(box.node);
      return row === null || mask[row] === 1;
    };
    return {
      palette: this.#context.palette(),
      paint,
      selected: this.#selectedBox,
      hovered,
      selectedGroup: item?.kind === 'group' ? item.group : kNone,
      stays: store.state.chips.length === 0 ? null : stays,
    };
  }

  // Colours, ruler, map and legend of a scene.
  #dress(scene: Scene): void {
    const { store } = this.#context;
    const palette = this.#context.palette();
    this.#paint = new Paint(store, scene, palette);
    this.#ruler = new Ruler(store);
    this.#map.show({ scene, paint: this.#paint, palette });
    this.#legend.show(scene, this.#paint, palette);
    this.#label(scene);
    this.#refresh();
  }

  #refresh(): void {
    const scene = this.#scene;
    if (scene === null || this.#paint === null || this.#ruler === null) return;
    this.#stage.show({
      scene,
      look: this.#look(scene, this.#paint),
      palette: this.#context.palette(),
      ruler: this.#ruler,
    });
    this.#moved(this.#stage.camera);
  }

  #moved(camera: Camera): void {
    this.#tools.zoomed(camera.zoom);
    this.#map.draw(camera, this.#stage.width, this.#stage.height, this.#selectedBox);
  }

  #label(scene: Scene): void {
    const { store } = this.#context;
    const conclusion = graphConclusion(store);
    const { boxes, edges, frames } = scene.graph;
    const folded = boxes.filter((box) => box.group !== kNone).length;
    const parts = [
      conclusion === null ? '' : `${conclusion.headline} ${conclusion.text}`,
      `Graph of ${plural(boxes.length, 'box', 'boxes')} and ${plural(edges.length, 'edge')}`,
      folded === 0 ? '' : `, ${plural(folded, 'folded block')}`,
      frames.length === 0 ? '' : `, ${plural(frames.length, 'open block')}`,
      '. The table of the Layers view holds the same layers.',
    ];
    this.#stage.canvas.setAttribute('aria-label', parts.filter((part) => part !== '').join(' '));
  }

  #drawConclusion(): void {
    const conclusion = graphConclusion(this.#context.store);
    this.#conclusion.hidden = conclusion === null;
    if (conclusion === null) return;
    replace(this.#conclusion, el('b', {}, conclusion.headline), ' ', conclusion.text);
  }

  #drawTools(): void {
    const { store } = this.#context;
    const { engine } = store;
    const view = this.#view;
    this.#tools.show({
      colour: store.state.graph.colour,
      colours: kColourModes.filter((mode) => {
        if (mode === 'stream') return streamsOf(engine).length > 1;
        if (mode === 'time') return engine.hasTimes;
        if (mode === 'precision') return engine.layers.has('precision');
        return mode === 'type' || engine.layers.has('io_bytes');
      }),
      view: view?.view ?? store.state.graph.view,
      views: kGraphViews.filter((name) => engine.hasGraph(name)),
      constants: store.state.graph.constants,
      hasConstants: view?.nodes.kind.some((_, node) => view.isConstant(node)) ?? false,
      hasGroups: (view?.groups.length ?? 0) > 0,
    });
    this.#tools.zoomed(this.#stage.camera.zoom);
  }

  #showMissing(): void {
    this.#scene = null;
    this.#busy.textContent = '';
    replace(this.#busy, span('', 'No graph: the files name layers but no tensors between them.'));
  }

  // --- export

  #title(): string {
    return `${this.#context.store.engineTitle}, graph`;
  }

  #seen(): Seen | null {
    const { scene, look, palette } = this.#stage.picture ?? {};
    if (scene === undefined || look === undefined || palette === undefined) return null;
    const { camera, width, height } = this.#stage;
    return { scene, look, palette, camera, width, height };
  }

  #saveSvg(): void {
    const part = this.#seen();
    if (part === null) return;
    const blob = new Blob([svgOf(part, this.#title())], { type: 'image/svg+xml' });
    this.#context.download(`${this.#context.store.engineTitle}.graph.svg`, blob);
  }

  async #savePng(): Promise<void> {
    const part = this.#seen();
    if (part === null) return;
    try {
      const blob = await pngOf(part);
      this.#context.download(`${this.#context.store.engineTitle}.graph.png`, blob);
    } catch (error) {
      this.#context.note(String(error));
    }
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
    this.select(Math.min(count - 1, Math.max(0, next)));
  }

  #along(way: 'producer' | 'consumer'): void {
    if (this.#scene === null) return;
    const next = new Follow(this.#scene).next(this.#selectedBox, way);
    if (next === kNone) this.#context.note(`no ${way} in this view`);
    else this.select(next);
  }

  reveal(): void {
    this.#revealSelected();
  }

  destroy(): void {
    this.#destroyed = true;
    this.#unsubscribe();
    this.#printed.destroy();
    this.#stage.destroy();
    this.#layouts.close();
    this.#host.classList.remove('graph');
    delete this.#host.dataset.boxes;
  }
}

function firstGraph(engine: ViewContext['store']['engine']): PlanGraphView | null {
  const view = kGraphViews.find((name) => engine.hasGraph(name));
  return view === undefined ? null : engine.graph(view);
}

export const view: View = {
  id: 'graph',
  title: 'Graph',
  needs: ['layers', 'graph'],
  mount: (host, context) => new GraphPage(host, context),
};
