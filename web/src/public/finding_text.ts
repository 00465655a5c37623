// Texts of findings for reading: facts one by one, fixes with their code.

import { el, span, type Child } from '../base/dom.ts';
import { visible } from '../base/text.ts';

export interface TextPart {
  readonly kind: 'words' | 'code';
  readonly text: string;
}

// Fenced lines, and lines that begin with two spaces or a tab, are code; line breaks are kept.
export function fixParts(text: string): readonly TextPart[] {
  const parts: { kind: TextPart['kind']; lines: string[] }[] = [];
  let isFenced = false;
  for (const line of text.split('\n')) {
    if (line.trim().startsWith('```')) {
      isFenced = !isFenced;
      continue;
    }
    const kind = isFenced || /^( {2}|\t)/.test(line) ? 'code' : 'words';
    const last = parts.at(-1);
    if (last?.kind === kind) last.lines.push(line);
    else parts.push({ kind, lines: [line] });
  }
  return parts.flatMap(({ kind, lines }) => {
    const least = Math.min(
      ...lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)),
    );
    const cut = kind === 'code' && Number.isFinite(least) ? least : 0;
    const joined = lines
      .map((line) => line.slice(cut))
      .join('\n')
      .replace(/^\n+|\s+$/g, '');
    return joined === '' ? [] : [{ kind, text: joined }];
  });
}

// Makes control characters visible, except the line breaks of a text that has lines.
function lines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

export function fixText(text: string): HTMLElement {
  return span(
    'fix-parts',
    ...fixParts(text).map((part): Child =>
      part.kind === 'code'
        ? el('pre', { class: 'fix-code box' }, el('code', {}, lines(part.text)))
        : span('', lines(part.text)),
    ),
  );
}

// "a, b; c" -> its facts. Text in quotes is a name and stays whole.
export function evidenceFacts(text: string): readonly string[] {
  const facts: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const c = text[at];
    if (c === '\\' && isQuoted) at += 1;
    else if (c === '"') isQuoted = !isQuoted;
    else if (c === ';' && !isQuoted && text[at + 1] === ' ') {
      facts.push(text.slice(from, at));
      from = at + 2;
    }
  }
  facts.push(text.slice(from));
  return facts.map((fact) => fact.trim()).filter((fact) => fact !== '');
}

// Phrases of rules and findings have no full stop and begin in lower case.
export function sentence(phrase: string): string {
  const text = phrase.trim();
  if (text === '') return '';
  const first = text.slice(0, 1).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
