// Files that were made to break readers, of the fuzzers' corpus, dropped on the explorer one by one:
// each is told about or shown, the page stays alive, and what is good opens afterwards.

import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, type Page } from '@playwright/test';

import { kTakesAll } from './chosen.ts';
import { choose, drop, kMissing, test } from './explorer_page.ts';

const kCorpus = resolve(import.meta.dirname, '../../fuzz/corpus');
const kExample = resolve(import.meta.dirname, '../../examples/engines/resnet18-a100-qat');
const kMinute = 60_000;

// By which a reader knows its files.
const kEndings: Readonly<Record<string, string>> = {
  archive: '.zip',
  capsule: '.planex',
  npy: '.npy',
  npz: '.npz',
  onnx: '.onnx',
  'onnx-edit': '.onnx',
  'nsight-export': '.sqlite',
  'openvino-counters': '.csv',
  'openvino-counters-log': '.log',
  'openvino-exec-graph': '.xml',
  'openvino-graph': '.xml',
  'openvino-log': '.log',
  'tensorrt-graph': '.graph.json',
  'tensorrt-graph-pieces': '.graph.json',
  'tensorrt-log': '.log',
  'tensorrt-profile': '.profile.json',
  'tensorrt-times': '.times.json',
  'trex-metadata': '.metadata.json',
  'trtexec-output': '.log',
};

test.skip(kMissing !== null, kMissing ?? '');
test.describe.configure({ timeout: 5 * kMinute });

const isKind = (kind: string): boolean => statSync(join(kCorpus, kind)).isDirectory();
// Kinds of one producer share a page: to start one takes as long as twenty files.
const producerOf = (kind: string): string => kind.replace(/-.*/, '');
const kKinds = readdirSync(kCorpus).filter(isKind);

// A few of each kind, from all over the list; with PLANEX_TEST_ENGINES=all all of them.
function sample(files: readonly string[]): readonly string[] {
  const step = kTakesAll ? 1 : Math.max(1, Math.floor(files.length / 3));
  return files.filter((_, i) => i % step === 0);
}

async function survives(page: Page, kind: string, problems: readonly string[]): Promise<void> {
  const folder = join(kCorpus, kind);
  const files = sample(readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile()));
  const told = page.locator('.problems');
  const shown = page.locator('main.view > *').first();
  const close = page.getByRole('button', { name: 'Close this engine' });
  for (const [i, name] of files.entries()) {
    const given = `${kind}-${String(i)}-${name.replace(/\..*/, '')}${kEndings[kind] ?? '.json'}`;
    await drop(page, { [given]: readFileSync(join(folder, name)) });
    // Its own name is in what is said about it, or in what is open.
    await expect(
      told.getByText(given, { exact: false }).or(shown).first(),
      `${kind}/${name}`,
    ).toBeVisible({ timeout: kMinute });
    // Bad input is an error, never the end of the module.
    await expect(told, `${kind}/${name}`).not.toContainText('the core');
    expect(problems, `${kind}/${name}`).toEqual([]);
    // The core stays as it is when an engine is closed, and must not be worse for it.
    while (await close.isVisible()) await close.click();
    await expect(page.getByRole('button', { name: 'Choose files' }).first()).toBeVisible();
  }
}

for (const producer of new Set(kKinds.map(producerOf))) {
  test(`survives ${producer}`, async ({ open: page, problems }) => {
    for (const kind of kKinds) {
      if (producerOf(kind) === producer) await survives(page, kind, problems);
    }
    await choose(page, kExample);
    await expect(page.locator('main.view > *').first()).toBeVisible({ timeout: kMinute });
    expect(problems).toEqual([]);
  });
}
