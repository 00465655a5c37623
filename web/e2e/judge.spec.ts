// How engines are judged, chosen in the page with the real core: what it shows is what the program says
// with the same options, the link holds it, and files go both ways.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { expect, type Page } from '@playwright/test';

import { looksOf } from './chosen.ts';
import { downloaded } from './download.ts';
import { drop, kMissing, kProgram, test } from './explorer_page.ts';
import { cutThings, graveViolations } from './faults.ts';

const kExamples = resolve(import.meta.dirname, '../../examples/engines');
const kLintFiles = resolve(import.meta.dirname, '../../examples/lint');
const kEngine = 'resnet18-a100-qat';
const kRule = 'int8-conv-writes-float';
const kMinute = 60_000;

test.skip(kMissing !== null, kMissing ?? '');
test.skip(kProgram === '', 'needs PLANEX_BIN');
// Each test compiles the core again.
test.describe.configure({ timeout: 3 * kMinute });

interface Lint {
  readonly findings: readonly {
    readonly rule: string;
    readonly fingerprint: string;
    readonly severity: string;
    readonly suppressed: object | null;
    readonly folded_into: number | null;
  }[];
  readonly counts: Readonly<Record<string, number>>;
}

function lint(...words: readonly string[]): Lint {
  const all = ['lint', kEngine, ...words, '--format', 'json'];
  return JSON.parse(
    execFileSync(kProgram, all, { cwd: kExamples, encoding: 'utf8', maxBuffer: 1e9 }),
  ) as Lint;
}

const countOf = ({ counts }: Lint): number => Object.values(counts).reduce((a, b) => a + b, 0);

async function openFindings(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'ResNet-18, INT8' }).click();
  await expect(page.locator('main.view > *').first()).toBeVisible({ timeout: kMinute });
  await page.getByRole('link', { name: /^Findings/ }).click();
  await expect(page.locator('.findings-view')).toBeVisible();
}

async function chooseRules(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Choose rules' }).click();
  await expect(page.getByRole('checkbox', { name: `Rule ${kRule}` })).toBeVisible();
}

const count = (page: Page) => page.locator('.tab', { hasText: 'Findings' }).locator('.count');
const judging = (page: Page) => page.locator('.judging');
const problemsShown = (page: Page) => page.locator('.problems');
// The report follows in its own time.
const slow = { timeout: kMinute };

async function selectFinding(page: Page): Promise<string> {
  await page.locator('.findings-table tbody tr[data-finding]').first().click();
  const key = await page
    .locator('.findings-table tbody tr[data-finding]')
    .first()
    .getAttribute('data-finding');
  await expect(page.locator('.waive-form')).toBeVisible();
  return key ?? '';
}

test('rules are switched off and on, and graver', async ({ open: page, problems }) => {
  await openFindings(page);
  const all = countOf(lint());
  await expect(count(page)).toHaveText(String(all));
  await chooseRules(page);
  const box = page.getByRole('checkbox', { name: `Rule ${kRule}` });
  await box.focus();
  await page.keyboard.press('Space');
  const without = countOf(lint('--no-rule', kRule));
  await expect(count(page)).toHaveText(String(without), slow);
  expect(without).toBeLessThan(all);
  // Who works with keys is still there.
  await expect(box).toBeFocused();
  await expect(box).not.toBeChecked();
  await expect(judging(page)).toContainText(/1 of \d+ rules off/);
  await expect(page.locator('.conclusion')).toContainText('1 rule is off');
  await expect.poll(() => page.url()).toContain(`rules.off=${kRule}`);

  await page
    .getByRole('combobox', { name: 'Severity of reformat-changes-type' })
    .selectOption('error');
  await expect(judging(page)).toContainText('1 severity changed', slow);
  const graver = lint('--no-rule', kRule, '--severity', 'reformat-changes-type=error');
  expect(graver.counts.error).toBeGreaterThan(0);
  await page.getByRole('button', { name: /^Fired/ }).click();
  await expect(page.getByRole('button', { name: 'Errors:' })).toHaveText(
    new RegExp(`${String(graver.counts.error)}$`),
  );
  await expect(page.locator('.judging').getByRole('button', { name: 'command' })).toHaveAttribute(
    'title',
    `planex lint ${kEngine} --no-rule ${kRule} --severity reformat-changes-type=error`,
  );

  // On paper, too.
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await expect(page.locator('.findings-printed')).toContainText(`planex lint ${kEngine} --no-rule`);
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));

  // By pack.
  await page.getByRole('button', { name: 'Choose rules' }).click();
  await page.getByRole('checkbox', { name: 'Pack tensorrt', exact: true }).uncheck();
  const packs = ['generic', 'openvino', 'tensorrt-rtx'].flatMap((pack) => ['--pack', pack]);
  const fewer = countOf(lint('--no-rule', kRule, ...packs));
  await expect(count(page)).toHaveText(String(fewer), slow);

  await page.getByRole('button', { name: 'reset' }).click();
  await expect(count(page)).toHaveText(String(all), slow);
  await expect(judging(page)).toHaveCount(0);
  await expect.poll(() => page.url()).not.toContain('rules.');
  expect(problems).toEqual([]);
});

