// The details of several selected layers: their sums and what they have in common.

import { div, span, type Child } from '../base/dom.ts';
import { bytesText, flopsText, integer, inUnit, percent, timeUnit } from '../base/format.ts';
import { inCommon, sumsOf, type SummedColumn } from '../model/common_facts.ts';
import type { Store } from '../model/store.ts';
import { keyFigure } from '../public/key_figures.ts';
import type { FittedName } from '../public/page/marks.ts';
import { panelHead, panelSection } from '../public/panel.ts';
import { factGrid, layerLine, type TextFact } from './panel_parts.ts';

const kMaxListed = 40;

const kCommonTitles: Readonly<Record<string, string>> = {
  precision: 'reads',
  output_precision: 'writes',
  compute_precision: 'computes',
};

export function severalParts(store: Store, names: FittedName[]): readonly Child[] {
  const { engine, basis, selectedRows: rows } = store;
  const sums = sumsOf(engine, rows, basis);
  const unit = timeUnit(sums.ms ?? 0);
  const known = (title: string, column: SummedColumn, text: (sum: number) => string): TextFact => {
    const { sum, count } = sums.known[column];
    const of = count < rows.length ? ` of ${integer(count)} layers` : '';
    return [title, count === 0 ? null : text(sum) + of];
  };
  const common = inCommon(engine, rows);
  return [
    panelHead(
      [span('dim', `${integer(rows.length)} layers selected`)],
      [],
      () => store.patch({ selected: null }),
      sums.ms === null
        ? null
        : div(
            'panel-line figures',
            keyFigure(inUnit(sums.ms, unit), unit.unit),
            span('soft', `${percent(sums.share)} % of Σ`),
          ),
    ),
    panelSection(
      'Sums',
      null,
      factGrid([
        known('moved', 'footprint_bytes', bytesText),
        known('weights', 'weight_bytes', bytesText),
        known('work', 'flops', flopsText),
      ]),
    ),
    common.length === 0
      ? null
      : panelSection(
          'In common',
          null,
          factGrid(common.map(({ column, value }) => [kCommonTitles[column] ?? column, value])),
        ),
    panelSection(
      'Layers',
      null,
      ...rows
        .slice(0, kMaxListed)
        .map((row) =>
          layerLine(store, names, span('dim right listed', String(engine.layerId(row))), row, null),
        ),
      rows.length > kMaxListed ? div('dim', `and ${integer(rows.length - kMaxListed)} more`) : null,
    ),
  ];
}
