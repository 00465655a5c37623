// In CI a test that is skipped fails the run, unless tests/may_skip.txt allows it.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import type { Reporter, TestModule } from 'vitest/node';

// Lines are RUNNER, a tab and a part of what the test is called.
const allowed = (): readonly string[] =>
  readFileSync(resolve(import.meta.dirname, '../../tests/may_skip.txt'), 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([runner]) => runner === 'vitest')
    .map(([, name = '']) => name);

export function noSkips(): Reporter {
  return {
    onTestRunEnd(modules: readonly TestModule[]): void {
      if (process.env.CI !== 'true') return;
      const parts = allowed();
      const skipped = modules
        .flatMap((module) => [...module.children.allTests('skipped')])
        .map((test) => `${test.module.relativeModuleId}: ${test.fullName}`)
        .filter((name) => !parts.some((part) => name.includes(part)));
      if (skipped.length === 0) return;
      console.error(`skipped, which CI does not allow:\n  ${skipped.join('\n  ')}`);
      process.exitCode = 1;
    },
  };
}