test('a link opens with the same rules', async ({ page, explorer, problems }) => {
  const folder = mkdtempSync(join(tmpdir(), 'planex-judge-'));
  const run = join(folder, 'run.planex');
  execFileSync(kProgram, ['archive', kEngine, '-o', run], { cwd: kExamples });
  explorer.extra['/runs/run.planex'] = run;
  const link = `#v=findings&rules.off=${kRule}&rules.severity=reformat-changes-type%3Derror`;
  await page.goto(`${explorer.url}?url=runs/run.planex${link}`);
  const wanted = lint('--no-rule', kRule, '--severity', 'reformat-changes-type=error');
  await expect(count(page)).toHaveText(String(countOf(wanted)), slow);
  await expect(judging(page)).toContainText(/1 of \d+ rules off, 1 severity changed/);
  // What there is not is told, and asked for no longer.
  // From elsewhere: the open page would answer the new link itself, and mend it.
  await page.goto('about:blank');
  await page.goto(`${explorer.url}?url=runs/run.planex#v=findings&rules.off=nonsense`);
  await expect(problemsShown(page)).toContainText('there is no rule "nonsense"', slow);
  await expect(count(page)).toHaveText(String(countOf(lint())));
  await expect.poll(() => page.url()).not.toContain('nonsense');
  rmSync(folder, { recursive: true });
  expect(problems).toEqual([]);
});

test('a finding is waived, and the file is the program’s', async ({ open: page, problems }) => {
  const folder = mkdtempSync(join(tmpdir(), 'planex-judge-'));
  const file = join(folder, 'waivers.json');
  await openFindings(page);
  const all = countOf(lint());
  await page.locator(`.rule-row[data-rule="${kRule}"]`).click();
  const key = await selectFinding(page);
  // Not without a reason.
  await page.getByRole('button', { name: 'Waive', exact: true }).click();
  await expect(count(page)).toHaveText(String(all));
  const reason = 'the "camera" gives ﬂoats \\ ü';
  await page.getByRole('textbox', { name: 'Why the finding is accepted' }).fill(reason);
  await page.getByRole('button', { name: 'Waive', exact: true }).click();
  await expect(count(page)).toHaveText(String(all - 1), slow);
  await expect(page.locator('.panel')).toContainText('Waived: the "camera"');
  await expect(judging(page)).toContainText('1 added here');
  const waive = ['--waivers', file, '--waive', key, '--reason', reason];
  execFileSync(kProgram, ['lint', kEngine, ...waive], { cwd: kExamples });
  const save = async (): Promise<string> => {
    const button = judging(page).getByRole('button', { name: 'save' });
    const download = await downloaded(page, () => button.click());
    expect(download.suggestedFilename()).toBe('waivers.json');
    return readFileSync(await download.path(), 'utf8');
  };
  const saved = await save();
  expect(saved).toBe(readFileSync(file, 'utf8'));

  // Listed, and taken back.
  await page.getByRole('button', { name: /^Waived/ }).click();
  await expect(page.locator('table.waivers')).toContainText('holds');
  await page.locator('table.waivers').getByRole('button', { name: 'take back' }).click();
  await expect(count(page)).toHaveText(String(all), slow);
  await expect(judging(page)).toHaveCount(0);

  // Dropped it counts again, and takes more: the program then reads it, too.
  await drop(page, { 'waivers.json': saved });
  await expect(count(page)).toHaveText(String(all - 1), slow);
  await page.getByRole('button', { name: /^Fired/ }).click();
  const next = await selectFinding(page);
  await page.getByRole('textbox', { name: 'Why the finding is accepted' }).fill('next release');
  await page.getByLabel('until').fill('2099-06-30');
  await page.getByRole('button', { name: 'Waive', exact: true }).click();
  await expect(count(page)).toHaveText(String(all - 2), slow);
  const both = await save();
  expect(both).toContain('"expires": "2099-06-30"');
  writeFileSync(file, both);
  const said = lint('--waivers', file);
  expect(countOf(said)).toBe(all - 2);
  expect(
    said.findings.filter(({ suppressed }) => suppressed !== null).map((f) => f.fingerprint),
  ).toEqual(expect.arrayContaining([key, next]));
  rmSync(folder, { recursive: true });
  expect(problems).toEqual([]);
});

