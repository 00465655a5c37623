// The layer of a finding among its neighbours, drawn like the graph.

import {
  div,
  joined,
  kMissing,
  layerPrecisionText,
  plural,
  rowOfFinding,
  type EngineFinding,
  type ViewContext,
} from '../../public/index.ts';
import {
  drawScene,
  kNone,
  neighbourhood,
  Paint,
  Scene,
  type Neighbourhood,
} from '../../drawing/index.ts';
import { LayoutClient } from '../../public/layout.ts';
import { PlotBody, type Plot } from '../../public/plot/index.ts';

const kMargin = 8;
const kBoxWidth = 232;
// If a drawing is wider than the panel, boxes can be this narrow; beyond that it scrolls.
const kMinBoxWidth = 150;
// Edge labels need room whatever the box width, so narrower boxes do not always suffice.
const kMaxLayouts = 4;

// The page has one panel, so one drawing at a time; starting a worker takes longer than a layout.
let layouts: LayoutClient | null = null;
let shown: PlotBody | null = null;

function sceneOf(context: ViewContext, around: Neighbourhood, boxWidth = kBoxWidth): Scene | null {
  const { store } = context;
  const view = store.engine.graph('execution');
  if (view === null) return null;
  const { graph } = around;
  const hasSkips = graph.edges.some((edge) => edge.edge !== kNone && edge.to !== edge.from + 1);
  // Next to edges that pass boxes there is no room for one-line labels.
  return new Scene({ store, view, graph, fit: { boxWidth, isNarrow: hasSkips } });
}

const widthOf = ({ placed }: Scene): number => Math.ceil(placed.width) + 2 * kMargin;

// Boxes as wide as `place` allows.
async function laidOut(
  context: ViewContext,
  around: Neighbourhood,
  first: Scene,
  place: HTMLElement,
): Promise<Scene> {
  layouts ??= new LayoutClient();
  let scene = first;
  let width = kBoxWidth;
  for (let i = 0; ; i += 1) {
    await scene.layOut(layouts.run);
    const room = place.clientWidth;
    const over = widthOf(scene) - room;
    if (i + 1 === kMaxLayouts || room === 0 || over <= 0 || width === kMinBoxWidth) return scene;
    width = Math.max(kMinBoxWidth, width - over);
    scene = sceneOf(context, around, width) ?? scene;
  }
}

function draw(plot: Plot, { store }: ViewContext, scene: Scene, selected: number): void {
  const { palette, width, height } = plot;
  const look = {
    paint: new Paint(store, scene, palette, 'type'),
    selected,
    hovered: kNone,
    selectedGroup: kNone,
    stays: null,
  };
  const bounds = { x0: -kMargin, y0: -kMargin, x1: width - kMargin, y1: height - kMargin };
  plot.paint((pen) => pen.moved(kMargin, kMargin, () => drawScene(pen, look, bounds)));
  for (const i of scene.graph.boxes.keys()) {
    const row = scene.rowOf(i);
    const box = scene.placed.box(i);
    const [x, y] = [box.x + kMargin, box.y + kMargin];
    if (row !== null) plot.rect(x, y, x + box.width, y + box.height, {}, { row });
  }
}

export interface Evidence {
  readonly node: HTMLElement;
  // What does not fit.
  readonly note: string;
}

// Null if nothing is known about the layer's tensors, or the finding is not about a layer.
export function evidenceOf(context: ViewContext, finding: EngineFinding): Evidence | null {
  const { store } = context;
  const { engine } = store;
  const row = rowOfFinding(engine, finding);
  const view = engine.graph('execution');
  if (row === null || view === null) return null;
  const also = finding.savings.flatMap((saving) => engine.rowOf(saving.layer_id) ?? []);
  const around = neighbourhood(engine, view, row, also);
  if (around === null || around.graph.boxes.length < 2) return null;
  const first = sceneOf(context, around);
  if (first === null) return null;
  const words = around.graph.boxes.map(({ node }, i) => {
    const at = first.rowOf(i);
    return at === null
      ? (view.name(node) ?? kMissing)
      : `${store.layerLabel(at)}, ${layerPrecisionText(engine, at)}`;
  });
  const label = `From top to bottom: ${words.map((word) => word.slice(0, 200)).join('; ')}`;
  const place = div('evidence-drawing');
  laidOut(context, around, first, place)
    .then((scene) => {
      // Another finding is in the panel by now.
      if (!place.isConnected) return;
      const body = new PlotBody(context, {
        label: () => label,
        height: () => Math.ceil(scene.placed.height) + 2 * kMargin,
        draw: (plot) => draw(plot, context, scene, around.centre),
      });
      shown?.destroy();
      shown = body;
      body.node.style.width = `${String(widthOf(scene))}px`;
      place.append(body.node);
      body.draw(widthOf(scene));
    })
    .catch(() => {
      // The facts follow below in words.
      place.remove();
    });
  const { moreBefore, moreAfter } = around;
  const more = [
    moreBefore > 0 && plural(moreBefore, 'further writer'),
    moreAfter > 0 && plural(moreAfter, 'further reader'),
  ];
  return { node: place, note: joined(more, ', ') };
}
