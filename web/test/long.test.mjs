// Long texts: folded to their facts, with a list of their requests.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, check, open, page, paste } from "../harness.mjs";

const entry = (i) => ({
  request: { method: i % 3 ? "GET" : "POST", url: `https://h.test/api/items/${i}?${"q=1&".repeat(30)}`, httpVersion: "HTTP/2", headers: [{ name: "X-Pad", value: "y".repeat(4000) }], queryString: [], cookies: [], headersSize: -1, bodySize: 0 },
  response: { status: i % 7 ? 200 : 500, content: { mimeType: i % 2 ? "application/json; charset=utf-8" : "text/html", size: 1 } },
});
// One entry is of another protocol, and no request.
const recording = JSON.stringify({ log: { version: "1.2", entries: [{ request: { method: "GET", url: "data:image/png;base64,AAAA", headers: [] }, response: { status: 200 } }, ...Array.from({ length: 312 }, (_, i) => entry(i))] } });

// put gives the page a text as a dropped file does.
const put = (text) => page.evaluate((text) => {
  const files = new DataTransfer();
  files.items.add(new File([text], "recorded.har"));
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
}, text);
const listed = () => page.$$eval("#which [data-number]", (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent).filter(Boolean).join(" ")));

test("a long recording is a list with status and type, which words filter", async () => {
  await put(recording);
  await page.locator("#folded-facts", { hasText: "requests" }).waitFor();
  assert.equal(await page.locator("#folded-facts").innerText(), "HAR, 1.3 MB, 312 requests".replace("1.3", (recording.length / 1e6).toFixed(1)));
  assert.ok(!await page.locator("#command").isVisible());
  const all = await listed();
  assert.equal(all.length, 313);
  assert.match(all[1], /^1 POST 500 html \/api\/items\/0\?.* h\.test$/);
  assert.match(all[2], /^2 GET 200 json \/api\/items\/1\?.* h\.test$/);
  await page.locator("#filter").fill("post 500 json");
  const posts = Array.from({ length: 312 }, (_, i) => i).filter((i) => i % 3 === 0 && i % 7 === 0 && i % 2 === 1);
  assert.deepEqual((await listed()).map((line) => line.split("?")[0]), ["All 312 requests", ...posts.map((i) => `${i + 1} POST 500 json /api/items/${i}`)]);
  assert.equal(await page.locator("#found").innerText(), `${posts.length} shown`);
  await page.locator("#which [data-number]").nth(1).click();
  await answered();
  await page.locator("#panel-request .url", { hasText: "/api/items/21" }).waitFor();
  await check("the list");
  await page.setViewportSize({ width: 390, height: 844 });
  await check("the list on a phone");
});

test("the text can be opened, and another takes its place", async () => {
  await put(recording);
  await page.getByRole("button", { name: "Edit the text" }).click();
  assert.ok(await page.locator("#command").isVisible());
  assert.equal(await page.evaluate(() => document.getElementById("command").value.length), recording.length);
  assert.equal(await page.locator("#which").evaluate((list) => list.closest("#requests, #folded-requests").id), "requests");
  await paste("curl https://h.test/short");
  assert.ok(!await page.locator("#folded").isVisible());
  await page.locator("#panel-request .url", { hasText: "h.test/short" }).waitFor();
  await put(recording);
  await page.locator("#folded-facts", { hasText: "312 requests" }).waitFor();
  // Ctrl+V anywhere replaces it.
  await page.evaluate(() => navigator.clipboard.writeText("curl https://h.test/pasted"));
  await page.locator("#tab-code").focus();
  await page.keyboard.press("Control+V");
  await page.waitForFunction(() => document.getElementById("command").value === "curl https://h.test/pasted");
  assert.ok(await page.locator("#command").isVisible());
});

test("a command of two megabytes is folded, too, on a phone as well", async () => {
  await open({ width: 390 });
  await put(`curl https://h.test/ -d '${"x".repeat(2_000_000)}'`);
  await page.locator("#folded-facts", { hasText: "Commands, 2 MB, 1 request" }).waitFor();
  assert.ok(!await page.locator("#which").isVisible());
  await check("a folded command");
});
