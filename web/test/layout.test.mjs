// What has its place at every width: nothing lies on anything else, and notes take no room of the code.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, check, open, page, paste, style } from "../harness.mjs";

const command = "curl 'https://shop.example.com/cart/items?lang=en' -X PUT -H 'accept: application/json' -b 'session=8f14e45f' --data-raw 'item=42' --compressed";
const tokens = (count) => Array.from({ length: count }, (_, i) => `curl https://h.test/${i} -H 'Authorization: Bearer tok${i}abcdef'`).join("\n");
const codeHeight = () => page.$eval("#panel-code .code", (code) => {
  const { top, bottom } = code.getBoundingClientRect();
  return Math.min(bottom, innerHeight) - top;
});

// overlaps returns the pairs of controls and texts in sight of which one lies on the other.
const overlaps = () => page.evaluate(() => {
  const shown = [...document.querySelectorAll("header > *, .bar button, .bar select, .bar summary, .bar input, .about button, .about summary, .about p, #choice input, #choice button, .folded button")]
    .filter((node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest("details:not([open]) > :not(summary)"));
  const boxes = shown.map((node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    return { node, left, right, top, bottom, fixed: Boolean(node.closest(".foot")) && getComputedStyle(node.closest(".foot")).position === "fixed" };
  }).filter(({ left, right, top, bottom }) => right - left > 1 && bottom - top > 1);
  const name = ({ node }) => node.id || node.textContent.trim().slice(0, 20) || node.tagName;
  const found = [];
  for (const [i, a] of boxes.entries()) {
    if (a.right > innerWidth + 1 || a.left < -1) found.push(`${name(a)} sticks out`);
    for (const b of boxes.slice(i + 1)) {
      if (a.fixed !== b.fixed || a.node.contains(b.node) || b.node.contains(a.node)) continue;
      if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1) found.push(`${name(a)} and ${name(b)}`);
    }
  }
  return found;
});

test("nothing lies on anything else, from 320 to 2560 pixels", async () => {
  await open({ view: null });
  const found = [];
  for (const text of [command, tokens(12)]) {
    await paste(text);
    await page.locator("#panel-code pre").waitFor();
    for (let width = 320; width <= 2560; width += 10) {
      await page.setViewportSize({ width, height: 800 });
      found.push(...(await overlaps()).map((pair) => `${width}: ${pair}`));
      if (!await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)) found.push(`${width}: something sticks out`);
      if (!await page.$eval("header", (header) => header.offsetHeight < 60)) found.push(`${width}: the header has several lines`);
    }
  }
  assert.deepEqual(found, []);
});

test("notes are folded below the code, and take none of its room", async () => {
  await open({ view: null, width: 1280, height: 800 });
  await paste(command);
  await page.locator("#panel-code pre").waitFor();
  const free = await codeHeight();
  for (const [count, height] of [[3, 800], [40, 800], [40, 640]]) {
    await open({ view: null, width: 1280, height });
    await paste(tokens(count));
    await (await style("Secrets from the environment")).check();
    await page.locator("#truth", { hasText: `${count} secrets are variables` }).waitFor();
    const list = await page.$eval("#requests", (list) => list.getBoundingClientRect().height);
    assert.ok(await codeHeight() + list >= free - (800 - height) - 16, `${count} notes at ${height}: the code has ${await codeHeight()} of ${free}`);
  }
  assert.equal(await page.locator("#truth li").first().isVisible(), false);
  await page.locator("#truth > summary").click();
  assert.ok(await page.locator("#truth li", { hasText: "stands for a secret" }).first().isVisible());
  await check("the notes");
});

test("what is touched is 44 pixels high", async () => {
  await open({ view: null, width: 390, height: 844, touch: true });
  for (const text of [command, `${command} --hedaer 'A: b'`, tokens(12)]) {
    await paste(text);
    await page.locator("#panel-code pre").waitFor();
    const small = await page.evaluate(() => [...document.querySelectorAll("button, select, summary, label.switch, input:not([type=checkbox], [type=file]), [data-number]")]
      .filter((node) => node.checkVisibility() && node.getBoundingClientRect().height < 44 && node.getBoundingClientRect().height > 1)
      .map((node) => `${node.id || node.textContent}: ${node.getBoundingClientRect().height}`));
    assert.deepEqual(small, []);
  }
  await check("a phone");
});

test("on a phone the code is in sight after a paste, and the menus are there", async () => {
  await open({ view: null, width: 390, height: 844, touch: true });
  await paste(command);
  await page.locator("#panel-code pre").waitFor();
  assert.ok(await page.$eval("#panel-code pre", (code) => code.getBoundingClientRect().top < 500));
  await page.locator("#more > summary").click();
  for (const name of ["API", "Errors", "Python"]) assert.ok(await page.locator("#more").getByRole("link", { name, exact: true }).isVisible(), name);
  assert.ok(await page.getByLabel("Colours").isVisible());
  await check("the menu");
});

test("a recording on a phone is the list, which stays in sight", async () => {
  await open({ view: null, width: 390, height: 844, touch: true });
  const entries = Array.from({ length: 60 }, (_, i) => ({ request: { method: "GET", url: `https://h.test/entry${i + 1}`, headers: [{ name: "X", value: "y".repeat(500) }] }, response: { status: 200, content: { mimeType: "application/json" } } }));
  await page.evaluate((text) => {
    const files = new DataTransfer();
    files.items.add(new File([text], "recorded.har"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
  }, JSON.stringify({ log: { entries } }));
  await page.locator("#which [data-number='1']").waitFor();
  await answered();
  const { top, bottom } = await page.$eval("#which", (list) => { const { top, bottom } = list.getBoundingClientRect(); return { top, bottom }; });
  assert.ok(top >= 0 && bottom <= 844, `the list is from ${top} to ${bottom}`);
  await check("a recording on a phone");
});

test("on a phone the button of Clean up is in sight, and on top", async () => {
  await open({ view: null, width: 390, height: 640, touch: true });
  await paste(`${command} ${Array.from({ length: 30 }, (_, i) => `-H 'X-Field-${i}: value'`).join(" ")}`);
  await page.locator("#clean > summary").click();
  await page.locator("#clean-preview pre").waitFor();
  assert.ok(await page.getByRole("button", { name: "Replace the command" }).evaluate((button) => {
    const { left, top, width, height, bottom } = button.getBoundingClientRect();
    return bottom <= innerHeight && button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  }));
});

test("colours are kept for the next visit", async () => {
  await page.locator("#more > summary").click();
  await page.getByLabel("Colours").selectOption("dark");
  const other = await page.context().newPage();
  await other.goto(page.url());
  assert.equal(await other.evaluate(() => document.documentElement.dataset.theme), "dark");
});
