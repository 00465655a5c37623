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

const kLeastBlocks = 3;
const kMostBlocks = 16;
const kDeepest = 4;
// Named blocks must cover this much, and no block more than that much, or brackets say nothing.
const kLeastCovered = 0.5;
const kMostInOne = 0.8;
const kMostText = 400;
const kForOutput = /^Reformatting CopyNode for Output Tensor/;
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
    if (run !== undefined && run.key === key) run.last = i;
    else runs.push({ key, first: i, last: i });
  }
  return runs;
}

const lengthOf = (run: Run): number => run.last - run.first + 1;

// Layers without a scope: a reformat belongs to what it prepares or, where its name says so, to what
// it copies from; other layers stand for themselves.
function fillReformats(
  keys: readonly (string | null)[],
  layers: readonly ScopedLayer[],
): (string | null)[] {
  const filled = [...keys];
  for (let i = layers.length - 1; i >= 0; i -= 1) {
    const layer = layers[i];
    if (filled[i] !== null || layer?.isReformat !== true || kForOutput.test(layer.name)) continue;
    filled[i] = filled[i + 1] ?? null;
  }
  for (const [i, layer] of layers.entries()) {
    if (keys[i] === null && kForOutput.test(layer.name)) filled[i] = filled[i - 1] ?? null;
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

function blocksAt(
  scopes: readonly (readonly string[] | null)[],
  layers: readonly ScopedLayer[],
  depth: number,
): readonly Block[] | null {
  const own = scopes.map((scope) => scope?.slice(0, depth).join('.') ?? null);
  const runs = runsOf(absorb(fillReformats(own, layers), 6));
  // How many layers of a run have the scope themselves.
  const saying = (run: Run): number =>
    own.slice(run.first, run.last + 1).filter((key) => key !== null).length;
  const named = runs.filter((run) => run.key !== null && saying(run) >= 2);
  const covered = named.reduce((sum, run) => sum + lengthOf(run), 0);
  const largest = Math.max(0, ...named.map(lengthOf));
  if (named.length < kLeastBlocks || named.length > kMostBlocks) return null;
  if (covered < layers.length * kLeastCovered || largest > layers.length * kMostInOne) return null;
  const blocks = named.map((run) => ({ label: run.key ?? '', first: run.first, last: run.last }));
  const first = blocks[0]?.first ?? 0;
  const last = blocks.at(-1)?.last ?? 0;
  return [
    ...(first > 0 ? [{ label: 'stem', first: 0, last: first - 1 }] : []),
    ...blocks,
    ...(last < layers.length - 1
      ? [{ label: 'head', first: last + 1, last: layers.length - 1 }]
      : []),
  ];
}

// Blocks in execution order, or none. Of the depths that give a readable number of them, the one
// whose largest block is the smallest.
export function findBlocks(layers: readonly ScopedLayer[]): readonly Block[] {
  const scopes = layers.map(
    (layer) =>
      scopeOf(layer.name) ??
      layer.sources.map(scopeOf).find((scope) => scope !== null) ??
      null,
  );
  let best: readonly Block[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (let depth = 1; depth <= kDeepest; depth += 1) {
    const blocks = blocksAt(scopes, layers, depth);
    if (blocks === null) continue;
    const largest = Math.max(...blocks.map((b) => b.last - b.first));
    if (largest < least) {
      best = blocks;
      least = largest;
    }
  }
  return best;
}
