// How the page behaves: focus, pasting, undoing, reloading and long texts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, clipboard, example, open, page, paste, service } from "../harness.mjs";

const text = () => page.locator("#command").inputValue();

test("the box has the focus, and what is pasted anywhere goes into it", async () => {
  assert.equal(await page.evaluate(() => document.activeElement.id), "command");
  await page.evaluate(() => navigator.clipboard.writeText("curl https://h.test/pasted"));
  await page.locator("#tab-request").focus();
  await page.keyboard.press("Control+V");
  await page.locator("#panel-request .url", { hasText: "h.test/pasted" }).waitFor();
  assert.equal(await text(), "curl https://h.test/pasted");
  await example("JSON");
  await page.locator("#command").press("Control+z");
  assert.equal(await text(), "curl https://h.test/pasted", "an example can be undone");
});

test("thousands of lines that are pasted anywhere are there at once", async () => {
  const lines = Array.from({ length: 4000 }, (_, i) => `    "name${i}": ${i}`);
  const long = `curl https://h.test/ --json '{\n${lines.join(",\n")}\n}'`;
  await paste("curl https://h.test/before");
  await page.getByLabel("Shell", { exact: true }).selectOption("posix");
  await answered();
  await page.evaluate((long) => navigator.clipboard.writeText(long), long);
  await page.locator("#tab-request").focus();
  const began = Date.now();
  await page.keyboard.press("Control+V");
  await page.waitForFunction((long) => document.getElementById("command").value === long && document.getElementById("answer").ariaBusy === "false", long);
  const took = Date.now() - began;
  assert.ok(took < 15_000, `${took} ms`);
  assert.equal(await page.getByLabel("Shell", { exact: true }).inputValue(), "auto", "another text has its own shell");
  await page.keyboard.press("Control+z");
  assert.equal(await text(), "curl https://h.test/before");
});

test("thousands of lines that the page itself writes are there at once", async () => {
  const lines = Array.from({ length: 4000 }, (_, i) => `    "name${i}": ${i}`);
  await paste(`curl https://h.test/ -H 'A: b' --json '{\n${lines.join(",\n")}\n}'`);
  await page.getByRole("button", { name: "Edit the header A", exact: true }).click();
  await page.getByRole("textbox", { name: "Value", exact: true }).fill("c");
  const began = Date.now();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.getElementById("command").value.includes("'A: c'"));
  const took = Date.now() - began;
  assert.ok(took < 15_000, `${took} ms`);
  const written = await text();
  assert.ok(written.includes('"name3999": 3999'));
  await page.keyboard.press("Control+z");
  await page.waitForFunction((written) => document.getElementById("command").value !== written, written);
  assert.ok((await text()).includes("'A: b'"), "it can be undone");
});

test("the text survives a reload of the tab, unless that is switched off", async () => {
  await paste("curl https://h.test/kept");
  await page.reload();
  await page.locator("#panel-request .url", { hasText: "h.test/kept" }).waitFor();
  assert.equal(await text(), "curl https://h.test/kept");
  await page.getByText("Runs in your browser").click();
  await page.locator("#keep").uncheck();
  assert.deepEqual(await page.evaluate(() => Object.values({ ...sessionStorage })), [""]);
  await page.locator("#command").fill("");
  await page.reload();
  assert.equal(await text(), "");
  assert.ok(!await page.locator("#keep").isChecked());
  assert.equal(await page.evaluate(() => localStorage.length), 0);
});

test("a long command scrolls within its box, and tabs and Copy stay in reach", async () => {
  await page.evaluate((long) => {
    const box = document.getElementById("command");
    box.value = long;
    box.dispatchEvent(new InputEvent("input", { inputType: "insertFromPaste" }));
  }, `curl -d '${"x=1&\n".repeat(60_000)}' https://h.test/${"y".repeat(36_000)}`);
  await page.locator("#panel-request .url", { hasText: "https://h.test/" }).waitFor();
  for (const name of ["Request", "JSON", "HTTP"]) {
    await page.getByRole("tab", { name }).click();
    await answered();
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    assert.ok(height < 2500, `${name}: the page is ${height} high`);
    assert.ok(await page.locator("#copy").evaluate((button) => { const { top, bottom } = button.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; }), name);
  }
  assert.equal(await page.locator("#command").evaluate((box) => getComputedStyle(box).fontSize), "16px");
});

