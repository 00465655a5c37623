// The first line of a view: its answer, in a sentence that was generated.

import { el } from '../base/dom.ts';
import { visible } from '../base/text.ts';

export interface Conclusion {
  readonly headline: string;
  // What explains it; empty: nothing.
  readonly text: string;
}

// As the program writes it, the text may be null.
type WrittenConclusion = Pick<Conclusion, 'headline'> & { readonly text: string | null };

export function conclusionLine(conclusion: WrittenConclusion | null): HTMLElement | null {
  if (conclusion === null) return null;
  const text =
    conclusion.text === null || conclusion.text === '' ? null : ` ${visible(conclusion.text)}`;
  return el('p', { class: 'conclusion' }, el('b', {}, visible(conclusion.headline)), text);
}

// What else the program says, below its answer; null where that is nothing.
export function sentenceList(texts: readonly string[]): HTMLElement | null {
  if (texts.length === 0) return null;
  return el('ul', { class: 'sentences' }, ...texts.map((text) => el('li', {}, visible(text))));
}
