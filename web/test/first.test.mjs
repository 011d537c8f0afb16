// The page as people meet it: code beside the command, in two actions.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, check, clipboard, open, page, paste, style } from "../harness.mjs";

const code = () => page.locator("#panel-code pre");
const shows = (text) => page.locator("#panel-code pre", { hasText: text }).waitFor();
const fresh = (options) => open({ view: null, ...options });

test("paste and Ctrl+Enter copies the program, however soon", async () => {
  await fresh();
  await page.evaluate(() => navigator.clipboard.writeText("curl https://h.test/soon"));
  await page.keyboard.press("Control+V");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Copied", { exact: true }).first().waitFor();
  assert.equal(await clipboard(), await code().evaluate((pre) => pre.textContent));
  assert.match(await clipboard(), /requests\.get\("https:\/\/h\.test\/soon"\)/);
});

test("an empty page shows what it can do, and a language there is the target", async () => {
  await fresh();
  await page.getByRole("group", { name: "Languages" }).getByRole("button", { name: "Rust", exact: true }).click();
  await page.getByRole("button", { name: "Form and upload fields" }).click();
  await shows("reqwest");
  assert.match(await page.evaluate(() => location.hash), /^#to=rust/);
});

test("on a wide screen the page does not scroll, whatever it shows", async () => {
  await fresh({ width: 1280, height: 800 });
  for (const text of ["", `curl https://h.test/ ${Array.from({ length: 80 }, (_, i) => `-H 'X-${i}: $V${i}'`).join(" \\\n  ")}`]) {
    if (text) await paste(text);
    assert.ok(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight), text.slice(0, 20));
    for (const id of ["copy", "command"]) assert.ok(await page.locator(`#${id}`).evaluate((one) => one.getBoundingClientRect().top < innerHeight), id);
  }
});

test("while somebody types, the last good answer stays and errors wait", async () => {
  await fresh();
  await paste("curl https://h.test/good");
  await shows("h.test/good");
  await page.locator("#command").press("End");
  await page.keyboard.type(" --hea");
  await page.waitForTimeout(300);
  assert.equal(await page.locator("#problems li.error").count(), 0, "the error came while it was typed");
  await page.locator("#problems li.error").waitFor();
  assert.ok(await page.locator("#stale").isVisible());
  assert.match(await code().innerText(), /h\.test\/good/);
  await check("an error after a good answer");
  await page.keyboard.type("der 'A: b'");
  await shows('"A": "b"');
  assert.ok(!await page.locator("#stale").isVisible());
  // What is pasted is another command, and has no answer to keep.
  await paste("curl --hedaer x h.test");
  await page.locator("#panel-code", { hasText: "curl has no option --hedaer" }).waitFor();
});

test("the address names view, target and options, and opens them", async () => {
  await fresh();
  await paste("curl https://h.test/linked");
  await page.getByRole("group", { name: "Often chosen" }).getByRole("button", { name: "Go", exact: true }).click();
  await shows("package main");
  await (await style("Only the call")).check();
  await page.waitForFunction(() => !document.querySelector("#panel-code pre").textContent.includes("package main"));
  assert.equal(await page.evaluate(() => location.hash), "#to=go&opt=bare");
  await page.keyboard.press("Alt+3");
  assert.equal(await page.evaluate(() => location.hash), "#view=http&to=go&opt=bare");
  await page.getByRole("button", { name: "Link", exact: true }).click();
  const url = await page.getByLabel("This address contains").inputValue();
  await open({ url });
  await page.locator("#panel-http pre", { hasText: "GET /linked" }).waitFor();
  await page.keyboard.press("Alt+1");
  await shows("http.NewRequest");
  assert.doesNotMatch(await code().innerText(), /package main/);
});

test("a file for another tool is two clicks away", async () => {
  await fresh();
  await paste("curl https://h.test/exported");
  await page.locator("#export > summary").click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download for Postman" }).click()]);
  assert.match(download.suggestedFilename(), /postman.*\.json$/);
  await page.locator("#export > summary").click();
  await page.getByRole("button", { name: "Copy for HAR" }).click();
  await page.getByText("Copied", { exact: true }).first().waitFor();
  assert.equal(JSON.parse(await clipboard()).log.entries[0].request.url, "https://h.test/exported");
  await check("the menu");
  await page.keyboard.press("Escape");
  assert.ok(!await page.locator("#exports").isVisible());
});

test("the code is two keys from the box, and Ctrl+K chooses a target", async () => {
  await fresh();
  await paste("curl https://h.test/");
  await page.locator("#command").focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "panel-code");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("ruby");
  await page.keyboard.press("Enter");
  await shows("Net::HTTP");
});

test("a link that is made while secrets are hidden has variables in their place", async () => {
  await fresh();
  await paste("curl -u ann:hunter2 -H 'Authorization: Bearer abc123' https://h.test/masked");
  await page.getByLabel("Hide secrets").check();
  await answered();
  await page.getByRole("button", { name: "Link", exact: true }).click();
  const url = await page.getByLabel("This address contains the command, with variables").inputValue();
  assert.doesNotMatch(decodeURIComponent(url), /hunter2|abc123/);
  assert.equal(await clipboard(), url);
  await open({ url });
  await shows("h.test/masked");
  assert.match(await page.locator("#command").inputValue(), /\$TOKEN|\$PASSWORD/);
});

test("hidden secrets stay hidden after a reload", async () => {
  await fresh();
  await paste("curl -u ann:hunter2 https://h.test/");
  await page.getByLabel("Hide secrets").check();
  await answered();
  await page.reload();
  await page.waitForSelector("#answer[aria-busy=false]");
  await shows("h.test");
  assert.ok(await page.getByLabel("Hide secrets").isChecked());
  assert.doesNotMatch(await page.locator("main").innerText(), /hunter2/);
});

test("on a phone Copy is at the bottom, and nothing scrolls within the page but code sideways", async () => {
  await fresh({ width: 390, height: 844 });
  await paste(`curl https://h.test/ ${Array.from({ length: 40 }, (_, i) => `-H 'X-${i}: y'`).join(" ")}`);
  await shows("X-39");
  const { bottom, left } = await page.locator("#copy").evaluate((button) => { const { bottom, left } = button.getBoundingClientRect(); return { bottom: innerHeight - bottom, left }; });
  assert.ok(bottom >= 0 && bottom < 40 && left >= 0, `${bottom} from the bottom`);
  assert.ok(await page.locator("#panel-code").evaluate((panel) => panel.scrollHeight <= panel.clientHeight + 1));
});

test("the page of a language begins with its code, and the others keep theirs", async () => {
  const base = page.url().split("#")[0];
  await open({ url: `${base}rust`, view: null });
  assert.equal(await page.title(), "curl to Rust: uncoil");
  await paste("curl https://h.test/rusty");
  await shows("reqwest");
  await page.locator("#more > summary").click();
  await page.getByRole("link", { name: "Ruby" }).click();
  await page.waitForURL(`${base}ruby`);
  await page.locator("#panel-code pre", { hasText: "Net::HTTP" }).waitFor();
  await check("the page of a language");
});
