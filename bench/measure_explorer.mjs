// Drops an engine on the explorer (make page) and says what a reader waits for, as JSON on standard
// output:
//
//   node bench/measure_explorer.mjs dist/explorer ENGINE_FOLDER [RUNS]
//
// first_view_ms: from the choice of the folder until its first view stands. complete_ms: until all
// views are there. memory_bytes: what the browser's processes hold together then, as the system
// counts it.
import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import process from "node:process";

import { chromium } from "../web/node_modules/playwright-core/index.mjs";

const [site, engine, runs = "3"] = process.argv.slice(2);
const kMinutes = 5 * 60_000;
const kTypes = { html: "text/html; charset=utf-8", js: "text/javascript", wasm: "application/wasm" };

const server = createServer((request, response) => {
  const path = (request.url ?? "/").replace(/[?#].*/, "");
  try {
    const file = readFileSync(join(site, path.endsWith("/") ? `${path}index.html` : path));
    const type = kTypes[path.split(".").pop()] ?? (path.endsWith("/") ? kTypes.html : "text/plain");
    response.writeHead(200, { "Content-Type": type }).end(file);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const address = `http://127.0.0.1:${server.address().port}/`;

// Of all that this process started: the browser.
function memoryBytes() {
  const own = String(process.pid);
  const parents = new Map();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      parents.set(name, stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    } catch {
      // It ended meanwhile.
    }
  }
  const isOurs = (name) => name === own || (parents.has(name) && isOurs(parents.get(name)));
  let bytes = 0;
  for (const name of parents.keys()) {
    if (name === own || !isOurs(name)) continue;
    try {
      const rollup = readFileSync(`/proc/${name}/smaps_rollup`, "utf8");
      bytes += 1024 * Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
    } catch {
      // So did this one.
    }
  }
  return bytes;
}

async function once() {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ["--no-sandbox", "--hide-scrollbars"],
  });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(kMinutes);
  await page.goto(address);
  // The module is compiled while a reader looks for the files.
  await page.waitForTimeout(1500);
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose a folder" }).first().click();
  const asked = await chooser;
  const start = performance.now();
  await asked.setFiles(engine);
  await page.locator("main.view > *").first().waitFor();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done())));
  const first_view_ms = performance.now() - start;
  await page.waitForFunction(() => document.querySelector(".busy")?.hidden === true);
  const complete_ms = performance.now() - start;
  const memory_bytes = memoryBytes();
  await browser.close();
  return { first_view_ms, complete_ms, memory_bytes };
}

const found = [];
for (let i = 0; i < Number(runs); i += 1) found.push(await once());
server.close();
const median = (name) =>
  found.map((run) => run[name]).sort((a, b) => a - b)[Math.floor(found.length / 2)] ?? null;
process.stdout.write(
  `${JSON.stringify({
    first_view_ms: median("first_view_ms"),
    complete_ms: median("complete_ms"),
    memory_bytes: median("memory_bytes"),
  })}\n`,
);
