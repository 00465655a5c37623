// Blocks of layers, read from the scopes in their names: "layer1.0.conv2.weight + …" and
// "/model/layer1/layer1.0/conv2/Conv" both lie in layer1. Only where most layers say so.

export interface Block {
  readonly label: string;
  // Where the block begins and ends, as places in the list that was given.
  readonly first: number;
  readonly last: number;
}

export interface ScopedLayer {
  readonly name: string;
  // Names of its source operations, asked where the layer's own name has no scope.
  readonly sources: readonly string[];
  readonly isReformat: boolean;
}

// What stands before the first block and after the last.
const kStem = 'stem';
const kHead = 'head';
const kLeastBlocks = 3;
const kMostBlocks = 16;
const kMostOpened = 6;
// A block that holds more than this is opened.
const kOpenedFrom = 0.4;
// A run no longer than this inside another block is taken into it.
const kAbsorbed = 6;
// Named blocks must cover this much, and no block more than that much, or brackets say nothing.
const kLeastCovered = 0.5;
const kMostInOne = 0.8;
const kMostText = 400;
const kForOutput = 'Reformatting CopyNode for Output Tensor';
// Where a sequence of layers without scopes begins; these are no scopes of a model.
const kNoScope = /^(onnx|Unnamed|torch|aten)$/i;

// "/a/a.0/a.0.1/Conv" and "a.0.1.weight" both give a, 0, 1: nested exporters repeat their parents.
function parts(path: string): readonly string[] {
  const steps = path.split('/').filter((step) => step !== '');
  let scope = '';
  for (const step of steps) {
    const last = scope.slice(scope.lastIndexOf('/') + 1);
    if (last !== '' && (step === last || step.startsWith(`${last}.`))) {
      scope = scope.slice(0, scope.length - last.length) + step;
    } else scope = scope === '' ? step : `${scope}/${step}`;
  }
  return scope.split(/[./]/).filter((part) => part !== '');
}

// The scope that a name stands in, outermost first; null where it says none.
export function scopeOf(name: string): readonly string[] | null {
  const text = name.slice(0, kMostText);
  const found =
    /\/[\w.-]+(?:\/[\w.-]+)+/.exec(text)?.[0] ??
    /[A-Za-z_][\w-]*(?:[./][\w-]+)+/.exec(text.replace(/\w+::\S+/g, ''))?.[0];
  if (found === undefined) return null;
  // The last part is the operation itself.
  const scope = parts(found).slice(0, -1);
  return scope.length === 0 || kNoScope.test(scope[0] ?? '') ? null : scope;
}

interface Run {
  readonly key: string | null;
  readonly first: number;
  last: number;
}

function runsOf(keys: readonly (string | null)[]): Run[] {
  const runs: Run[] = [];
  for (const [i, key] of keys.entries()) {
    const run = runs.at(-1);
    if (run?.key === key) run.last = i;
    else runs.push({ key, first: i, last: i });
  }
  return runs;
}

const lengthOf = (run: Run): number => run.last - run.first + 1;

const isCopyOfOutput = (layer: ScopedLayer): boolean => layer.name.startsWith(kForOutput);

// Layers without a scope: a reformat belongs to what it prepares or, where its name says so, to what
// it copies from; other layers stand for themselves.
function fillReformats(
  keys: readonly (string | null)[],
  layers: readonly ScopedLayer[],
): (string | null)[] {
  const filled = [...keys];
  for (let i = layers.length - 1; i >= 0; i -= 1) {
    const layer = layers[i];
    if (filled[i] !== null || layer?.isReformat !== true || isCopyOfOutput(layer)) continue;
    filled[i] = filled[i + 1] ?? null;
  }
  for (const [i, layer] of layers.entries()) {
    if (keys[i] === null && isCopyOfOutput(layer)) filled[i] = filled[i - 1] ?? null;
  }
  return filled;
}

