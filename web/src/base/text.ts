// Untrusted text: made visible, cut, shortened. Nothing here knows about layers or the page.

// Control characters that reorder or hide their neighbours, and the C0 and C1 ranges: shown as code
// points.
const kUnsafe =
  // eslint-disable-next-line no-control-regex -- naming control characters is the point
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

export function visible(text: string): string {
  return text.replace(kUnsafe, (c) => {
    const code = c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return `⟨U+${code}⟩`;
  });
}

// Joins the parts that are present with `between`.
export function joined(
  parts: readonly (string | null | undefined | false)[],
  between: string,
): string {
  return parts
    .filter((part) => part !== null && part !== undefined && part !== false && part !== '')
    .join(between);
}

// The reason of anything thrown.
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export type Measure = (text: string) => number;

// No cell shows more characters than this. Names are cut before they are measured, so a name of 100
// 000 characters costs no more than one of 2 000.
const kLongest = 2000;

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

function join(text: string, head: number, tail: number): string {
  let h = head;
  let t = text.length - tail;
  // Never cut a surrogate pair in half.
  if (isLowSurrogate(text, h)) h -= 1;
  if (isLowSurrogate(text, t)) t += 1;
  return `${text.slice(0, h)}…${text.slice(t)}`;
}

// One line of at most `width`: 55 % head, 45 % tail, because the tail of a fused layer's name
// distinguishes it from its neighbours.
export function middleEllipsis(text: string, width: number, measure: Measure): string {
  let source = text;
  if (source.length > kLongest) {
    source = source.slice(0, kLongest * 0.55) + source.slice(source.length - kLongest * 0.45);
  } else if (measure(source) <= width) {
    return source;
  }
  let low = 0;
  let high = source.length - 1;
  // The kept length is monotone in the width to within one letter, so a binary search is enough.
  while (low < high) {
    const keep = Math.ceil((low + high) / 2);
    const head = Math.round(keep * 0.55);
    if (measure(join(source, head, keep - head)) <= width) low = keep;
    else high = keep - 1;
  }
  const head = Math.round(low * 0.55);
  return join(source, head, low - head);
}

// A CSV field; text that a spreadsheet would run as a formula is quoted as text.
export function csvField(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}
