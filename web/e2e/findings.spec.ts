// The Findings view on pages that planex wrote: what it shows is what `planex lint` prints, and the
// command that it gives to waive a finding does so. Without PLANEX_REPORT_DIR only what the fixtures
// hold is tested; PLANEX_BIN is the program.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, type Page } from '@playwright/test';

import { kFixtures, makeFixtures } from './fixtures.ts';
import { first, kFolder, open, test } from './page.ts';

const kHere = dirname(fileURLToPath(import.meta.url));
const kProgram = resolve(process.env.PLANEX_BIN ?? join(kHere, '../../build/release/planex'));

interface Finding {
  readonly rule: string;
  readonly severity: string;
  readonly layer_id: number | null;
  readonly message: string;
  readonly fix: string;
  readonly estimated_ms: number | null;
  readonly fingerprint: string;
  readonly suppressed: { readonly reason: string | null } | null;
  readonly folded_into?: number | null;
}
interface Lint {
  readonly findings: readonly Finding[];
  readonly rules: readonly {
    readonly id: string;
    readonly status: string;
    readonly reason: string | null;
    readonly count: number;
    readonly suppressed_count: number;
    readonly estimated_ms: number | null;
  }[];
  readonly estimated_ms: number | null;
  readonly estimate_band: { readonly low_ms: number | null; readonly high_ms: number } | null;
}

// "0.211 to 0.398 ms", "up to 1.20 ms": of the band, as people read it.
function savingOf(lint: Lint): string {
  const text = (ms: number): string => ms.toPrecision(3);
  const { low_ms: low, high_ms: high } = lint.estimate_band ?? { low_ms: null, high_ms: 0 };
  return low === null ? `up to ${text(high)} ms` : `${text(low)} to ${text(high)} ms`;
}

// What `planex lint --format json` said of the engine of a page.
// Without symptoms, which the page shows with their causes.
function lintOf(name: string): Lint {
  return withoutSymptoms(
    JSON.parse(readFileSync(join(kFolder, `${name}.lint.json`), 'utf8')) as Lint,
  );
}
function withoutSymptoms(lint: Lint): Lint {
  const isSymptom = (finding: Finding): boolean =>
    (finding.folded_into ?? null) !== null && finding.suppressed === null;
  return { ...lint, findings: lint.findings.filter((finding) => !isSymptom(finding)) };
}

const isReal = kFolder !== kFixtures;
const rules = (page: Page) => page.locator('.rule-row');
const findings = (page: Page) => page.locator('tr[data-finding]');
const panel = (page: Page) => page.locator('.panel');
const hashOf = (page: Page): Promise<string> => page.evaluate(() => location.hash);

// Counts shown: rules of the chosen list.
async function ids(page: Page): Promise<readonly string[]> {
  return rules(page).evaluateAll((rows) => rows.map((row) => row.getAttribute('data-rule') ?? ''));
}

async function listen(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: {
        writeText: (text: string) => {
          document.body.dataset.copied = text;
          return Promise.resolve();
        },
      },
    });
  });
}

const copied = (page: Page): Promise<string> =>
  page.evaluate(() => document.body.dataset.copied ?? '');

test.beforeAll(() => {
  if (!isReal) makeFixtures();
});

// TensorRT with times, TensorRT without, names only, TensorRT-RTX without times, OpenVINO.
for (const name of ['single', 'logs', 'no-profile', 'openvino']) {
  test(`${name}: rules, counts and worth are those of planex lint`, async ({ page }) => {
    test.skip(!isReal, 'needs pages that planex wrote');
    await sameAsLint(page, name);
  });
}

