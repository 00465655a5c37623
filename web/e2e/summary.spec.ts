// The page and the terminal say the same: single.summary.json, beside the report, is what `planex
// summary --format json` wrote of the same engine.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, type Page } from '@playwright/test';

import { makeFixtures } from './fixtures.ts';
import { grouped, kFolder, open, test } from './page.ts';

interface Group {
  readonly type?: string;
  readonly precision?: string;
  readonly count: number;
  readonly median_ms: number;
  readonly share: number;
}
interface Summary {
  readonly engine: { readonly name: string; readonly device: string };
  readonly layer_count: number;
  readonly record_count: number;
  readonly tensor_count: number;
  readonly weight_bytes: number;
  readonly activation_bytes: number;
  readonly footprint_bytes: number;
  readonly macs: number;
  readonly flops: number;
  readonly memory?: { readonly peak: { readonly bytes: number } };
  readonly time: {
    readonly layers_median_ms: number;
    readonly gap_ms: number;
    readonly overhead_us_per_layer: number;
    readonly throughput_per_s: number;
    readonly end_to_end: {
      readonly count: number;
      readonly median_ms: number;
      readonly min_ms: number;
      readonly p99_ms: number;
    };
  };
  readonly by_type: readonly Group[];
  readonly by_precision: readonly Group[];
  readonly by_output_precision: readonly Group[];
  readonly top_layers: readonly {
    readonly layer_id: number;
    readonly name: string;
    readonly share: number;
  }[];
  readonly findings: Readonly<Record<'error' | 'warning' | 'info', number>>;
  readonly conclusion: { readonly headline: string; readonly text: string } | null;
}

test.beforeAll(() => {
  if (process.env.PLANEX_REPORT_DIR === undefined) makeFixtures();
});

const cells = (page: Page, table: string): Promise<readonly (readonly string[])[]> =>
  page
    .locator(`${table} tbody tr`)
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));

// Three digits with a decimal prefix, written independently of the page's own code.
function scaled(value: number): string {
  const power = Math.floor((Math.log10(value) + 1e-9) / 3);
  const digits = (value / 1000 ** power).toPrecision(3);
  return `${digits} ${['', 'k', 'M', 'G', 'T'][power] ?? ''}`;
}

test('the page says what the summary says', async ({ page }) => {
  const summary = JSON.parse(readFileSync(join(kFolder, 'single.summary.json'), 'utf8')) as Summary;
  const { time, findings } = summary;
  await open(page, 'single');
  const figures = await page
    .locator('.strip .figure')
    .evaluateAll((all) => all.map((n) => n.textContent.replace(/[\u2009\s]+/g, '')));
  const said = (figure: number, ...texts: readonly string[]): void => {
    for (const text of texts) expect(figures[figure]).toContain(text.replace(/\s+/g, ''));
  };
  const { end_to_end: e2e } = time;
  said(0, `${e2e.median_ms.toFixed(3)}ms median`, `min ${e2e.min_ms.toFixed(3)}`);
  said(0, `p99 ${e2e.p99_ms.toFixed(3)}`, `n ${String(e2e.count)}`);
  said(0, `${time.throughput_per_s.toFixed(0)} inferences/s`);
  said(1, `${time.layers_median_ms.toFixed(3)}ms of medians`);
  said(1, `+${time.gap_ms.toFixed(3)} profiling: ${time.overhead_us_per_layer.toFixed(1)} µs`);
  said(2, `${scaled(summary.flops)}FLOP`, `${scaled(summary.macs)}MAC`);
  said(3, `${scaled(summary.footprint_bytes)}B`);
  said(3, `${scaled(summary.activation_bytes)}B activations`);
  said(3, `${scaled(summary.weight_bytes)}B weights`);
  const perSecond = (amount: number): string => scaled((amount / e2e.median_ms) * 1e3);
  said(2, `${perSecond(summary.flops)}FLOP/s`);
  said(3, `${perSecond(summary.footprint_bytes)}B/s`);
  const peak = summary.memory?.peak.bytes;
  const held =
    peak === undefined
      ? `${String(summary.tensor_count)} tensors`
      : `${scaled(peak)}B peak activations`;
  said(4, `${scaled(summary.weight_bytes)}B`, held);
  for (const [severity, word] of [
    ['error', 'error'],
    ['warning', 'warning'],
    ['info', 'note'],
  ] as const) {
    if (findings[severity] > 0) said(5, `${String(findings[severity])}${word}`);
  }
  await expect(page.locator('.tally')).toHaveText(
    `${grouped(summary.layer_count)} of ${grouped(summary.layer_count)} layers · ${time.layers_median_ms.toFixed(3)} ms · 100.0 % of Σ layers`,
  );
  for (const [group, rows] of [
    ['type', summary.by_type],
    ['precision', summary.by_precision],
    ['output_precision', summary.by_output_precision],
  ] as const) {
    expect((await cells(page, `table[data-group=${group}]`)).map((row) => row.slice(0, 4))).toEqual(
      rows.map((g) => [
        g.type ?? g.precision,
        String(g.count),
        g.median_ms.toFixed(3),
        (g.share * 100).toFixed(1),
      ]),
    );
  }
  const slowest = await cells(page, 'table.slowest');
  // Equal layers share a row, which begins with their number.
  const isJoined = slowest.some((row) => row[0]?.startsWith('×') === true);
  for (const [i, layer] of summary.top_layers.slice(0, slowest.length).entries()) {
    if (isJoined) break;
    expect(slowest[i]?.[0]).toBe(String(layer.layer_id));
    expect(slowest[i]).toContain((layer.share * 100).toFixed(1));
  }
  if (summary.conclusion !== null) {
    await expect(page.locator('.conclusion')).toHaveText(
      `${summary.conclusion.headline} ${summary.conclusion.text}`.trim(),
    );
  }
  const facts = page.locator('.facts-list');
  await expect(facts).toContainText(summary.engine.device);
  await expect(facts).toContainText(`${grouped(summary.record_count)}: `);
});
