// The graph member of the tests' reports: what the program writes, for layers whose names are plain.
// Groups are the first parts of dotted names; runs of more than 12 of them lie in sections.

import type { LayerSpec } from './wire_builder.ts';

export interface Strings {
  add(text: string): number;
}

const kMaxBoxes = 1500;
const kSection = 16;

const deltas = (values: readonly number[]): readonly number[] =>
  values.map((value, i) => value - (values[i - 1] ?? 0));

function columns(rows: readonly Readonly<Record<string, number>>[]): Record<string, unknown> {
  const names = Object.keys(rows[0] ?? { kind: 0 });
  return Object.fromEntries(names.map((name) => [name, deltas(rows.map((row) => row[name] ?? 0))]));
}

function shortName(layer: LayerSpec): string {
  const cut = layer.name.slice(0, 2000);
  return layer.family === 'reformat'
    ? `copy · ${cut.split(' ').at(-1) ?? ''}`
    : (cut.split(' + ')[0] ?? '').replace(/\.weight$/, '').replace(/_\d+$/, '');
}

function shortNames(layers: readonly LayerSpec[], strings: Strings): readonly number[] {
  const short = layers.map(shortName);
  const seen = new Map<string, number>();
  for (const name of short) seen.set(name, (seen.get(name) ?? 0) + 1);
  return deltas(
    layers.map((layer, i) =>
      strings.add(seen.get(short[i] ?? '') === 1 ? (short[i] ?? '') : layer.name),
    ),
  );
}

interface Group {
  readonly kind: number;
  readonly parent: number;
  readonly name: string;
  readonly path: string;
  readonly first: number;
  readonly last: number;
  readonly folded: number;
}

// Nodes of a view: layers by their place, others by name.
interface Node {
  readonly kind: number;
  readonly layer_id: number;
  readonly name: number;
  readonly is_output: number;
}

function scopes(layers: readonly LayerSpec[]): (string | null)[] {
  const own = layers.map((l) =>
    l.family === 'reformat' ? null : (/^([A-Za-z_]\w*)\.\w/.exec(l.name)?.[1] ?? null),
  );
  for (let i = own.length - 2; i >= 0; i -= 1) {
    if (layers[i]?.family === 'reformat') own[i] ??= own[i + 1] ?? null;
  }
  return own;
}

function runsOf(keys: readonly (string | null)[]): { key: string; first: number; last: number }[] {
  const runs: { key: string | null; first: number; last: number }[] = [];
  for (const [i, key] of keys.entries()) {
    const last = runs.at(-1);
    if (last?.key === key) last.last = i;
    else runs.push({ key, first: i, last: i });
  }
  return runs.flatMap((r) =>
    r.key === null || r.first === r.last ? [] : [{ key: r.key, first: r.first, last: r.last }],
  );
}

function groupsOf(layers: readonly LayerSpec[], nodeOf: readonly number[]): readonly Group[] {
  const runs = runsOf(scopes(layers));
  const isLarge = layers.length > kMaxBoxes;
  const groups: Group[] = [];
  const sectioned = runs.length > 12;
  for (let at = 0; at < runs.length; at += kSection) {
    const part = sectioned ? runs.slice(at, at + kSection) : runs;
    const section = groups.length;
    if (sectioned) {
      groups.push({
        kind: 8,
        parent: -1,
        name: `section ${String(at / kSection)}`,
        path: `section ${String(at / kSection)}`,
        first: nodeOf[part[0]?.first ?? 0] ?? 0,
        last: nodeOf[part.at(-1)?.last ?? 0] ?? 0,
        folded: layers.length > 8 * kMaxBoxes ? 1 : 0,
      });
    }
    for (const run of part) {
      groups.push({
        kind: 0,
        parent: sectioned ? section : -1,
        name: run.key,
        path: `${run.key}@${String(run.first)}`,
        first: nodeOf[run.first] ?? 0,
        last: nodeOf[run.last] ?? 0,
        folded: isLarge ? 1 : 0,
      });
    }
    if (!sectioned) break;
  }
  return groups;
}

function view(
  layers: readonly LayerSpec[],
  strings: Strings,
  withMemory: boolean,
): Record<string, unknown> {
  const nodes: Node[] = [];
  const edges: { kind: number; from: number; to: number; from_port: number; to_port: number }[] =
    [];
  const producer = new Map<string, { readonly node: number; readonly port: number }>();
  const nodeOf: number[] = [];
  const firstInput = layers.find((l) => (l.inputs ?? []).length > 0)?.inputs?.[0];
  const add = (node: Node): number => nodes.push(node) - 1;
  if (firstInput !== undefined) {
    const node = add({ kind: 2, layer_id: -1, name: strings.add(firstInput.tensor), is_output: 0 });
    producer.set(firstInput.tensor, { node, port: -1 });
  }
  let port = 0;
  for (const [layer_id, layer] of layers.entries()) {
    const inputs = layer.inputs ?? [];
    const outputs = layer.outputs ?? [];
    const firstPort = port;
    port += inputs.length + outputs.length;
    if ((layer.role ?? 'work') !== 'work') continue;
    const node = add({ kind: 0, layer_id, name: -1, is_output: 0 });
    nodeOf[layer_id] = node;
    for (const [i, input] of inputs.entries()) {
      const from = producer.get(input.tensor);
      if (from === undefined) continue;
      edges.push({
        kind: 0,
        from: from.node,
        to: node,
        from_port: from.port,
        to_port: firstPort + i,
      });
    }
    for (const [i, output] of outputs.entries()) {
      const own = firstPort + inputs.length + i;
      if (!withMemory) {
        producer.set(output.tensor, { node, port: own });
        continue;
      }
      const memory = add({
        kind: 3,
        layer_id: -1,
        name: strings.add(output.tensor),
        is_output: 0,
      });
      edges.push({ kind: 0, from: node, to: memory, from_port: own, to_port: -1 });
      producer.set(output.tensor, { node: memory, port: -1 });
    }
  }
  const groups = groupsOf(
    layers.filter((l) => (l.role ?? 'work') === 'work'),
    nodeOf,
  );
  const groupOfNode = nodes.map(() => -1);
  // Inner groups stand behind outer ones.
  for (const [i, g] of groups.entries()) groupOfNode.fill(i, g.first, g.last + 1);
  edges.sort((a, b) => a.to - b.to || a.to_port - b.to_port);
  return {
    nodes: { ...columns(nodes as never), group: deltas(groupOfNode) },
    edges: columns(edges),
    groups: columns(
      groups.map((g) => ({
        ...g,
        name: strings.add(g.name),
        path: strings.add(g.path),
        node_count: g.last - g.first + 1,
        shape: 0,
        odd: 0,
      })),
    ),
  };
}

export function graphMember(
  layers: readonly LayerSpec[],
  strings: Strings,
): Record<string, unknown> {
  return {
    kinds: {
      node: ['layer', 'constant', 'binding', 'memory', 'operation'],
      edge: ['data', 'carried', 'reuse', 'event', 'control', 'order', 'contracted'],
      group: [
        'scope',
        'series',
        'repeat',
        'layer',
        'opaque',
        'conditional',
        'branch',
        'loop',
        'section',
      ],
    },
    short_names: shortNames(layers, strings),
    views: {
      execution: view(layers, strings, false),
      memory: view(layers, strings, true),
    },
  };
}