async function sameAsLint(page: Page, name: string): Promise<void> {
  const lint = lintOf(name);
  await open(page, name, 'v=findings');
  const shown = lint.findings.filter((finding) => finding.suppressed === null);
  await expect(page.locator('.tab.on .count')).toHaveText(String(shown.length));
  await expect(page.locator('.conclusion')).toContainText(
    lint.estimated_ms === null
      ? 'There are no times, so potential savings are not known.'
      : `All actions together save ${savingOf(lint)} per inference.`,
  );
  const fired = lint.rules.filter((rule) => rule.status === 'fired' && rule.count > 0);
  expect(new Set(await ids(page))).toEqual(new Set(fired.map((rule) => rule.id)));
  // The most worth first.
  const worth = new Map(fired.map((rule) => [rule.id, rule.estimated_ms ?? -1]));
  const order = (await ids(page)).map((id) => worth.get(id) ?? 0);
  expect(order).toEqual([...order].sort((a, b) => b - a));
  for (const rule of fired) {
    const row = page.locator(`[data-rule="${rule.id}"]`);
    await expect(row.locator('.rule-count')).toHaveText(String(rule.count));
    await expect(row.locator('.rule-worth')).toHaveText(
      rule.estimated_ms === null ? 'not known' : rule.estimated_ms.toFixed(3),
    );
    await row.click();
    await expect(page.locator('.about-rule')).toHaveText(rule.id);
    await expect(findings(page)).toHaveCount(rule.count);
    const own = shown.filter((finding) => finding.rule === rule.id);
    const keys = await findings(page).evaluateAll((rows) =>
      rows.map((r) => r.getAttribute('data-finding')),
    );
    expect(new Set(keys)).toEqual(new Set(own.map((finding) => finding.fingerprint)));
    if (rule.estimated_ms !== null) {
      await expect(page.locator('.findings-about .explain')).toContainText(
        `potential saving ≈ ${rule.estimated_ms.toFixed(3)} ms`,
      );
    }
  }
}

test('a severity in the link leaves the findings that are so grave', async ({ page }) => {
  test.skip(!isReal, 'needs pages that planex wrote');
  const { findings: all } = lintOf('single');
  const grave = all.filter((finding) => finding.severity === 'info');
  await open(page, 'single', 'v=findings');
  await page.locator('.severities [data-choice="info"]').click();
  await expect.poll(() => hashOf(page)).toContain('findings.severity=info');
  expect(new Set(await ids(page))).toEqual(new Set(grave.map((finding) => finding.rule)));
  let count = 0;
  for (const id of await ids(page)) {
    await page.locator(`[data-rule="${id}"]`).click();
    await expect(page.locator('.about-rule')).toHaveText(id);
    count += await findings(page).count();
    await expect(page.locator('tr[data-finding] .sign-info')).toHaveCount(
      await findings(page).count(),
    );
  }
  expect(count).toBe(grave.length);
  // It stays while findings are looked at, and goes with All.
  await page.keyboard.press('j');
  await expect.poll(() => hashOf(page)).toContain('findings.at=');
  await expect.poll(() => hashOf(page)).toContain('findings.severity=info');
  await page.locator('.severities [data-choice="all"]').click();
  await expect.poll(() => hashOf(page)).not.toContain('findings.severity');
});

test('on paper: every rule that fired, and the fixes', async ({ page }) => {
  test.skip(!isReal, 'needs pages that planex wrote');
  const lint = lintOf('single');
  await open(page, 'single', 'v=findings');
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  const printed = page.locator('.findings-printed');
  await expect(printed).toBeVisible();
  await expect(page.locator('.findings-columns')).toBeHidden();
  const fired = lint.rules.filter((rule) => rule.status === 'fired' && rule.count > 0);
  await expect(printed.locator('.printed-rule')).toHaveCount(fired.length);
  await expect(printed.locator('.printed-finding')).toHaveCount(lint.findings.length);
  await expect(printed).toContainText(lint.findings[0]?.fix ?? '?');
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect(printed.locator('.printed-rule')).toHaveCount(0);
});

test('the terminal prints the same total', async ({ page }) => {
  test.skip(!isReal || !existsSync(kProgram), 'needs the program');
  await open(page, 'single', 'v=findings');
  await listen(page);
  await page.getByRole('button', { name: 'command', exact: true }).click();
  const command = (await copied(page))
    .replace(/ --rule .*/, '')
    .replace(/^planex/, `'${kProgram}'`);
  const text = execFileSync('sh', ['-c', command], { encoding: 'utf8' });
  const total = /all actions together save (.*) per inference/.exec(text)?.[1] ?? '?';
  await expect(page.locator('.conclusion')).toContainText(`save ${total} per inference`);
});