// A short run inside another block (a shared embedding, an addition) is taken into it.
function absorb(keys: (string | null)[], most: number): (string | null)[] {
  const runs = runsOf(keys);
  for (let i = 1; i + 1 < runs.length; i += 1) {
    const [before, run, after] = [runs[i - 1], runs[i], runs[i + 1]];
    if (before === undefined || run === undefined || after === undefined) continue;
    if (before.key === null || before.key !== after.key || lengthOf(run) > most) continue;
    keys.fill(before.key, run.first, run.last + 1);
  }
  return keys;
}

const keyAt = (scope: readonly string[] | null, depth: number): string | null =>
  scope?.slice(0, depth).join('.') ?? null;

function blocksOf(
  own: readonly (string | null)[],
  layers: readonly ScopedLayer[],
): readonly Block[] {
  const runs = runsOf(absorb(fillReformats(own, layers), kAbsorbed));
  // Layers of a run that have the scope themselves; one alone is no block.
  const saying = (run: Run): number =>
    own.slice(run.first, run.last + 1).filter((key) => key !== null).length;
  return runs
    .filter((run) => run.key !== null && saying(run) >= 2)
    .map((run) => ({ label: run.key ?? '', first: run.first, last: run.last }));
}

const sizeOf = (block: Block): number => block.last - block.first + 1;

function readable(blocks: readonly Block[], count: number): boolean {
  const covered = blocks.reduce((sum, block) => sum + sizeOf(block), 0);
  const largest = Math.max(0, ...blocks.map(sizeOf));
  return (
    blocks.length >= kLeastBlocks &&
    blocks.length <= kMostBlocks &&
    covered >= count * kLeastCovered &&
    largest <= count * kMostInOne
  );
}

// "model.layer1", "model.layer2" lose what they share; "features.1" keeps it, a number says nothing.
function shorten(blocks: readonly Block[]): readonly Block[] {
  const named = blocks.filter((b) => b.label !== kStem && b.label !== kHead);
  const prefix = named[0]?.label.split('.')[0] ?? '';
  const rests = named.map((b) => b.label.slice(prefix.length + 1));
  const shared = named.every((b) => b.label.startsWith(`${prefix}.`));
  if (!shared || named.length === 0 || rests.some((rest) => !/^[A-Za-z_]/.test(rest)))
    return blocks;
  return shorten(
    blocks.map((b) => (named.includes(b) ? { ...b, label: b.label.slice(prefix.length + 1) } : b)),
  );
}

// Blocks in execution order, or none. Begins with the outermost scopes and opens the one that holds
// most, until none holds much or there would be too many.
export function findBlocks(layers: readonly ScopedLayer[]): readonly Block[] {
  const scopes = layers.map(
    (layer) =>
      scopeOf(layer.name) ?? layer.sources.map(scopeOf).find((scope) => scope !== null) ?? null,
  );
  let keys = scopes.map((scope) => keyAt(scope, 1));
  let best: readonly Block[] = [];
  for (let opened = 0; opened < kMostOpened; opened += 1) {
    const blocks = blocksOf(keys, layers);
    if (blocks.length > kMostBlocks) break;
    if (readable(blocks, layers.length)) best = blocks;
    const [large] = [...blocks].sort((a, b) => sizeOf(b) - sizeOf(a));
    if (large === undefined || sizeOf(large) <= layers.length * kOpenedFrom) break;
    const depth = large.label.split('.').length + 1;
    const next = keys.map((key, i) =>
      key === large.label ? keyAt(scopes[i] ?? null, depth) : key,
    );
    if (next.every((key, i) => key === keys[i])) break;
    keys = next;
  }
  const first = best[0]?.first ?? 0;
  const last = best.at(-1)?.last ?? layers.length - 1;
  return shorten([
    ...(first > 0 ? [{ label: kStem, first: 0, last: first - 1 }] : []),
    ...best,
    ...(last < layers.length - 1
      ? [{ label: kHead, first: last + 1, last: layers.length - 1 }]
      : []),
  ]);
}
