// The first line of the view: what the program says of the two engines, what helped and what hurt.

import {
  el,
  fixed,
  isNumber,
  signed,
  span,
  visible,
  type DifferenceCause,
  type Child,
  type Verdict,
  type Way,
} from '../../public/index.ts';
import { clauses } from './causes.ts';

const kMs = 3;

// "0.883 → 0.546 ms, 1.62 × as fast": what the percentages are of.
// What of a verdict it takes.
export type TimesOf = Pick<Verdict, 'judgement' | 'change_ratio'> &
  Readonly<Record<'base' | 'candidate', Pick<Verdict['base'], 'median_ms'>>>;

export function timesText(verdict: TimesOf): string | null {
  const { median_ms: baseMs } = verdict.base;
  const { median_ms: candidateMs } = verdict.candidate;
  // Without a change they are not times of the same.
  if (verdict.change_ratio === null) return null;
  if (!isNumber(baseMs) || !isNumber(candidateMs)) return null;
  const decimals = Math.max(baseMs, candidateMs) < 0.1 ? 5 : kMs;
  const times = `${fixed(baseMs, decimals)} → ${fixed(candidateMs, decimals)} ms`;
  const isReal = verdict.judgement === 'faster' || verdict.judgement === 'slower';
  if (!isReal || !(candidateMs > 0) || !(baseMs > 0)) return times;
  return `${times}, ${fixed(baseMs / candidateMs, 2)} × as fast`;
}

// Names stay as they are; words begin with a capital.
export function asSentence(text: string): string {
  const isWords = /^(no|there) /.test(text);
  return visible(isWords ? text.slice(0, 1).toUpperCase() + text.slice(1) : text);
}

export interface VerdictSpec {
  readonly way: Way;
  // Whether layers can be told apart by what became of them.
  readonly isOfLayers: boolean;
  readonly choose: (cause: string) => void;
}

function clauseList(
  causes: readonly DifferenceCause[],
  className: string,
  choose: VerdictSpec['choose'],
): Child[] {
  return causes.flatMap((cause, i): Child[] => [
    i === 0 ? null : ', ',
    el(
      'button',
      {
        class: 'clause',
        attrs: { type: 'button', title: 'Show these layers' },
        on: { click: () => choose(cause.cause) },
      },
      `${visible(cause.clause)} `,
      span(className, `(${signed(cause.delta_ms, kMs)})`),
    ),
  ]);
}

export function verdictLine({ way, isOfLayers, choose }: VerdictSpec): HTMLElement {
  const times = timesText(way.verdict);
  const { helped, hurt } = isOfLayers ? clauses(way) : { helped: [], hurt: [] };
  const spread = way.verdict.is_run_spread_measured
    ? 'variation between runs: measured'
    : 'variation between runs: assumed, one run per side';
  const sentence = el('b', {}, `${asSentence(way.verdict_sentence)}.`);
  if (way.verdict.method !== null) sentence.title = `${visible(way.verdict.method)}; ${spread}`;
  const sum = way.delta_ms;
  return el(
    'p',
    { class: 'conclusion verdict' },
    sentence,
    times === null ? null : span('times', ` ${times}.`),
    sum === null ? null : ` Layer time: ${signed(sum, kMs)} ms`,
    helped.length + hurt.length === 0 ? null : ': ',
    ...clauseList(helped, 'faster', choose),
    helped.length > 0 && hurt.length > 0 ? '; ' : null,
    hurt.length > 0 ? span('slower', 'regressions: ') : null,
    ...clauseList(hurt, 'slower', choose),
    helped.length + hurt.length === 0 && sum === null ? null : '.',
  );
}