test('silent and skipped rules are listed with their reasons', async ({ page }) => {
  test.skip(!isReal, 'needs pages that planex wrote');
  const lint = lintOf('single');
  await open(page, 'single', 'v=findings');
  for (const status of ['silent', 'skipped']) {
    const own = lint.rules.filter((rule) => rule.status === status);
    await page
      .getByRole('button', { name: new RegExp(`^${status} ${String(own.length)}`, 'i') })
      .click();
    expect(await ids(page)).toEqual(own.map((rule) => rule.id));
    await expect.poll(() => hashOf(page)).toContain(`findings.show=${status}`);
  }
  for (const rule of lint.rules.filter((r) => r.status === 'skipped').slice(0, 3)) {
    await page.locator(`[data-rule="${rule.id}"]`).click();
    await expect(page.locator('.findings-about')).toContainText('Skipped:');
    await expect(page.locator('.findings-about')).toContainText((rule.reason ?? '').slice(1, 40));
  }
});

test('waived findings stand apart, with the reason', async ({ page }) => {
  test.skip(!isReal, 'needs pages that planex wrote');
  const lint = lintOf('waived');
  const waived = lint.findings.filter((finding) => finding.suppressed !== null);
  expect(waived.length).toBeGreaterThan(0);
  await open(page, 'waived', 'v=findings');
  await expect(page.locator('.tab.on .count')).toHaveText(
    String(lint.findings.length - waived.length),
  );
  await expect(page.locator('.conclusion')).toContainText(/\b\d+ findings? waived/);
  await page.getByRole('button', { name: /^Waived/ }).click();
  const waivedRules = lint.rules.filter((rule) => rule.suppressed_count > 0);
  expect(await ids(page)).toEqual(waivedRules.map((rule) => rule.id));
  const listed = waived.find((finding) => finding.rule === waivedRules[0]?.id);
  await expect(findings(page).first()).toContainText(listed?.suppressed?.reason ?? '?');
  await findings(page).first().click();
  await expect(panel(page)).toContainText('Not counted');
  await expect(panel(page).locator('input')).toHaveCount(0);
});

test('a finding: its layer is the selection everywhere, its panel says all of it', async ({
  page,
}) => {
  test.skip(!isReal, 'needs pages that planex wrote');
  const rule = 'int8-conv-writes-float';
  const finding = lintOf('single').findings.find((f) => f.rule === rule && f.layer_id === 6);
  if (finding === undefined) throw new Error('the engine has no such finding');
  await open(page, 'single', `v=findings&findings.rule=${rule}`);
  await page.locator(`[data-finding="${finding.fingerprint}"]`).click();
  await expect(panel(page)).toContainText(finding.fix);
  await expect(panel(page)).toContainText('residual input');
  await expect(panel(page).getByRole('heading', { name: 'Why' })).toBeVisible();
  // What goes: the reformat that follows.
  await expect(panel(page).locator('.worth-sum')).toContainText('−21.6 µs');
  await expect(panel(page).locator('.worth-line', { hasText: 'QuantizeLinear_40' })).toContainText(
    'goes',
  );
  // The drawing names the boxes to those who do not see it, and has pixels for the others.
  const drawing = panel(page).locator('.evidence-drawing');
  await expect(drawing.getByRole('img')).toHaveAttribute(
    'aria-label',
    /layer1\.0\.conv1, INT8; .*QuantizeLinear_40/,
  );
  await expect
    .poll(() =>
      drawing
        .locator('canvas')
        .first()
        .evaluate((canvas: HTMLCanvasElement) => canvas.height),
    )
    .toBeGreaterThan(200);
  await expect.poll(() => hashOf(page)).toContain(`findings.at=${finding.fingerprint}`);
  await expect.poll(() => hashOf(page)).toContain('sel=6');
  await page.keyboard.press('2');
  await expect(page.locator('tr.selected[data-row]').first()).toContainText('layer1.0.conv2');
  // The layer's panel leads back.
  await panel(page).getByRole('button', { name: rule, exact: true }).click();
  await expect(page.locator(`[data-finding="${finding.fingerprint}"]`)).toHaveClass(/selected/);
});

