// In CI a test that is skipped fails the run, unless tests/may_skip.txt allows it: what is not there to be
// tested would go unnoticed.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import type { FullResult, Reporter, TestCase, TestResult } from '@playwright/test/reporter';

// Lines are RUNNER, a tab and a part of the reason.
export function allowedReasons(runner: string): readonly string[] {
  const list = readFileSync(resolve(import.meta.dirname, '../../tests/may_skip.txt'), 'utf8');
  return list
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([name]) => name === runner)
    .map(([, reason = '']) => reason);
}

export default class NoSkips implements Reporter {
  readonly #skipped: string[] = [];
  readonly #allowed = allowedReasons('playwright');

  onTestEnd(test: TestCase, result: TestResult): void {
    if (result.status !== 'skipped') return;
    const reason = test.annotations.find(({ type }) => type === 'skip')?.description ?? '';
    if (this.#allowed.some((part) => reason.includes(part))) return;
    this.#skipped.push(`${test.titlePath().slice(2).join(' › ')}: ${reason}`);
  }

  onEnd(): Promise<{ status?: FullResult['status'] } | undefined> {
    if (process.env.CI !== 'true' || this.#skipped.length === 0) return Promise.resolve(undefined);
    console.error(`\nskipped, which CI does not allow:\n  ${this.#skipped.join('\n  ')}`);
    return Promise.resolve({ status: 'failed' });
  }
}
