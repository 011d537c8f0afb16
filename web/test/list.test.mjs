// The list of the requests of a recording: what it shows, how it is gone through, and that
// what the page does is done with the chosen one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, check, clipboard, context, open, page, paste } from "../harness.mjs";

const entry = (i) => ({
  request: { method: i % 4 ? "GET" : "POST", url: `https://api.h.test/v1/orders/${i}/${"lines/".repeat(i % 3)}?access_token=SECRETTOKEN${i}`, httpVersion: "HTTP/2", headers: [{ name: "X-Pad", value: "y".repeat(700) }], queryString: [], cookies: [] },
  response: { status: i % 7 ? 200 : 404, content: { mimeType: "application/json; charset=utf-8", size: 1 } },
});
const asset = (name, mimeType) => ({ request: { method: "GET", url: `https://cdn.h.test/${name}`, httpVersion: "HTTP/2", headers: [], queryString: [], cookies: [] }, response: { status: 200, content: { mimeType } } });
const assets = [asset("0.webp", "image/webp"), { ...asset("x", ""), request: { method: "GET", url: "data:image/png;base64,AAAA", headers: [] } }, asset("style.css", "text/css"), asset("app.js", "text/javascript")];
const har = (count) => JSON.stringify({ log: { version: "1.2", entries: [...assets, ...Array.from({ length: count }, (_, i) => entry(i))] } });
const recording = har(297); // 300 requests, and one that is none

const put = (text) => page.evaluate((text) => {
  const files = new DataTransfer();
  files.items.add(new File([text], "recorded.har"));
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
}, text);
const lines = () => page.$$eval("#which [data-number]", (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent).filter(Boolean).join(" ")));
const current = () => page.$eval("#which [aria-selected=true]", (row) => Number(row.dataset.number));
const focused = () => page.evaluate(() => document.activeElement.dataset.number ?? document.activeElement.id);
const code = (text) => page.locator("#panel-code pre", { hasText: text }).waitFor();

