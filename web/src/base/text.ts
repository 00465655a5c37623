// Text from strangers: made visible, cut, shortened. Nothing here knows about layers or the page.

// Controls that reorder or hide their neighbours, and the C0 and C1 ranges: shown as code points.
const kUnsafe =
  // eslint-disable-next-line no-control-regex -- naming control characters is the point
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

export function visible(text: string): string {
  return text.replace(kUnsafe, (c) => {
    const code = c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return `⟨U+${code}⟩`;
  });
}

export type Measure = (text: string) => number;

// No cell is wider than this many characters, so a name of 100 000 characters costs what one of
// 2 000 does: it is cut before it is measured.
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

// One line of at most `width`: 55 % head, 45 % tail, because the tail of a fused layer's name tells
// it from its neighbours.
export function middleEllipsis(text: string, width: number, measure: Measure): string {
  let source = text;
  if (source.length > kLongest) {
    source = source.slice(0, kLongest * 0.55) + source.slice(source.length - kLongest * 0.45);
  } else if (measure(source) <= width) {
    return source;
  }
  let low = 0;
  let high = source.length - 1;
  // The kept length is monotone in the width to within a letter, so a binary search is enough.
  while (low < high) {
    const keep = Math.ceil((low + high) / 2);
    const head = Math.round(keep * 0.55);
    if (measure(join(source, head, keep - head)) <= width) low = keep;
    else high = keep - 1;
  }
  const head = Math.round(low * 0.55);
  return join(source, head, low - head);
}

const kCopyNode = /^Reformatting CopyNode for (Input|Output) Tensor \d+ to (.*)$/s;
// OpenVINO: what a fused node keeps of its first part, and reorders, called by both layouts.
const kWithoutBiases = /\/WithoutBiases$/;
const kReorder = /^(.+)_([a-f]{2,6}\d*[a-f]?)_([a-f]{2,6}\d*[a-f]?)_(.+)$/i;
const kBookkeeping = /^(Quantize|Dequantize)Linear$/;

// Two layouts of one tensor: "abcd" and "acdb", "abcd" and "aBcd16b".
function sameAxes(a: string, b: string): boolean {
  const axes = (tag: string): string =>
    [...new Set(tag.toLowerCase().replace(/\d/g, ''))].sort().join('');
  return axes(a) === axes(b) && 'abcdef'.startsWith(axes(a));
}

// A short name by stated rules: a copy says what it copies; ".weight" and running numbers drop;
// later members that only quantise, or repeat what the first says, drop.
export function shortName(name: string): string {
  const copy = kCopyNode.exec(name);
  if (copy) return `copy · ${(copy[1] ?? '').toLowerCase()} of ${shortName(copy[2] ?? '')}`;
  const reorder = kReorder.exec(name);
  if (reorder && sameAxes(reorder[2] ?? '', reorder[3] ?? '')) {
    return `reorder · input of ${shortName(reorder[4] ?? '')}`;
  }
  const members = name.replace(kWithoutBiases, '').split(' + ');
  const clean = members.map((m) => m.replace(/\.weight$/, '').replace(/_\d+$/, ''));
  const kept = clean.filter(
    (member, i) => i === 0 || !(kBookkeeping.test(member) || /^(Conv|Gemm|MatMul)$/.test(member)),
  );
  const short = kept.join(' + ');
  // A whole layer that quantises keeps its number, or all of them would be called the same.
  return kBookkeeping.test(short) ? name : short;
}

// Short names that are unique within the engine; where two would be the same, both stay whole.
export function shortNames(names: readonly string[]): readonly string[] {
  const short = names.map((name) => (name.length > kLongest ? name : shortName(name)));
  const seen = new Map<string, number>();
  for (const s of short) seen.set(s, (seen.get(s) ?? 0) + 1);
  return short.map((s, i) => (seen.get(s) === 1 ? s : (names[i] ?? s)));
}

// A CSV field; text that a spreadsheet would run as a formula is quoted as text.
export function csvField(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}
