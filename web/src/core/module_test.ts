// The real module, over real engines; skipped unless PLANEX_CORE names it.

import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { Core } from './module.ts';
import { CoreError } from './protocol.ts';
import { Tree } from './tree.ts';

const kModule = process.env.PLANEX_CORE ?? '';
const kEngines = resolve(import.meta.dirname, '../../../examples/engines');

// The examples as they were dropped.
function exampleTree(): Tree {
  const tree = new Tree();
  for (const path of readdirSync(kEngines, { recursive: true, encoding: 'utf8' })) {
    const place = join(kEngines, path);
    const { size } = statSync(place);
    if (!statSync(place).isFile()) continue;
    tree.add(path, {
      size,
      read: (from, to) => readFileSync(place).subarray(from, to),
    });
  }
  return tree;
}

describe.skipIf(kModule === '')('Core', () => {
  let module: WebAssembly.Module;
  let core: Core;
  beforeAll(async () => {
    module = await WebAssembly.compile(readFileSync(kModule));
    core = await Core.start(module, exampleTree());
  });

  it('opens what lies below the top folder, by a relative path', () => {
    const session = core.open([['path', 'resnet18-a100-qat']]);
    expect(core.labels(session)).toEqual(['resnet18-a100-qat']);
    const text = new TextDecoder().decode(core.call(session, 'summary', []));
    const program = process.env.PLANEX_BIN;
    if (program !== undefined) {
      const words = ['summary', 'resnet18-a100-qat', '--format', 'json'];
      const said = execFileSync(program, words, { cwd: kEngines, encoding: 'utf8' });
      expect(text).toBe(said);
    }
    core.close(session);
  });

  it('gives rows with their types', () => {
    const session = core.open([['path', 'resnet18-a100-qat']]);
    const { columns, rows } = core.query(
      session,
      "SELECT name, layer_id, median_ms, NULL AS missing FROM layers WHERE name LIKE '%conv1%' ORDER BY layer_id LIMIT 2",
      [],
    );
    expect(columns.map(({ name, type }) => [name, type]).slice(0, 3)).toEqual([
      ['name', 'text'],
      ['layer_id', 'int64'],
      ['median_ms', 'double'],
    ]);
    expect(rows).toHaveLength(2);
    expect(rows[0]?.[0]).toContain('conv1');
    expect(rows[0]?.[1]).toBeTypeOf('number');
    expect(rows[0]?.[3]).toBeNull();
    const lists = core.query(session, 'SELECT dims FROM ports LIMIT 3', []);
    expect(lists.rows[0]?.[0]).toBeDefined();
    expect(core.query(session, 'SELECT 1 WHERE 0', []).rows).toEqual([]);
    core.close(session);
  });

  it('joins sessions for a report of all', () => {
    const parts = ['resnet18-a100-qat', 'resnet18-a100-qat-residual'].map((path) =>
      core.open([['path', path]]),
    );
    const joined = core.join(parts);
    const report = JSON.parse(
      new TextDecoder().decode(core.call(joined, 'report', [['format', 'json']])),
    ) as { readonly engines: readonly unknown[]; readonly comparison: unknown };
    expect(report.engines).toHaveLength(2);
    expect(report.comparison).not.toBeNull();
    for (const session of [joined, ...parts]) core.close(session);
  });

  it('says what is wrong', () => {
    const failing = (): unknown => core.open([['path', 'resnet18-openvino']]);
    expect(failing).toThrow(CoreError);
    try {
      failing();
    } catch (error) {
      const { failure } = error as CoreError;
      expect(failure.message).toContain('no engine directly in this folder');
      expect(failure.file).toBe('resnet18-openvino');
      expect(failure.hint).not.toBe('');
    }
    expect(() => core.call(null, 'nothing', [])).toThrow(/there is no verb/);
  });

  it('reports files that can’t be in its memory', async () => {
    const tree = new Tree();
    const read = (from: number, to: number): Uint8Array => new Uint8Array(to - from).fill(0x20);
    tree.add('large.graph.json', { size: 5 * 2 ** 30, read });
    const other = await Core.start(module, tree);
    expect(() => other.open([['path', 'large.graph.json']])).toThrow('has 5 GiB: more than fits');
  });

  it('writes where it may', () => {
    const path = '.planex-scratch/run.planex';
    core.call(null, 'archive', [
      ['path', 'mnist-trtexec-log'],
      ['output', path],
    ]);
    const session = core.open([['path', path]]);
    expect(core.labels(session)).toHaveLength(1);
    core.close(session);
    expect(() =>
      core.call(null, 'archive', [
        ['path', 'mnist-trtexec-log'],
        ['output', 'run.planex'],
      ]),
    ).toThrow(CoreError);
  });
});