test("hidden secrets are in no place of the page, whenever they are hidden, and status and type stay", async () => {
  const seen = () => page.evaluate(() => document.documentElement.outerHTML.match(/SECRETTOKEN\d*/g) ?? []);
  await open({ view: null });
  await put(recording);
  await code("orders");
  assert.ok((await seen()).length > 0);
  for (const key of ["Alt+2", "Alt+3", "Alt+4", "Alt+1"]) { await page.keyboard.press(key); await answered(); } // each view is drawn
  await page.locator("#clean > summary").click();
  await page.locator("#clean-preview pre", { hasText: "SECRETTOKEN" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByLabel("Hide secrets").check();
  await answered();
  await page.waitForFunction(() => !document.querySelector("#panel-code").textContent.includes("SECRETTOKEN"));
  assert.deepEqual(await seen(), []);
  assert.match((await lines())[2], /^5 GET 200 json \/v1\/orders\/1\/lines\/\?access_token=•+ api\.h\.test$/);
  // A text that comes while they are hidden.
  await page.locator("#filter").press("Control+A");
  await put(har(299));
  await page.waitForFunction(() => document.querySelector("#which .all")?.textContent === "All 302 requests");
  assert.deepEqual(await seen(), []);
  assert.match((await lines())[2], /^5 GET 200 json \/v1\/orders\/1\/lines\/\?access_token=•+ api\.h\.test$/);
});

test("a recording is a list of what an API was asked, its first request is chosen, and the filter has the focus", async () => {
  await open({ view: null });
  await put(recording);
  await code("orders/0");
  assert.equal(await current(), 4);
  assert.equal(await focused(), "filter");
  assert.equal((await lines()).length, 298);
  assert.match((await lines())[0], /^All 300 requests$/);
  assert.deepEqual(await page.$$eval("#kinds button", (buttons) => buttons.map((button) => button.textContent)), ["API 297", "All 300", `Errors ${Math.ceil(297 / 7)}`]);
  await check("a recording");
  await page.getByRole("button", { name: "All 300" }).click();
  assert.equal((await lines())[1], "1 GET 200 webp /0.webp cdn.h.test");
  await page.getByRole("button", { name: /Errors/ }).click();
  assert.match((await lines())[1], /404/);
});

test("by the keyboard a request is five keys and its words away", async () => {
  await open({ view: null });
  await put(recording);
  await code("orders/0");
  await page.keyboard.type("post orders/176");
  assert.equal((await lines()).length, 2);
  await page.keyboard.press("Enter");
  await code("orders/176");
  assert.equal(await focused(), "filter", "Enter takes the first");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Copied", { exact: true }).first().waitFor();
  assert.match(await clipboard(), /orders\/176/);
  await page.keyboard.press("Control+A");
  await page.keyboard.type("get");
  await page.keyboard.press("ArrowDown");
  assert.equal(await focused(), "5");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.equal(await focused(), "7");
  await page.keyboard.press("Enter");
  await code("orders/3");
  assert.equal(await focused(), "7", "the focus stays on the row");
  for (const key of ["Home", "ArrowUp"]) await page.keyboard.press(key);
  assert.equal(await focused(), "filter");
});

test("a reload keeps the request and the filter, and the address names the request", async () => {
  await open({ view: null });
  await put(recording);
  await code("orders/0");
  await page.keyboard.type("orders/17");
  await page.locator("#which [data-number='181']").click();
  await code("orders/177");
  assert.match(await page.evaluate(() => location.hash), /entry=181/);
  await page.reload();
  await code("orders/177");
  assert.equal(await current(), 181);
  assert.equal(await page.locator("#filter").inputValue(), "orders/17");
  assert.equal(await focused(), "filter");
});

test("Clean up, Link and Export are about the chosen request, and the recording comes back", async () => {
  await open({ view: null });
  await put(recording);
  await code("orders/0");
  await page.keyboard.type("orders/178/");
  await page.keyboard.press("Enter");
  await code("orders/178");
  await page.getByRole("button", { name: "Link", exact: true }).click();
  const link = new URLSearchParams(new URL(await page.getByLabel("This address contains").inputValue()).hash.slice(1)).get("curl");
  assert.match(link, /orders\/178\//);
  assert.equal(link.match(/curl/g).length, 1);
  await page.locator("#export > summary").click();
  await page.getByRole("button", { name: "Copy for HAR" }).click();
  let har = ""; // Link has copied, too
  for (const end = Date.now() + 10_000; !har.startsWith("{") && Date.now() < end; har = await clipboard());
  assert.deepEqual(JSON.parse(har).log.entries.map(({ request }) => request.url.split("?")[0]), ["https://api.h.test/v1/orders/178/lines/"]);
  await page.keyboard.press("Escape");
  await page.locator("#clean > summary").click();
  await page.locator("#clean-preview pre", { hasText: "orders/178" }).waitFor();
  await page.getByRole("button", { name: "Replace the command" }).click();
  await page.waitForFunction(() => document.getElementById("command").value.startsWith("curl"));
  assert.match(await page.locator("#command").inputValue(), /^curl (-X POST |--request POST )?'?https:\/\/api\.h\.test\/v1\/orders\/178\/[^]*$/);
  assert.equal((await page.locator("#command").inputValue()).match(/curl /g).length, 1);
  await page.keyboard.press("Control+z");
  await page.waitForFunction((recording) => document.getElementById("command").value === recording, recording);
  await code("orders/178");
});

test("nothing that is done with 300 requests keeps the page for 200 ms", async () => {
  await open({ view: null });
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  // Scripts, layout and style together, by the processor's time of the page's own thread.
  const spent = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * metrics.filter(({ name }) => ["ScriptDuration", "LayoutDuration", "RecalcStyleDuration"].includes(name)).reduce((sum, { value }) => sum + value, 0);
  };
  const costs = {};
  const costOf = async (name, act) => {
    const before = await spent();
    await act();
    costs[name] = Math.round(await spent() - before);
  };
  await costOf("open", async () => { await put(recording); await code("orders/0"); });
  await costOf("a key in the filter", () => page.keyboard.type("o"));
  await costOf("all", async () => { await page.locator("#which [data-number='0']").click(); await code("0.webp"); });
  await costOf("hide", async () => { await page.getByLabel("Hide secrets").check(); await answered(); });
  await page.getByLabel("Hide secrets").uncheck();
  await code("SECRETTOKEN");
  await costOf("preview of Clean up", async () => {
    await page.locator("#clean > summary").click();
    await page.locator("#clean-preview pre").waitFor();
  });
  await costOf("Clean up", async () => {
    await page.getByRole("button", { name: "Replace the command" }).click();
    await page.waitForFunction(() => document.getElementById("command").value.startsWith("curl"));
    await answered();
  });
  await costOf("undo", async () => { await page.locator("#unfold").focus(); await page.keyboard.press("Control+z"); await page.waitForFunction(() => document.getElementById("command").value.startsWith("{")); });
  console.log(`milliseconds of the page's thread: ${JSON.stringify(costs)}`);
  assert.deepEqual(Object.entries(costs).filter(([, cost]) => cost > 200), []);
});

test("a command that is pasted into the filter is no filter", async () => {
  await open({ view: null });
  await put(recording);
  await code("orders/0");
  await page.evaluate(() => navigator.clipboard.writeText("curl https://h.test/next"));
  await page.keyboard.press("Control+V");
  await code("h.test/next");
  assert.equal(await page.locator("#filter").inputValue(), "");
});

test("several commands have the same list, a few rows high", async () => {
  await open({ view: null });
  await paste("curl -d a=1 https://h.test/one\ncurl https://other.test/two");
  await code("one");
  assert.deepEqual(await lines(), ["All 2 requests", "1 POST /one h.test", "2 GET /two other.test"]);
  assert.equal(await current(), 0);
  await page.locator("#which [data-number='2']").click();
  await page.waitForFunction(() => !document.querySelector("#panel-code pre").textContent.includes("/one"));
  await check("several commands");
});
