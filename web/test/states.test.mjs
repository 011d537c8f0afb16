// The states of the page that pass by, and those that few people see.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, check, context, example, open, page, paste, service, tab } from "../harness.mjs";

test("while the engine loads the page says so, takes text and answers it then", async () => {
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  // Without a service worker, which another page may have given the engine to keep.
  const alone = await context.browser().newContext({ serviceWorkers: "block" });
  const slow = await alone.newPage();
  await slow.route("**/uncoil.wasm", async (route) => {
    await held;
    await route.continue();
  });
  await slow.goto(service.url);
  const view = slow.locator("#panel-code");
  await view.getByText("The engine is loading …").waitFor();
  await slow.locator("#command").fill("curl https://h.test/early");
  await slow.waitForSelector("#answer[aria-busy=true]");
  assert.equal((await view.innerText()).trim(), "The engine is loading …");
  await check("loading", slow);
  release();
  await view.locator("pre", { hasText: "h.test/early" }).waitFor();
  await slow.waitForSelector("#answer[aria-busy=false]");
  await alone.close();
});

test("colours that the reader forces keep everything visible", async () => {
  await page.emulateMedia({ forcedColors: "active" });
  for (const name of ["Copied from a browser", "A mistake"]) {
    await example(name);
    await answered();
    for (const view of ["Request", "Code", "JSON", "HTTP"]) {
      await tab(view);
      await check(`${name}, ${view}`);
    }
  }
  // Forced colours take the backgrounds away, so that lines must tell the states.
  const [chosen, other] = await page.$$eval("#tab-http, #tab-json", (tabs) => tabs.map((tab) => getComputedStyle(tab)).map((style) => `${style.borderColor} ${style.outlineStyle}`).reverse());
  assert.notEqual(chosen, other, "the chosen tab looks like the others");
  const line = await page.$eval("#marks mark", (mark) => getComputedStyle(mark).textDecorationLine + getComputedStyle(mark).backgroundImage + getComputedStyle(mark).borderBottomStyle);
  assert.equal(await page.$eval("#command", (box) => getComputedStyle(box).backgroundColor), "rgba(0, 0, 0, 0)", "the box covers the lines");
  assert.match(line, /underline|url|gradient|solid|dotted/, "mistakes have no line");
});

test("a long URL is broken at & and ?", async () => {
  for (const width of [1280, 390]) {
    await open({ width, height: 844 });
    const pairs = Array.from({ length: 30 }, (_, i) => `name${i}=value${i}`);
    await paste(`curl 'https://h.test/search?${pairs.join("&")}'`);
    const breaks = await page.$eval("#panel-request h3 .url", (url) => {
      const found = [];
      let last = -Infinity, before = "";
      for (const node of url.childNodes) {
        for (let i = 0; i < (node.textContent ?? "").length; i++) {
          const range = document.createRange();
          range.setStart(node, i);
          range.setEnd(node, i + 1);
          const { top } = range.getBoundingClientRect();
          if (before !== "" && top > last + 4) found.push(before + node.textContent[i]);
          last = Math.max(last, top);
          before = node.textContent[i];
        }
      }
      return found;
    });
    assert.ok(breaks.length > 3, `${width}: ${breaks}`);
    assert.deepEqual(breaks.filter((pair) => !/&$|\?/.test(pair)), [], `${width}: ${breaks}`);
    await check(`a long URL at ${width}`);
  }
});

test("where the browser allows no storage, the page works and keeps nothing", async () => {
  const denied = await context.browser().newContext();
  await denied.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });
  });
  const alone = await denied.newPage();
  await alone.goto(service.url);
  await alone.locator("#command").fill("curl https://h.test/denied");
  await alone.locator("#panel-code pre", { hasText: "h.test/denied" }).waitFor();
  await alone.getByRole("combobox", { name: "Write it as" }).fill("golang");
  await alone.keyboard.press("Enter");
  await alone.locator("#panel-code pre", { hasText: "package main" }).waitFor();
  await denied.close();
});
