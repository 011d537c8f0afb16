// The main flows in Firefox, by WebDriver BiDi.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { build, firefox, serve, started } from "../browser.mjs";

let built, service, browser, context, page;
const complaints = [];

before(async () => {
  built = build();
  service = await serve(built.program);
  browser = await firefox();
});
after(async () => {
  await browser?.close();
  service?.stop();
  built?.remove();
});
beforeEach(async () => {
  await context?.close();
  context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
  complaints.length = 0;
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(service.url);
  await started(page);
});

const fill = (text) => page.locator("#command").fill(text);
const value = () => page.locator("#command").inputValue();
const code = (text) => page.locator("#panel-code pre", { hasText: text }).waitFor();

test("a command is code at once, in the language that is chosen", async () => {
  await fill("curl https://h.test/a -d a=1");
  await code("import requests");
  await page.getByRole("button", { name: "Go", exact: true }).click();
  await code("http.NewRequest");
  await page.reload();
  await code("http.NewRequest");
  assert.equal(await value(), "curl https://h.test/a -d a=1");
  await page.getByRole("tab", { name: "HTTP" }).click();
  await page.locator("#panel-http pre", { hasText: "POST /a HTTP/1.1" }).waitFor();
  assert.deepEqual(complaints, []);
});

test("a fix is one click, and what is typed before can be taken back", async () => {
  await page.locator("#command").pressSequentially("curl --hedaer A:b https://h.test");
  await page.getByRole("button", { name: "Fix it" }).click();
  await page.waitForFunction(() => document.getElementById("command").value.includes("--header"));
  await page.keyboard.press("Control+Z");
  await page.waitForFunction(() => document.getElementById("command").value.includes("--hedaer"));
});

test("options are explained, and rows mark them", async () => {
  await fill("curl -sSL https://h.test -H 'A: b'");
  await page.getByRole("tab", { name: "Request" }).click();
  await page.getByRole("row", { name: "A b" }).hover();
  await page.locator("#explained", { hasText: "Sets A." }).waitFor();
  assert.equal((await page.locator("#marks .lit").allTextContents()).join(" "), "-H 'A: b'");
  const [x, y] = await page.locator("#marks [data-use]").first().evaluate((node) => { const { x, y, width, height } = node.getBoundingClientRect(); return [x + width / 2, y + height / 2]; });
  await page.mouse.move(x, y);
  await page.locator("#explained", { hasText: "Shows neither progress nor errors" }).waitFor();
});

test("secrets are hidden in the box and in the code, and stay so after a reload", async () => {
  await fill("curl -u ann:hunter2 https://h.test");
  await page.getByLabel("Hide secrets").check();
  await code("os.environ");
  assert.ok(!(await page.locator("#marks").innerText()).includes("hunter2"));
  await page.reload();
  await code("os.environ");
  assert.ok(!(await page.locator("#marks").innerText()).includes("hunter2"));
});

test("a file that is dropped is read, and the command is cleaned up", async () => {
  await page.evaluate(() => {
    const files = new DataTransfer();
    files.items.add(new File(["curl 'https://h.test/' -H 'user-agent: Mozilla/5.0' -H 'A: b'"], "request.sh"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
  });
  await code("h.test");
  await page.locator("#clean > summary").click();
  await page.getByRole("button", { name: "Replace the command" }).click();
  await page.waitForFunction(() => !document.getElementById("command").value.includes("Mozilla"));
  assert.match(await value(), /A: b/);
});

test("the palette works by the keyboard, and a link opens what was seen", async () => {
  await fill("curl https://h.test/linked");
  await code("h.test/linked");
  await page.keyboard.press("Control+K");
  await page.keyboard.type("rust");
  await page.keyboard.press("Enter");
  await code("reqwest");
  await page.getByRole("button", { name: "Link", exact: true }).click();
  await page.locator("#address").waitFor();
  const other = await context.newPage();
  await other.goto(await page.locator("#address").inputValue());
  await other.locator("#panel-code pre", { hasText: "reqwest" }).waitFor();
});

test("the page works without a network after the first visit", async () => {
  await fill("curl https://h.test/kept");
  await code("h.test/kept");
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
  service.stop();
  await page.reload();
  await code("h.test/kept");
  service = await serve(built.program);
});
