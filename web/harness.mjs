// The page in Chromium, for the tests: one service and one browser for a file of
// tests, and a new page for each test, in the view of the request and with a console that must stay empty. The
// bindings follow the present page.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, afterEach, before, beforeEach } from "node:test";
import { build, launch, serve, started } from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export let service, browser, context, page;
export const requests = []; // "METHOD URL" of each
export const complaints = []; // of the console

let built;

before(async () => {
  built = build();
  service = await serve(built.program);
  browser = await launch();
});

after(async () => {
  await browser?.close();
  service?.stop();
  built?.remove();
});

beforeEach(async () => { await open(); });
afterEach(async () => {
  await context.close();
  assert.deepEqual(complaints, [], "the console stays empty");
});

export async function open({ url = service.url, width = 1280, height = 900, colorScheme = "light", view = "request", ready = true, touch = false } = {}) {
  await context?.close();
  context = await browser.newContext({ viewport: { width, height }, colorScheme, hasTouch: touch, isMobile: touch, permissions: ["clipboard-read", "clipboard-write"] });
  page = await context.newPage();
  requests.length = complaints.length = 0;
  context.on("request", (request) => requests.push(`${request.method()} ${request.url()}`));
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) complaints.push(message.text()); });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(view && !url.includes("#") ? `${url}#view=${view}` : url);
  if (ready) await started(page);
}

export const tab = (name) => page.getByRole("tab", { name }).click();
export async function example(name) {
  await page.locator("#examples-menu > summary").click();
  await page.locator("#examples").getByRole("button", { name, exact: true }).click();
}
// style returns the switch of a label in the menu Style, opened.
export async function style(label) {
  await page.locator("#style").evaluate((menu) => { menu.open = true; });
  return page.getByLabel(label, { exact: true });
}
export const clipboard = () => page.evaluate(() => navigator.clipboard.readText());

// answered waits for the answer to the present text.
export const answered = () => page.waitForSelector("#answer[aria-busy=false]");

export async function paste(text) {
  await page.locator("#command").focus();
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Control+V");
  await answered();
}

// check finds no errors of accessibility, and nothing that sticks out. The policy
// keeps scripts out, those of the test too: the protocol of the developer tools
// goes around it.
export async function check(what, of = page) {
  if (!await of.evaluate(() => "axe" in window)) await of.evaluate(axe);
  const { violations } = await of.evaluate(() => axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`), [], what);
  assert.ok(await of.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${what}: nothing sticks out`);
}
