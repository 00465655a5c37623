// A file of waivers (planex.waivers/1) that the reader dropped, or that starts here. Waivers added
// on the page are appended at its end, in the form of `planex lint --waive`; the rest of the file
// stays as it is.

import { asArray, asObject, asText, type Json } from './json_value.ts';

export interface Waiver {
  readonly rule: string;
  readonly fingerprint: string;
  readonly reason: string;
  // The last day on which it applies, "2026-10-01"; null: no end.
  readonly expires: string | null;
}

export interface Waivers {
  readonly name: string;
  // As it was dropped.
  readonly text: string;
  readonly added: readonly Waiver[];
}

export const kNewWaivers: Waivers = {
  name: 'waivers.json',
  text: '{\n  "schema": "planex.waivers/1",\n  "waivers": []\n}\n',
  added: [],
};

// Where the list of waivers ends: at its "]". Null if this is not such a file; the core then
// reports what is wrong.
function endOfList(text: string): number | null {
  let depth = 0;
  let listDepth: number | null = null;
  let key = '';
  // A text with its quotes, or a bracket.
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token.startsWith('"')) {
      if (depth === 1) key = token;
    } else if (token === '[' || token === '{') {
      depth += 1;
      if (token === '[' && depth === 2 && key === '"waivers"') listDepth = depth;
    } else {
      if (depth === listDepth) return index;
      depth -= 1;
    }
  }
  return null;
}

function entryText({ rule, fingerprint, reason, expires }: Waiver): string {
  const members = { rule, fingerprint, reason, ...(expires === null ? {} : { expires }) };
  return JSON.stringify(members, null, 2).replace(/\n/g, '\n    ');
}

export function waiversText({ text, added }: Waivers): string {
  const end = endOfList(text);
  if (end === null || added.length === 0) return text;
  const head = text.slice(0, end).trimEnd();
  const isFirst = head.endsWith('[');
  const entries = added.map((waiver) => `\n    ${entryText(waiver)}`);
  return `${head}${isFirst ? '' : ','}${entries.join(',')}\n  ${text.slice(end)}`;
}

function isSame(a: Waiver, b: Waiver): boolean {
  return a.rule === b.rule && a.fingerprint === b.fingerprint;
}

export function withWaiver(waivers: Waivers | null, waiver: Waiver): Waivers {
  const { added, ...file } = waivers ?? kNewWaivers;
  return { ...file, added: [...added.filter((other) => !isSame(other, waiver)), waiver] };
}

export function withoutWaiver(waivers: Waivers, waiver: Waiver): Waivers | null {
  const added = waivers.added.filter((other) => !isSame(other, waiver));
  const isEmpty = added.length === 0 && waivers.text === kNewWaivers.text;
  return isEmpty ? null : { ...waivers, added };
}

// Another file was dropped: waivers added here stay, except those it already has.
export function broughtWaivers(name: string, text: string, before: Waivers | null): Waivers {
  let json: Json = null;
  try {
    json = JSON.parse(text) as Json;
  } catch {
    // The core reports where it is wrong.
  }
  const known = asArray(asObject(json).waivers).map((entry) => {
    const { rule, fingerprint } = asObject(entry);
    return `${asText(rule) ?? ''} ${asText(fingerprint) ?? ''}`;
  });
  const added = (before?.added ?? []).filter(
    ({ rule, fingerprint }) => !known.includes(`${rule} ${fingerprint}`),
  );
  return { name, text, added };
}
