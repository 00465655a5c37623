// What colours and widths mean, of what this graph has.

import {
  bytesText,
  div,
  el,
  replace,
  span,
  type ColourMode,
  type Palette,
} from '../../public/index.ts';
import {
  edgeWidth,
  type LegendEntry,
  type Paint,
  kHatchFill,
  type Scene,
} from '../../public/drawing.ts';

const kBoxTitles: Readonly<Record<ColourMode, string>> = {
  type: 'Box: layer type',
  precision: 'Box: input precision',
  time: 'Box: time',
  memory: 'Box: bytes moved',
  stream: 'Box: stream',
};

function swatch({ fill }: LegendEntry): HTMLElement {
  if (fill === kHatchFill) return span('swatch f-reformat hatched');
  const node = span(fill === null ? 'swatch unknown' : 'swatch');
  if (typeof fill === 'string') node.style.background = fill;
  return node;
}

function row(mark: Element, text: string): HTMLElement {
  return div('legend-row', mark, span('', text));
}

function line(colour: string, width: number): HTMLElement {
  const node = span('legend-line');
  node.style.background = colour;
  node.style.height = `${width.toFixed(1)}px`;
  return node;
}

// Three sizes that occur, from the least that is wider than a thin line.
function sizes(scene: Scene): readonly number[] {
  let most = 0;
  for (const { facts } of scene.edges) most = Math.max(most, facts.bytes ?? 0);
  if (most <= 4e6) return [];
  return most <= 12e6 ? [4e6, most] : [4e6, Math.sqrt(4e6 * most), most];
}

export function legend(scene: Scene, paint: Paint, palette: Palette): readonly HTMLElement[] {
  const boxes = paint.boxLegend();
  const edges = paint.edgeLegend(scene);
  const widths = sizes(scene);
  const hasFindings = scene.engine.findings.some((finding) => finding.layer_id !== null);
  const section = (title: string, rows: readonly HTMLElement[]): HTMLElement | null =>
    rows.length === 0 ? null : div('legend-part', div('legend-title', title), ...rows);
  const sections = [
    section(
      kBoxTitles[paint.mode],
      boxes.map((entry) => row(swatch(entry), entry.label)),
    ),
    section(
      'Edge: precision',
      edges.map((entry) =>
        row(line(typeof entry.fill === 'string' ? entry.fill : palette.ui('ink3'), 3), entry.label),
      ),
    ),
    section(
      'Edge width: bytes',
      widths.map((bytes) => row(line(palette.ui('ink3'), edgeWidth(bytes)), bytesText(bytes))),
    ),
    hasFindings ? section('', [row(span('legend-sign', '△'), 'finding')]) : null,
  ];
  return sections.filter((part) => part !== null);
}

export class Legend {
  readonly node = el('div', {
    class: 'graph-legend',
    attrs: { role: 'group', 'aria-label': 'Legend' },
  });

  show(scene: Scene, paint: Paint, palette: Palette): void {
    replace(this.node, ...legend(scene, paint, palette));
  }
}