test('a link opens a finding, and says where it is gone', async ({ page }) => {
  test.skip(!isReal, 'needs pages that planex wrote');
  const lint = lintOf('single');
  for (const finding of [lint.findings[0], lint.findings.at(-1)]) {
    if (finding === undefined) throw new Error('no findings');
    await open(
      page,
      'single',
      `v=findings&findings.rule=${finding.rule}&findings.at=${finding.fingerprint}`,
    );
    await expect(page.locator(`[data-finding="${finding.fingerprint}"]`)).toHaveClass(/selected/);
    await expect(panel(page)).toContainText(finding.message.slice(1));
    await page.goto('about:blank');
  }
  await open(page, 'single', 'v=findings&findings.at=0123456789abcdef');
  await expect(page.locator('.note')).toContainText('no finding "0123456789abcdef"');
  await expect(rules(page).first()).toBeVisible();
});

test('keys walk the findings, and Esc closes', async ({ page }) => {
  test.skip(!isReal, 'needs pages that planex wrote');
  await open(page, 'single', 'v=findings');
  const keys = await findings(page).evaluateAll((rows) =>
    rows.map((r) => r.getAttribute('data-finding')),
  );
  expect(keys.length).toBeGreaterThan(3);
  const chosen = () => page.locator('tr.selected[data-finding]').getAttribute('data-finding');
  await page.keyboard.press('j');
  expect(await chosen()).toBe(keys[0]);
  await page.keyboard.press('j');
  await page.keyboard.press('ArrowDown');
  expect(await chosen()).toBe(keys[2]);
  await expect(panel(page)).toContainText(`3 of ${String(keys.length)}`);
  await page.keyboard.press('k');
  expect(await chosen()).toBe(keys[1]);
  for (let i = 0; i < keys.length + 3; i += 1) await page.keyboard.press('j');
  expect(await chosen()).toBe(keys.at(-1));
  await page.keyboard.press('Escape');
  await expect(panel(page)).toBeHidden();
  await expect(page.locator('tr.selected[data-finding]')).toHaveCount(0);
});

test('the waive command does what it says', async ({ page }) => {
  test.skip(!isReal || !existsSync(kProgram), 'needs the program');
  const before = lintOf('single');
  await open(page, 'single', 'v=findings');
  await page.keyboard.press('j');
  await listen(page);
  const reason = 'it\'s "known"; $(touch pwned) `touch pwned`';
  await panel(page).getByRole('textbox').fill(reason);
  await panel(page).locator('.waive-command button').click();
  const command = await copied(page);
  expect(command).toContain('--waivers waivers.json --waive ');
  const folder = mkdtempSync(join(tmpdir(), 'planex-waive-'));
  const run = (line: string): string =>
    execFileSync('sh', ['-c', line.replace(/^planex/, `'${kProgram}'`)], {
      cwd: folder,
      encoding: 'utf8',
    });
  const after = withoutSymptoms(JSON.parse(run(`${command} --format json`)) as Lint);
  const waived = after.findings.filter((finding) => finding.suppressed !== null);
  const key = await page.locator('tr.selected[data-finding]').getAttribute('data-finding');
  expect(waived.map((finding) => finding.fingerprint)).toEqual([key]);
  expect(waived[0]?.suppressed?.reason).toBe(reason);
  expect(after.findings).toHaveLength(before.findings.length);
  expect(existsSync(join(folder, 'pwned'))).toBe(false);
  // Again, for the next time: what was written is read.
  expect(run(command)).toContain('1 finding waived by waivers.json');
});

test('what another engine has solved is said as it was measured', async ({ page }) => {
  test.skip(!isReal, 'needs pages that planex wrote');
  await open(page, 'solved', 'v=findings&findings.rule=int8-conv-writes-float&sel=6');
  const line = panel(page).locator('.elsewhere').first();
  await expect(line).toContainText('measured in qat-residual: 64.5 → 34.8 µs');
  await expect(line).toContainText('−29.7 µs');
  await line.click();
  await expect.poll(() => hashOf(page)).toContain('e=qat-residual');
  await expect.poll(() => hashOf(page)).toContain('sel=3');
});

