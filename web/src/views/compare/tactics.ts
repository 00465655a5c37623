// Layers for which the builds chose other kernels or formats, where logs of both tell: by how much
// the other build's winner lost, and whether that is more than noise.

import {
  column,
  el,
  integer,
  kernelText,
  middleEllipsis,
  numbers,
  plainTable,
  plural,
  sectionTitle,
  span,
  tacticTimeText,
  visible,
  type Column,
  type TacticDifference,
  type TacticDifferences,
} from '../../public/index.ts';

const kMaxLayers = 40;
// Names of kernels differ at their ends.
const kLetters = 44;

// "same candidates, other winner by 200 ns in A, 200 ns in B".
export function reasonText(layer: TacticDifference): string {
  const parts: string[] = [];
  const { a_margin_ms: inA, b_margin_ms: inB } = layer;
  const margins = [
    inA === null ? null : `${tacticTimeText(inA)} in A`,
    inB === null ? null : `${tacticTimeText(inB)} in B`,
  ].filter((part) => part !== null);
  if (!layer.are_formats_same) parts.push('other formats');
  else parts.push(layer.are_candidates_same ? 'same candidates' : 'other candidates');
  if (margins.length > 0) parts.push(`other winner by ${margins.join(', ')}`);
  if (layer.is_within_noise !== null) {
    parts.push(layer.is_within_noise ? 'within the noise' : 'more than the noise');
  }
  return parts.join(', ');
}

function nameColumn(
  head: string,
  nameOf: (layer: TacticDifference) => string,
): Column<TacticDifference> {
  const short = (layer: TacticDifference): string =>
    middleEllipsis(nameOf(layer), kLetters, (part) => part.length);
  return column(head, short, { cellClass: 'name', title: nameOf });
}

export function tacticsPart(differences: TacticDifferences): HTMLElement {
  const { layers, compared } = differences;
  const more = layers.length - kMaxLayers;
  const sentence = visible(differences.sentence);
  return el(
    'section',
    { class: 'block' },
    sectionTitle(
      'Kernels that builders chose',
      `${plural(compared, 'layer')} whose choice is known in both`,
    ),
    el('p', {}, `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}.`),
    layers.length === 0
      ? null
      : plainTable('compare-tactics-table', layers.slice(0, kMaxLayers), [
          nameColumn('layer', (layer) => visible(layer.layer)),
          nameColumn('kernel in A', (layer) =>
            kernelText(layer.a_tactic_name, layer.a_runner, layer.a_tactic),
          ),
          numbers('time', (layer) => tacticTimeText(layer.a_ms)),
          nameColumn('kernel in B', (layer) =>
            kernelText(layer.b_tactic_name, layer.b_runner, layer.b_tactic),
          ),
          numbers('time', (layer) => tacticTimeText(layer.b_ms)),
          column('', reasonText, { cellClass: 'soft' }),
        ]),
    more > 0 ? el('p', { class: 'soft' }, span('', `${integer(more)} more in the JSON`)) : null,
  );
}
