// The first line of a view: its answer, in a sentence that was generated.

import { el } from '../base/dom.ts';
import { visible } from '../base/text.ts';

export interface Lede {
  readonly headline: string;
  // What explains it; empty: nothing.
  readonly text: string;
}

// As the program writes it, the text may be null.
type WrittenLede = Pick<Lede, 'headline'> & { readonly text: string | null };

export function ledeLine(lede: WrittenLede | null): HTMLElement | null {
  if (lede === null) return null;
  const text = lede.text === null || lede.text === '' ? null : ` ${visible(lede.text)}`;
  return el('p', { class: 'lede' }, el('b', {}, visible(lede.headline)), text);
}
