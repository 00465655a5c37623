// The first line of a view: its answer, in a generated sentence.

import { el } from '../base/dom.ts';
import { visible } from '../base/text.ts';

export interface Conclusion {
  readonly headline: string;
  // The explanation; empty: none.
  readonly text: string;
}

// The program may write null for the text.
type WrittenConclusion = Pick<Conclusion, 'headline'> & { readonly text: string | null };

export function conclusionLine(conclusion: WrittenConclusion | null): HTMLElement | null {
  if (conclusion === null) return null;
  const text =
    conclusion.text === null || conclusion.text === '' ? null : ` ${visible(conclusion.text)}`;
  return el('p', { class: 'conclusion' }, el('b', {}, visible(conclusion.headline)), text);
}

// Further sentences of the program, below its answer; null if there are none.
export function sentenceList(texts: readonly string[]): HTMLElement | null {
  if (texts.length === 0) return null;
  return el('ul', { class: 'sentences' }, ...texts.map((text) => el('li', {}, visible(text))));
}
