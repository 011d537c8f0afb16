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
  assert.equal(await explained(), "-L Follows redirects; a POST becomes a GET after 301, 302 and 303.");
  await at(text.indexOf("text/html"));
  await settled();
  assert.match(await explained(), /^-H Sends this header field.* Sets Accept\.$/);
  await at(1);
  await settled();
  assert.equal(await explained(), "");
});

test("the option under the pointer is explained, and its row is marked", async () => {
  await paste(text);
  await page.locator("#marks [data-use]", { hasText: "'X-A: b'" }).hover({ force: true });
  await settled();
  assert.match(await explained(), / Sets X-A\.$/);
  assert.deepEqual(await page.locator("#panel-request .lit th").allTextContents(), ["X-A"]);
  await page.locator("#tabs").hover();
  await settled();
  assert.equal((await page.locator("#marks .lit").allTextContents()).join(" "), "", "nothing is, where the caret was not moved");
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

test("what is seen in the box stands where its text is, with marks of all kinds", async () => {
  await paste("curl -X POST -d @body.json -u ann:b -H 'X: $TOKEN' -H \"Y: $KEY\" https://h.test/{1,2} --hedaer");
  await paste("curl -X POST -d @body.json -u ann:b -H 'X: $TOKEN' -H \"Y: $KEY\" https://h.test/{1,2}");
  assert.ok(await page.locator("#marks mark").count() > 2);
  const styles = await page.evaluate(() => {
    const of = (node) => { const { fontSize, fontFamily, fontWeight, letterSpacing, lineHeight } = getComputedStyle(node); return JSON.stringify({ fontSize, fontFamily, fontWeight, letterSpacing, lineHeight }); };
    const flat = (node) => { const { padding, borderWidth, margin, display } = getComputedStyle(node); return JSON.stringify({ padding, borderWidth, margin, display }); };
    const parts = [...document.querySelectorAll("#marks *")];
    return [new Set([document.getElementById("command"), ...parts].map(of)).size, [...new Set(parts.map(flat))]];
  });
  assert.deepEqual(styles, [1, ['{"padding":"0px","borderWidth":"0px","margin":"0px","display":"inline"}']]);
});

test("on a phone each menu lies within the page", async () => {
  await open({ width: 390, height: 844 });
  await paste(text);
  for (const id of ["export", "promise", "examples-menu", "clean"]) {
    await page.locator(`#${id} > summary`).click();
    const { x, width } = await page.locator(`#${id} > :not(summary)`).boundingBox();
    assert.ok(x >= 0 && x + width <= 390, `${id}: ${x} to ${x + width}`);
    await page.locator(`#${id} > summary`).click();
  }
});