test('rules, a baseline and waivers are dropped', async ({ open: page, problems }) => {
  const folder = mkdtempSync(join(tmpdir(), 'planex-judge-'));
  const read = (name: string) => readFileSync(join(kLintFiles, name), 'utf8');
  // Nothing is open that they could be about.
  await drop(page, { 'our-rules.json': read('our-rules.json') });
  await expect(problemsShown(page)).toContainText(
    'no engine is open that this file could apply to',
  );
  await openFindings(page);
  await expect(judging(page)).toHaveCount(0);
  await drop(page, { 'our-rules.json': read('our-rules.json') });
  await expect(judging(page)).toContainText('our-rules.json', slow);
  await expect(page.locator('.rule-row[data-rule="too-many-layers"]')).toBeVisible();
  const own = ['--rules-file', join(kLintFiles, 'our-rules.json')];
  await expect(count(page)).toHaveText(String(countOf(lint(...own))));
  // A rule of the reader's is switched off like others; without the file nothing of it is left.
  await chooseRules(page);
  await page.getByRole('checkbox', { name: 'Rule too-many-layers' }).uncheck();
  await expect(count(page)).toHaveText(
    String(countOf(lint(...own, '--no-rule', 'too-many-layers'))),
    slow,
  );
  await judging(page).getByRole('button', { name: 'remove' }).click();
  await expect(count(page)).toHaveText(String(countOf(lint())), slow);
  await expect(judging(page)).toHaveCount(0);

  const baseline = join(folder, 'b.json');
  execFileSync(kProgram, ['lint', kEngine, '--write-baseline', baseline], { cwd: kExamples });
  await drop(page, { 'b.json': readFileSync(baseline, 'utf8') });
  await expect(count(page)).toHaveText('0', slow);
  await judging(page).getByRole('button', { name: 'remove' }).click();
  await expect(judging(page)).toHaveCount(0, slow);

  // What is wrong with a file is told, and all is as it was.
  await drop(page, { 'w.json': '{"schema": "planex.waivers/1", "waivers": [{"rule": "x"}]}' });
  await expect(problemsShown(page)).toContainText('w.json at /waivers/0', slow);
  expect(await problemsShown(page).textContent()).not.toContain('.planex-judging');
  await expect(count(page)).toHaveText(String(countOf(lint())));
  await drop(page, { 'waivers.json': read('waivers.json') });
  await page.getByRole('button', { name: /^Waived 1/ }).click(slow);
  await expect(page.locator('table.waivers')).toContainText('matches no finding');
  rmSync(folder, { recursive: true });
  expect(problems).toEqual([]);
});

test('layers are held against another device', async ({ open: page, problems }) => {
  await openFindings(page);
  await page.getByRole('link', { name: /^Convolutions/ }).click();
  const device = page.locator('.work-limits .device');
  const before = await device.textContent();
  const select = page.getByRole('combobox', { name: 'Limits of' });
  await select.selectOption('H100 SXM');
  await expect(device).toContainText('H100 SXM', slow);
  const words = ['explain', 'speed', kEngine, '--device', 'H100 SXM', '--format', 'text'];
  const said = execFileSync(kProgram, words, { cwd: kExamples, encoding: 'utf8' });
  const reached = /([\d.]+) % of the limit/.exec(said)?.[1] ?? 'nothing';
  await expect(page.locator('.work-limits .sum')).toContainText(`${reached} % of the limit`);
  await expect.poll(() => page.url()).toContain('work.device=H100');
  await expect(select).toHaveValue('H100 SXM');
  await select.selectOption('device of the engine');
  await expect(device).toHaveText(before ?? '', slow);
  await expect.poll(() => page.url()).not.toContain('work.device');
  // Of a table of the reader's.
  const row = { name: 'my board', memory_gb_per_s: 200, matrix_tflops: { FP16: 50 } };
  await drop(page, {
    'mine.json': JSON.stringify({ schema: 'planex.devices/1', devices: [row] }),
  });
  await expect(page.getByText('from mine.json')).toBeVisible(slow);
  await select.selectOption('my board');
  await expect(device).toContainText('200 GB/s', slow);
  expect(problems).toEqual([]);
});

for (const [theme, width] of looksOf([1280, 390])) {
  test(`can be used by all, ${theme}, ${String(width)} px`, async ({ page, explorer }) => {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: 900 });
    await page.goto(explorer.url);
    await openFindings(page);
    const look = async (name: string): Promise<void> => {
      const folder = process.env.PLANEX_SHOTS;
      if (folder !== undefined) {
        await page.screenshot({ path: join(folder, `${name}-${theme}-${String(width)}.png`) });
      }
      expect(await graveViolations(page)).toEqual([]);
      expect(await cutThings(page)).toEqual([]);
    };
    await page.locator(`.rule-row[data-rule="${kRule}"]`).click();
    await selectFinding(page);
    await page.locator('.waive-form').scrollIntoViewIfNeeded();
    await look('form');
    await page.getByRole('textbox', { name: 'Why the finding is accepted' }).fill('known');
    await page.getByRole('button', { name: 'Waive', exact: true }).click();
    await expect(judging(page)).toContainText('1 added here', slow);
    await page.keyboard.press('Escape');
    await chooseRules(page);
    await page.getByRole('checkbox', { name: `Rule reformat-changes-type` }).uncheck();
    await expect(judging(page)).toContainText(/1 of \d+ rules off/, slow);
    await look('choose');
    await page.getByRole('button', { name: /^Waived/ }).click();
    await look('waived');
    await page.getByRole('link', { name: /^Convolutions/ }).click();
    await page.getByRole('combobox', { name: 'Limits of' }).selectOption('H100 SXM');
    await expect(page.locator('.work-limits .device')).toContainText('H100 SXM', slow);
    await look('device');
  });
}
