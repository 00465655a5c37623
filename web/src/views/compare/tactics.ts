// Layers for which the builds chose different kernels or formats, if logs of both record it: by how
// much the other build's winner lost, and whether that is more than noise.

import {
  column,
  el,
  integer,
  joined,
  kernelText,
  middleEllipsis,
  numbers,
  plainTable,
  plural,
  sectionTitle,
  tacticTimeText,
  visible,
  type Column,
  type TacticDifference,
  type TacticDifferences,
} from '../../public/index.ts';

const kMaxLayers = 40;
// Names of kernels differ at their ends.
const kLetters = 44;

// "same candidates, a different winner by 200 ns in A, 200 ns in B".
export function reasonText(layer: TacticDifference): string {
  const { a_margin_ms: inA, b_margin_ms: inB, is_within_noise: isNoise } = layer;
  const candidates = layer.are_candidates_same ? 'same candidates' : 'other candidates';
  const margins = joined(
    [
      inA === null ? null : `${tacticTimeText(inA)} in A`,
      inB === null ? null : `${tacticTimeText(inB)} in B`,
    ],
    ', ',
  );
  return joined(
    [
      layer.are_formats_same ? candidates : 'other formats',
      margins === '' ? null : `a different winner by ${margins}`,
      isNoise === null ? null : isNoise ? 'within the noise' : 'more than the noise',
    ],
    ', ',
  );
}

function nameColumn(
  head: string,
  nameOf: (layer: TacticDifference) => string,
): Column<TacticDifference> {
  const short = (layer: TacticDifference): string =>
    middleEllipsis(nameOf(layer), kLetters, (part) => part.length);
  return column(head, short, { cellClass: 'name', title: nameOf });
}

export function tacticsPart({ layers, compared, ...said }: TacticDifferences): HTMLElement {
  const more = layers.length - kMaxLayers;
  const sentence = visible(said.sentence);
  const what = `${plural(compared, 'layer')} whose choice is known in both`;
  return el(
    'section',
    { class: 'block' },
    sectionTitle('Kernels that builders chose', what),
    el('p', {}, `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}.`),
    layers.length > 0 &&
      plainTable('compare-tactics-table auto', layers.slice(0, kMaxLayers), [
        nameColumn('layer', ({ layer }) => visible(layer)),
        nameColumn('kernel in A', (layer) =>
          kernelText(layer.a_tactic_name, layer.a_runner, layer.a_tactic),
        ),
        numbers('time', ({ a_ms: ms }) => tacticTimeText(ms)),
        nameColumn('kernel in B', (layer) =>
          kernelText(layer.b_tactic_name, layer.b_runner, layer.b_tactic),
        ),
        numbers('time', ({ b_ms: ms }) => tacticTimeText(ms)),
        column('', reasonText, { cellClass: 'soft' }),
      ]),
    more > 0 && el('p', { class: 'soft' }, `${integer(more)} more in the JSON`),
  );
}
