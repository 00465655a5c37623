// Opens a report in Chromium and says what a reader waits for, as JSON on standard output:
//
//   node bench/measure_page.mjs REPORT.html [RUNS]
//
// first_text_ms, interactive_ms: from the start of navigation until there is text, and until the
// table of layers answers. search_ms: a typed letter until the hits stand, the slowest of several
// words. scroll, pan: frames while the layers table and the graph move. peer_*: the same browser
// with an empty page, and with nothing that moves.
import process from "node:process";
import { pathToFileURL } from "node:url";

import { chromium } from "../web/node_modules/playwright-core/index.mjs";

const [path, runs = "5"] = process.argv.slice(2);
const address = pathToFileURL(path).href;
const kWords = ["conv", "conv_99", "reformat", "layer1", "zzz", "int8"];
const kStepPx = 60;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--no-sandbox", "--hide-scrollbars"],
});

// A page that notes when its table of layers first has rows; nothing is asked of it meanwhile.
async function openPage(url) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript(() => {
    const seen = () => {
      if (document.querySelector("tr[data-row]") !== null) {
        window.planexInteractive = performance.now();
        return;
      }
      requestAnimationFrame(seen);
    };
    requestAnimationFrame(seen);
  });
  const page = await context.newPage();
  page.setDefaultTimeout(180_000);
  await page.goto(url, { waitUntil: "commit" });
  return { context, page };
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;

async function opening() {
  const { context, page } = await openPage(`${address}#v=layers`);
  await page.waitForFunction(() => window.planexInteractive !== undefined);
  const figures = await page.evaluate(() => ({
    first_text_ms: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null,
    interactive_ms: window.planexInteractive,
  }));
  await context.close();
  return figures;
}

async function emptyPage() {
  const context = await browser.newContext();
  const page = await context.newPage();
  const start = performance.now();
  await page.goto("data:text/html,<p>planex</p>");
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done())));
  const ms = performance.now() - start;
  await context.close();
  return ms;
}

async function search(page) {
  return page.evaluate(async (words) => {
    const input = document.querySelector(".search input");
    input.focus();
    const type = async (text) => {
      input.value = text;
      const before = performance.now();
      input.dispatchEvent(new Event("input"));
      await Promise.resolve();
      return performance.now() - before;
    };
    const first_ms = await type("c");
    const times = [];
    for (const word of words) {
      for (let i = 1; i <= word.length; i += 1) times.push(await type(word.slice(0, i)));
    }
    input.value = "";
    input.dispatchEvent(new Event("input"));
    input.blur();
    times.sort((a, b) => a - b);
    return { first_ms, median_ms: times[times.length >> 1], slowest_ms: times.at(-1) };
  }, kWords);
}

// Frames for about a second, while `move` does something before each.
async function frames(page, selector, step) {
  const gaps = await page.evaluate(
    async ({ selector: where, step: by }) => {
      const node = where === null ? null : document.querySelector(where);
      const result = [];
      let last = null;
      for (let i = 0; i < 60; i += 1) {
        const now = await new Promise((done) => requestAnimationFrame(done));
        if (last !== null) result.push(now - last);
        last = now;
        if (node === null) continue;
        if (node.scrollHeight > node.clientHeight + 1) node.scrollTop += by * 10;
        else {
          const box = node.getBoundingClientRect();
          node.dispatchEvent(
            new WheelEvent("wheel", {
              deltaY: i < 30 ? by : -by,
              clientX: box.x + box.width / 2,
              clientY: box.y + box.height / 2,
              bubbles: true,
              cancelable: true,
            }),
          );
        }
      }
      return result;
    },
    { selector, step },
  );
  const sorted = gaps.sort((a, b) => a - b);
  return {
    median_ms: sorted[sorted.length >> 1],
    p95_ms: sorted[Math.floor(0.95 * (sorted.length - 1))],
  };
}

const opened = [];
const empty = [];
for (let i = 0; i < Number(runs); i += 1) {
  empty.push(await emptyPage());
  opened.push(await opening());
}

const { context, page } = await openPage(`${address}#v=layers`);
await page.waitForFunction(() => window.planexInteractive !== undefined);
const searching = await search(page);
const still = await frames(page, null, 0);
const scroll = await frames(page, ".table-scroll", kStepPx);
await page.goto(`${address}#v=graph`);
await page.getByText("laying out").waitFor({ state: "hidden" });
await page.waitForTimeout(500); // the first picture
const pan = await frames(page, ".graph-canvas", kStepPx);
await context.close();
await browser.close();

const of = (key) => opened.map((run) => run[key]).filter((value) => value !== null);
process.stdout.write(
  `${JSON.stringify({
    first_text_ms: median(of("first_text_ms")),
    interactive_ms: median(of("interactive_ms")),
    peer_empty_page_ms: median(empty),
    search_first_ms: searching.first_ms,
    search_median_ms: searching.median_ms,
    search_slowest_ms: searching.slowest_ms,
    scroll_median_ms: scroll.median_ms,
    scroll_p95_ms: scroll.p95_ms,
    pan_median_ms: pan.median_ms,
    pan_p95_ms: pan.p95_ms,
    peer_still_median_ms: still.median_ms,
    peer_still_p95_ms: still.p95_ms,
  })}\n`,
);
