// The palette of targets and actions, and what the menu Clean up shows before it acts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, check, clipboard, example, open, page, paste } from "../harness.mjs";

const options = () => page.locator("#targets [role=option] > span:first-child").allTextContents();

test("Ctrl+K finds targets and actions, by the keyboard alone", async () => {
  await paste("curl https://h.test/a");
  await page.keyboard.press("Control+K");
  await page.keyboard.type("github");
  assert.deepEqual(await options(), ["GitHub Actions"]);
  await page.keyboard.press("Control+A");
  await page.keyboard.type("view h");
  assert.deepEqual(await options(), ["View HTTP"]);
  await page.keyboard.press("Enter");
  await page.locator("#panel-http pre", { hasText: "GET /a HTTP/1.1" }).waitFor();
  await page.keyboard.press("Control+K");
  await page.keyboard.type("copy");
  await page.keyboard.press("Enter");
  await page.locator("#copy", { hasText: "Copied" }).waitFor();
  assert.match(await clipboard(), /^GET \/a HTTP/);
  await page.keyboard.press("Control+K");
  await page.keyboard.type("clean");
  assert.deepEqual(await options(), ["Clean up the command"]);
  await page.keyboard.press("Enter");
  assert.ok(await page.locator("#clean-form").isVisible());
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+K");
  await page.keyboard.type("fortran");
  assert.deepEqual(await options(), []);
  assert.match(await page.locator("#targets").innerText(), /No target matches “fortran”/);
  await check("the palette");
});

test("the fifteen most wanted targets come first, and what is not run says why", async () => {
  await paste("curl https://h.test/a");
  await page.locator("#target").click();
  const groups = page.locator("#targets [role=group]");
  assert.equal(await groups.first().getAttribute("aria-label"), "Most wanted");
  const wanted = await groups.first().locator("[role=option]").evaluateAll((all) => all.map(({ id }) => id));
  assert.equal(wanted.length, 15);
  assert.deepEqual(wanted.slice(0, 2), ["target-python-requests", "target-javascript-fetch"]);
  const languages = (await groups.nth(1).locator("[role=option] > span:first-child").allTextContents()).map((text) => text.split(" · ")[0]);
  assert.deepEqual(languages, languages.toSorted((a, b) => a.localeCompare(b)), "the others are by language");
  const swift = page.locator("#target-swift");
  assert.match(await swift.innerText(), /parsed/);
  assert.match(await swift.getAttribute("title"), /^parsed: Tree-sitter/);
  await swift.click();
  await page.locator("#truth > summary", { hasText: "not run" }).or(page.locator("#truth > summary", { hasText: "Differs" })).click();
  await page.locator("#proof", { hasText: "parsed: Tree-sitter" }).waitFor();
  await check("a target that is not run");
  await page.locator("#target").click();
  await page.locator("#target-go").click();
  await page.locator("#proof").waitFor({ state: "detached" });
});

test("Clean up shows the command before it replaces it", async () => {
  await open({ height: 800 });
  await example("Copied from a browser");
  await answered();
  const before = await page.locator("#command").inputValue();
  await page.locator("#clean > summary").click();
  await page.locator("#clean-preview pre", { hasText: "curl" }).waitFor();
  const shown = await page.locator("#clean-preview pre").innerText();
  assert.ok(!shown.includes("user-agent") && shown.includes("session="), shown);
  assert.match(await page.locator("#clean-preview p").innerText(), /user-agent/i);
  assert.equal(await page.locator("#command").inputValue(), before, "nothing has changed yet");
  await page.getByLabel("Drop cookies").check();
  await page.waitForFunction(() => !document.querySelector("#clean-preview pre").textContent.includes("session="));
  const { y, height } = await page.locator("#clean-form").boundingBox();
  assert.ok(y >= 0 && y + height <= page.viewportSize().height, `the menu is in sight: ${y}, ${height}`);
  const last = await page.locator("#clean-preview pre").innerText();
  await check("the preview");
  await page.getByRole("button", { name: "Replace the command" }).click();
  await page.waitForFunction((last) => document.getElementById("command").value === last, last);
  await page.keyboard.press("Control+Z");
  assert.equal(await page.locator("#command").inputValue(), before);
});

test("the preview hides secrets where the box does", async () => {
  await open({ width: 390 });
  await paste("curl -u ann:hunter2 https://h.test");
  await page.getByLabel("Hide secrets").check();
  await answered();
  await page.locator("#clean > summary").click();
  await page.locator("#clean-preview pre", { hasText: "curl" }).waitFor();
  assert.ok(!(await page.locator("#clean-preview").innerText()).includes("hunter2"));
  await check("the preview on a phone");
});
