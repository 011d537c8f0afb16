// What the page says of the options of a command, and which places belong together.
import assert from "node:assert/strict";
import { test } from "node:test";
import { check, open, page, paste } from "../harness.mjs";

const text = "curl -sSL 'https://h.test/a?b=1' \\\n  -H 'Accept: text/html' -H 'X-A: b' -d 'n=1'";
const explained = () => page.locator("#explained").textContent();
const at = (index) => page.evaluate((index) => document.getElementById("command").setSelectionRange(index, index), index);
const settled = () => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

test("the option at the caret is explained", async () => {
  await paste(text);
  await at(text.indexOf("L 'https"));
  await settled();
  assert.equal(await explained(), "-L Follows redirects; a POST becomes a GET after 301, 302 and 303. Here: sets option followRedirects.");
  await at(text.indexOf("text/html"));
  await settled();
  assert.match(await explained(), /^-H Sends this header field.* Here: sets header Accept\.$/);
  await at(1);
  await settled();
  assert.equal(await explained(), "Point at an option to see what it does.");
});

test("the option under the pointer is explained, and its row is marked", async () => {
  await paste(text);
  await page.locator("#marks [data-use]", { hasText: "'X-A: b'" }).hover({ force: true });
  await settled();
  assert.match(await explained(), /Here: sets header X-A\.$/);
  assert.deepEqual(await page.locator("#panel-request .lit th").allTextContents(), ["X-A"]);
  await page.locator("#tabs").hover();
  await settled();
  assert.equal((await page.locator("#marks .lit").allTextContents()).join(" "), "-d 'n=1'", "what is at the caret stays marked");
});

test("a row marks the option that set it", async () => {
  await paste(text);
  await page.getByRole("row", { name: "Accept text/html" }).hover();
  await settled();
  assert.equal((await page.locator("#marks .lit").allTextContents()).join(" "), "-H 'Accept: text/html'");
  await page.getByText("Form data", { exact: true }).hover();
  await settled();
  assert.equal((await page.locator("#marks .lit").allTextContents()).join(" "), "-d 'n=1'");
  await page.getByRole("button", { name: "Edit the header X-A" }).focus();
  await settled();
  assert.equal((await page.locator("#marks .lit").allTextContents()).join(" "), "-H 'X-A: b'");
});

test("what curl adds by itself stands below, in grey", async () => {
  await paste("curl https://h.test");
  assert.deepEqual(await page.locator("tr.own").allTextContents(), ["Hosth.test", "User-Agentcurl/8.22.0", "Accept*/*"]);
  await paste("curl https://h.test -A me");
  assert.deepEqual(await page.locator("tr.own").allTextContents(), ["Hosth.testcurl", "Accept*/*curl"]);
});

test("colours stay while a key is answered, and the box has the colours of its answer", async () => {
  await paste(text);
  const before = await page.locator("#marks span").count();
  assert.ok(before > 6, `${before} parts`);
  const during = await page.evaluate(() => {
    const command = document.getElementById("command");
    command.setRangeText("x", command.value.length, command.value.length, "end");
    command.dispatchEvent(new InputEvent("input"));
    return [document.querySelectorAll("#marks span").length, document.getElementById("marks").textContent.replace("\u200b", "") === command.value];
  });
  assert.deepEqual(during, [before, true]);
});

test("explanations are accessible, in both colour schemes and on a phone", async () => {
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [1280, 390]) {
      await open({ colorScheme, width });
      await paste(text);
      await page.locator("#marks [data-use]").first().hover({ force: true });
      await check(`${colorScheme} ${width}`);
    }
  }
});
