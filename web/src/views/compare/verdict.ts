// The first line of the view: the program's verdict on the two engines, what helped and what hurt.

import {
  el,
  fixed,
  isNumber,
  signed,
  span,
  visible,
  type Child,
  type Verdict,
  type Way,
} from '../../public/index.ts';

const kMs = 3;

// The parts of a verdict that it uses.
type Times = Pick<Verdict, 'judgement' | 'change_ratio'> &
  Readonly<Record<'base' | 'candidate', Pick<Verdict['base'], 'median_ms'>>>;

// "0.883 → 0.546 ms, 1.62 × as fast": the base of the percentages.
export function timesText({ base, candidate, ...verdict }: Times): string | null {
  const [from, to] = [base.median_ms, candidate.median_ms];
  // Without a change ratio the two are not times of the same field.
  if (verdict.change_ratio === null || !isNumber(from) || !isNumber(to)) return null;
  const decimals = Math.max(from, to) < 0.1 ? 5 : kMs;
  const times = `${fixed(from, decimals)} → ${fixed(to, decimals)} ms`;
  const isReal = verdict.judgement === 'faster' || verdict.judgement === 'slower';
  return isReal && to > 0 && from > 0 ? `${times}, ${fixed(from / to, 2)} × as fast` : times;
}

// Names stay as they are; words begin with a capital.
function asSentence(text: string): string {
  const isWords = /^(no|there) /.test(text);
  return visible(isWords ? text.slice(0, 1).toUpperCase() + text.slice(1) : text);
}

// The causes that helped, or that hurt, as parts of a sentence, largest first.
function clauses(
  { causes }: Way,
  className: 'faster' | 'slower',
  choose: (cause: string) => void,
): readonly Child[] {
  const sign = className === 'faster' ? -1 : 1;
  return causes
    .map((cause) => ({ ...cause, ms: cause.delta_ms ?? 0 }))
    .filter(({ ms }) => Math.sign(ms) === sign)
    .sort((x, y) => Math.abs(y.ms) - Math.abs(x.ms))
    .flatMap(({ cause, clause, ms }, i) => {
      const attrs = { type: 'button', title: 'Show these layers' };
      const on = { click: () => choose(cause) };
      const sum = span(className, `(${signed(ms, kMs)})`);
      const button = el('button', { class: 'clause', attrs, on }, `${visible(clause)} `, sum);
      return [i === 0 ? null : ', ', button];
    });
}

// `isOfLayers`: whether layers can be classified by their change.
export function verdictLine(
  way: Way,
  isOfLayers: boolean,
  choose: (cause: string) => void,
): HTMLElement {
  const { verdict, delta_ms: sum } = way;
  const times = timesText(verdict);
  const helped = isOfLayers ? clauses(way, 'faster', choose) : [];
  const hurt = isOfLayers ? clauses(way, 'slower', choose) : [];
  const spread = verdict.is_run_spread_measured ? 'measured' : 'assumed, one run per side';
  const method = `${visible(verdict.method ?? '')}; variation between runs: ${spread}`;
  const title = verdict.method === null ? null : method;
  const hasClauses = helped.length + hurt.length > 0;
  return el(
    'p',
    { class: 'conclusion verdict' },
    el('b', { attrs: { title } }, `${asSentence(way.verdict_sentence)}.`),
    times === null ? null : span('times', ` ${times}.`),
    sum === null ? null : ` Layer time: ${signed(sum, kMs)} ms`,
    hasClauses ? ': ' : null,
    ...helped,
    helped.length > 0 && hurt.length > 0 ? '; ' : null,
    hurt.length > 0 ? span('slower', 'regressions: ') : null,
    ...hurt,
    hasClauses || sum !== null ? '.' : null,
  );
}
