// The details of several selected layers: what they sum up to and have in common.

import { div, el, span, type Child } from '../base/dom.ts';
import {
  bytesText,
  flopsQuantity,
  integer,
  inUnit,
  percent,
  quantityText,
  timeUnit,
} from '../base/format.ts';
import { visible } from '../base/text.ts';
import { inCommon, sumsOf, type SummedColumn } from '../model/common_facts.ts';
import type { Store } from '../model/store.ts';
import { iconButton, type FittedName } from '../public/marks.ts';

const kMaxListed = 40;

const kSumTitles: Readonly<Record<SummedColumn, string>> = {
  footprint_bytes: 'moved',
  weight_bytes: 'weights',
  flops: 'work',
};

const kCommonTitles: Readonly<Record<string, string>> = {
  type: 'type',
  subtype: 'subtype',
  precision: 'reads',
  output_precision: 'writes',
  compute_precision: 'computes',
  tactic: 'tactic',
  origin: 'origin',
  stream: 'stream',
};

export function severalParts(store: Store, names: FittedName[]): readonly Child[] {
  const { engine, basis, selectedRows: rows } = store;
  const sums = sumsOf(engine, rows, basis);
  const unit = timeUnit(sums.ms ?? 0);
  const facts = (pairs: readonly (readonly [string, string])[]): HTMLElement =>
    el(
      'dl',
      { class: 'facts' },
      ...pairs.flatMap(([title, value]) => [el('dt', {}, title), el('dd', {}, value)]),
    );
  const known = (column: SummedColumn): readonly (readonly [string, string])[] => {
    const { sum, count } = sums.known[column];
    if (count === 0) return [];
    const text = column === 'flops' ? quantityText(flopsQuantity(sum)) : bytesText(sum);
    const of = count < rows.length ? ` of ${integer(count)} layers` : '';
    return [[kSumTitles[column], text + of]];
  };
  const common = inCommon(engine, rows);
  return [
    el(
      'div',
      { class: 'panel-head' },
      div(
        'panel-line',
        span('dim', `${integer(rows.length)} layers selected`),
        span('grow'),
        iconButton('close', 'Close (Esc)', () => store.patch({ selected: null })),
      ),
      sums.ms === null
        ? null
        : div(
            'panel-line figures',
            span('key-figure', inUnit(sums.ms, unit), el('small', {}, unit.unit)),
            span('soft', `${percent(sums.share)} % of Σ`),
          ),
    ),
    el(
      'section',
      {},
      el('h3', {}, 'Sums'),
      facts([...known('footprint_bytes'), ...known('weight_bytes'), ...known('flops')]),
    ),
    common.length === 0
      ? null
      : el(
          'section',
          {},
          el('h3', {}, 'In common'),
          facts(
            common.map(({ column, value }) => [kCommonTitles[column] ?? column, visible(value)]),
          ),
        ),
    el(
      'section',
      {},
      el('h3', {}, 'Layers'),
      ...rows.slice(0, kMaxListed).map((row) => {
        const node = el('button', {
          class: 'link cut',
          attrs: { type: 'button' },
          on: { click: () => store.patch({ selected: row }) },
        });
        names.push({ name: engine.layerName(row), node });
        return div('panel-line listed', span('dim right', String(engine.layerId(row))), node);
      }),
      rows.length > kMaxListed ? div('dim', `and ${integer(rows.length - kMaxListed)} more`) : null,
    ),
  ];
}