test('the filter leaves the findings of the layers that stay', async ({ page }) => {
  test.skip(!isReal, 'needs pages that planex wrote');
  const finding = lintOf('single').findings.filter((f) => f.rule === 'int8-conv-writes-float');
  await open(page, 'single', 'v=findings&findings.rule=int8-conv-writes-float&f=layer:0-9');
  const stay = finding.filter((f) => (f.layer_id ?? 99) <= 9);
  await expect(findings(page)).toHaveCount(stay.length);
  await expect(page.locator('.findings-about .explain')).toContainText(
    `${String(stay.length)} of ${String(finding.length)}`,
  );
});

test('the reformats lead to Precision, the overview leads here', async ({ page }) => {
  test.skip(!isReal, 'needs pages that planex wrote');
  await open(page, 'single', 'v=overview');
  const row = page.locator('table.findings tbody tr').first();
  const rule = (await row.locator('td.name').textContent()) ?? '';
  await row.click();
  await expect(page.locator('.about-rule')).toHaveText(rule);
  await expect(page.locator('table.reformats tbody tr')).toHaveCount(12);
  await expect(page.locator('.reformat-block .explain')).toContainText('0.279 ms');
  await page.locator('table.reformats tbody tr').nth(1).click();
  await expect.poll(() => hashOf(page)).toContain('sel=3');
  const more = page.locator('.reformat-block').getByRole('button');
  if ((await page.locator('.tab', { hasText: 'Precision' }).count()) === 0) {
    await expect(more).toHaveCount(0);
    return;
  }
  await more.click();
  await expect.poll(() => hashOf(page)).toContain('v=precision');
});

test('thousands of findings: only rows near the window exist', async ({ page }) => {
  test.skip(!isReal, 'needs pages that planex wrote');
  await open(page, 'many', 'v=findings');
  const count = Number(
    (await rules(page).first().locator('.rule-count').textContent())?.replace(/\s/g, ''),
  );
  expect(count).toBeGreaterThan(500);
  await rules(page).first().click();
  expect(await findings(page).count()).toBeLessThan(80);
  const region = page.getByRole('region', { name: 'Findings of the rule' });
  await region.evaluate((node) => {
    node.scrollTop = node.scrollHeight;
  });
  await expect(page.locator(`tr[data-finding][data-index="${String(count - 1)}"]`)).toBeVisible();
  await page.keyboard.press('j');
  await expect(page.locator('tr.selected[data-finding]')).toBeInViewport();
});

test('hostile names and texts stay text, and fit', async ({ page }) => {
  for (const hash of ['v=findings', 'v=findings&findings.show=silent', 'v=files']) {
    await open(page, 'hostile', hash);
    for (let i = 0; i < 12; i += 1) await page.keyboard.press('j');
    expect(await page.evaluate(() => 'pwned' in window || 'hostile' in window)).toBe(false);
    await expect(
      page.locator('.frame img, .frame script, .frame iframe, [onerror], [onload]'),
    ).toHaveCount(0);
    const text = await page.locator('.frame').evaluate((n) => n.textContent);
    expect(/[\u202a-\u202e\u2066-\u2069]/.test(text)).toBe(false);
  }
  const { label } = first('hostile');
  expect(label).not.toBeUndefined();
});

for (const name of ['single', 'names-only', 'hostile', 'large']) {
  for (const size of [
    { width: 1440, height: 900 },
    { width: 1100, height: 800 },
    { width: 900, height: 1100 },
    { width: 640, height: 900 },
  ]) {
    test(`${name} at ${String(size.width)}: nothing is wider than its place`, async ({ page }) => {
      await page.setViewportSize(size);
      for (const view of ['findings', 'files']) {
        await open(page, name, `v=${view}`);
        await page.keyboard.press('j');
        const over = await page.evaluate(() => {
          const beyond = (selector: string): number => {
            const node = document.querySelector(selector);
            return node === null ? 0 : node.scrollWidth - node.clientWidth;
          };
          return [
            document.documentElement.scrollWidth - window.innerWidth,
            beyond('.view'),
            beyond('.panel-body'),
            beyond('.findings-middle'),
            beyond('.findings-rules'),
          ];
        });
        expect(Math.max(...over), view).toBeLessThanOrEqual(0);
      }
    });
  }
}
