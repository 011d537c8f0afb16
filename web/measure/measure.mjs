// Measures the page in Chromium: how long a cold load takes until the first
// answer, and what a key costs in a command of 2 KiB and in one of 200 kB. It prints
// numbers and judges nothing: machines differ.
import { loadavg } from "node:os";
import { build, launch, serve, started } from "../browser.mjs";

const command = "curl 'https://api.example.com/v1/items?page=1' \\\n" +
  Array.from({ length: 22 }, (_, i) => `  -H 'X-Header-Number-${i}: ${"value ".repeat(8)}${i}' \\\n`).join("") +
  `  --data-raw '${JSON.stringify({ name: "Ann", notes: "n".repeat(400), id: 12345678901234567890n.toString() })}'`;

function print(what, list) {
  const sorted = [...list].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(2);
  console.log(`${what}: median ${at(0.5)} ms, 95 of 100 within ${at(0.95)} ms, worst ${at(1)} ms, of ${list.length}`);
}

// typing types into a command and prints what each key costs.
async function typing(text) {
  const page = await browser.newPage();
  await page.goto(service.url);
  await started(page);
  await page.locator("#command").fill(text);
  await page.waitForSelector("#panel-code pre");
  // What the page's own thread does when a key arrives, before the pause.
  await page.evaluate(() => {
    window.keys = [];
    const box = document.getElementById("command");
    let began;
    box.addEventListener("input", () => { began = performance.now(); }, { capture: true });
    document.addEventListener("input", () => window.keys.push(performance.now() - began));
  });
  await page.locator("#command").press("End");
  const engine = [], shown = [];
  for (let i = 0; i < 50; i++) {
    await page.keyboard.type("x");
    await page.waitForTimeout(250); // past the pause, and the answer
    const [e, p] = await page.evaluate(() => ["uncoil-engine", "uncoil-page"].map((name) => performance.getEntriesByName(name)[0].duration));
    engine.push(e);
    shown.push(p);
  }
  console.log(`a command of ${text.length} bytes, a key at a time:`);
  print("  the page when the key arrives", await page.evaluate(() => window.keys));
  print("  the engine, in the worker", engine);
  print("  the page when the answer arrives", shown);
  await page.close();
}

console.log(`load average ${loadavg()[0].toFixed(1)}`);
const built = build();
const service = await serve(built.program);
const browser = await launch();
try {
  const cold = [];
  const phases = {}; // by what they end with, in milliseconds since the navigation
  for (let i = 0; i < 10; i++) {
    // The command is in the address, so that the page asks at once. A new
    // context has an empty cache.
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(service.url + "#" + new URLSearchParams({ curl: "curl -d a=1 https://h.test/" }), { waitUntil: "commit" });
    await page.waitForSelector("#panel-code pre");
    cold.push(await page.evaluate(() => performance.getEntriesByName("uncoil-page")[0]).then((entry) => entry.startTime + entry.duration));
    const marks = await page.evaluate(() => {
      const { requestStart, responseStart, responseEnd } = performance.getEntriesByType("resource").find(({ name }) => name.endsWith(".wasm"));
      return Object.entries({ "the engine is asked for": requestStart, "it begins to arrive": responseStart, "it is here": responseEnd, "it is compiled": performance.getEntriesByName("compiled")[0].startTime });
    });
    const started = await page.workers()[0].evaluate(() => performance.timeOrigin + performance.getEntriesByName("started")[0].startTime);
    marks.push(["it has started", started - await page.evaluate(() => performance.timeOrigin)]);
    for (const [name, time] of marks) (phases[name] ??= []).push(time);
    await context.close();
  }
  print("a cold load, from navigation to the first answer", cold);
  for (const [name, list] of Object.entries(phases)) print(`  ${name}`, list);

  await typing(command);
  // The longest that is not folded.
  await typing(command + ` --data-raw '${"lorem ipsum ".repeat(16_000)}'`);
} finally {
  await browser.close();
  service.stop();
  built.remove();
}