test("on a small screen the answer comes into sight after pasting", async () => {
  await open({ width: 390, height: 844 });
  await paste("curl https://h.test/ -H 'A: b'");
  await page.waitForFunction(() => document.querySelector("#panel-request h3").getBoundingClientRect().bottom < innerHeight);
});

test("on a small screen no value of a header is broken that has room on a line", async () => {
  await open({ width: 390, height: 844 });
  await example("Copied from a browser");
  await answered();
  const lines = await page.$$eval("table[aria-label=Headers] tbody td:nth-child(2)", (cells) => cells.map((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  }));
  assert.deepEqual(lines, lines.map(() => 1));
  assert.ok(lines.length > 4);
});

test("what an error means opens beside the page", async () => {
  await example("A mistake");
  await answered();
  const [opened] = await Promise.all([page.context().waitForEvent("page"), page.getByRole("link", { name: "What this means" }).click()]);
  await opened.waitForLoadState();
  assert.equal(opened.url(), service.url + "problems/unknown-option");
  assert.match(await text(), /--hedaer/);
});

test("what is copied from the box while secrets are hidden has none", async () => {
  await paste("curl -u ann:hunter2 https://h.test/");
  await page.getByLabel("Hide secrets").check();
  await answered();
  await page.locator("#command").focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Control+C");
  assert.equal(await clipboard(), "curl -u ann:••••••• https://h.test/");
  await page.keyboard.press("Control+X");
  assert.equal(await text(), "");
  assert.equal(await clipboard(), "curl -u ann:••••••• https://h.test/");
  await page.keyboard.press("Control+z");
  assert.equal(await text(), "curl -u ann:hunter2 https://h.test/");
});

test("a file can be opened, and dropped anywhere", async () => {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Open a file" }).click()]);
  await chooser.setFiles({ name: "a.sh", mimeType: "text/x-sh", buffer: Buffer.from("curl https://h.test/opened\n") });
  await page.locator("#panel-request .url", { hasText: "h.test/opened" }).waitFor();
  const left = await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["curl https://h.test/dropped\n"], "b.sh"));
    const event = (name) => document.querySelector("header").dispatchEvent(new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true }));
    return [event("dragover"), event("drop")];
  });
  assert.deepEqual(left, [false, false], "the browser would open the file itself");
  await page.locator("#panel-request .url", { hasText: "h.test/dropped" }).waitFor();
  await page.locator("#command").press("Control+z");
  assert.equal(await text(), "curl https://h.test/opened\n");
});

test("there is no link to an empty box", async () => {
  await page.getByRole("button", { name: "Link", exact: true }).click();
  await page.getByText("Nothing to link", { exact: true }).first().waitFor();
  assert.ok(!await page.locator("#linked").isVisible());
  assert.equal(await page.evaluate(() => location.hash), "#view=request");
});

test("what is half edited survives a look at another view", async () => {
  await paste("curl https://h.test/ -H 'A: b'");
  await page.getByRole("button", { name: "Edit the header A", exact: true }).click();
  await page.getByRole("textbox", { name: "Value", exact: true }).fill("half");
  await page.getByRole("tab", { name: "JSON" }).click();
  await page.getByRole("tab", { name: "Request" }).click();
  assert.equal(await page.getByRole("textbox", { name: "Value", exact: true }).inputValue(), "half");
});

test("options stand in the view only where somebody typed them", async () => {
  const heads = () => page.$$eval("table[aria-label=Headers] thead th", (cells) => cells.map((cell) => cell.textContent));
  await paste("curl https://h.test/ -H 'A: b' -A me");
  assert.ok((await heads()).includes("From"));
  await paste("curl https://h.test/ -H 'A: b'");
  assert.ok(!(await heads()).includes("From"), "-H tells nothing");
  await paste("GET / HTTP/1.1\r\nHost: h.test\r\nA: b\r\n\r\n");
  assert.equal(await page.locator("#shell option:checked").innerText(), "HTTP (detected)");
  assert.ok(!(await heads()).includes("From"));
});

test("on paper there are no controls and no cut boxes", async () => {
  await paste(`curl https://h.test/ ${Array.from({ length: 60 }, (_, i) => `-H 'X-${i}: y'`).join(" ")}`);
  await page.emulateMedia({ media: "print" });
  assert.ok(!await page.locator("#copy").isVisible());
  assert.ok(await page.locator("#panel-request").evaluate((panel) => panel.scrollHeight <= panel.clientHeight + 1));
});
