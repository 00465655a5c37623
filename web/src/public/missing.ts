// Shown in place of a chart that has nothing to draw: what is missing, why, and the command that
// produces it.

import { div, el } from '../base/dom.ts';
import { visible } from '../base/text.ts';
import type { MissingPiece } from '../model/report_types.ts';
import { commandBox } from './page/marks.ts';
import type { ViewContext } from './page/view.ts';

export interface Missing {
  readonly what: string;
  readonly why: string;
  readonly command: string | null;
}

export function missingNotice(context: ViewContext, missing: Missing): HTMLElement {
  return div(
    'missing-item',
    el('p', {}, el('b', {}, visible(missing.what)), ` ${visible(missing.why)}`),
    missing.command === null
      ? null
      : commandBox(missing.command, (text) => context.copy(text, 'command')),
  );
}

// One item of the program's list of missing things.
export function pieceNotice(context: ViewContext, piece: MissingPiece): HTMLElement {
  const { what, consequence } = piece;
  const optional = piece.is_optional ? ' (optional)' : '';
  return missingNotice(context, {
    what: `${what}${optional}${consequence === '' ? '' : ':'}`,
    why: consequence,
    command: piece.command,
  });
}

// What the program lists as missing for this engine and how to get it; null if nothing is.
export function missingPieces(context: ViewContext): HTMLElement | null {
  const { missing } = context.store.engine.summary;
  if (missing.length === 0) return null;
  return div('missing', ...missing.map((piece) => pieceNotice(context, piece)));
}

// The same, folded: next to what can be shown without it.
export function missingDetails(context: ViewContext): HTMLElement | null {
  const pieces = missingPieces(context);
  return pieces === null
    ? null
    : el(
        'details',
        { class: 'missing-details' },
        el('summary', { class: 'link' }, 'How to get them'),
        pieces,
      );
}
