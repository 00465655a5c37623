// The meaning of the colours and widths that occur in this graph.

import { bytesText, div, span, type ColourMode } from '../../public/index.ts';
import {
  edgeWidth,
  kHatchFill,
  kThinUpTo,
  type LegendEntry,
  type Paint,
} from '../../drawing/index.ts';

const kBoxTitles: Readonly<Record<ColourMode, string>> = {
  type: 'Box: layer type',
  precision: 'Box: input precision',
  time: 'Box: time',
  memory: 'Box: bytes moved',
  stream: 'Box: stream',
};

function row(mark: Element, text: string): HTMLElement {
  return div('legend-row line', mark, span('', text));
}

function boxRow({ fill, label }: LegendEntry): HTMLElement {
  if (fill === kHatchFill) return row(span('swatch f-reformat hatched'), label);
  const mark = span(fill === null ? 'swatch unknown' : 'swatch');
  if (typeof fill === 'string') mark.style.background = fill;
  return row(mark, label);
}

function lineRow(colour: string, width: number, label: string): HTMLElement {
  const mark = span('legend-line');
  mark.style.background = colour;
  mark.style.height = `${width.toFixed(1)}px`;
  return row(mark, label);
}

// Three sizes that occur, starting with the smallest that is wider than a thin line.
function sizes({ scene }: Paint): readonly number[] {
  const most = scene.edges.reduce((max, { facts }) => Math.max(max, facts.bytes ?? 0), 0);
  if (most <= kThinUpTo) return [];
  return most <= 3 * kThinUpTo ? [kThinUpTo, most] : [kThinUpTo, Math.sqrt(kThinUpTo * most), most];
}

export function legend(paint: Paint): readonly HTMLElement[] {
  const { scene, palette } = paint;
  const grey = palette.ui('ink3');
  const hasFindings = scene.engine.findings.some((finding) => finding.layer_id !== null);
  const parts: readonly (readonly [string, readonly HTMLElement[]])[] = [
    [kBoxTitles[paint.mode], paint.boxLegend().map(boxRow)],
    [
      'Edge: precision',
      paint
        .edgeLegend()
        .map(({ fill, label }) => lineRow(typeof fill === 'string' ? fill : grey, 3, label)),
    ],
    [
      'Edge width: bytes',
      sizes(paint).map((bytes) => lineRow(grey, edgeWidth(bytes), bytesText(bytes))),
    ],
    ['', hasFindings ? [row(span('legend-sign', '△'), 'finding')] : []],
  ];
  return parts
    .filter(([, rows]) => rows.length > 0)
    .map(([title, rows]) => div('legend-part', div('dim', title), ...rows));
}
