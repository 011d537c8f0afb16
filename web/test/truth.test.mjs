// The line under a program that says what it sends, the errors that are said once, and the chips.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, check, clipboard, open, page, paste } from "../harness.mjs";

const line = (text) => page.locator("#truth", { hasText: text }).waitFor();
const pick = async (name) => {
  await page.getByRole("combobox", { name: "Write it as" }).fill(name);
  await page.keyboard.press("Enter");
};

test("the line says how a program differs from curl, and one click makes it identical", async () => {
  await open({ view: null });
  await paste("curl https://h.test/ -H 'Accept: text/html'");
  await line("Differs: follows redirects, User-Agent, Accept-Encoding");
  await check("the line");
  await page.getByRole("button", { name: "Make it identical" }).click();
  await line("Same request as curl 8.22, but User-Agent, Accept-Encoding, Connection");
  assert.match(await page.evaluate(() => location.hash), /opt=exact/);
  assert.equal(await page.locator("#style > summary").innerText(), "Style: identical");
  assert.equal(await page.getByRole("button", { name: "Make it identical" }).count(), 0);
});

test("only a program that was run is called the same", async () => {
  await open({ view: null });
  await paste("curl https://h.test/ -H 'Accept: text/html'");
  await pick("swift");
  await page.locator("#panel-code pre", { hasText: "URLSession" }).waitFor();
  await page.locator("#truth").waitFor();
  assert.doesNotMatch(await page.locator("#truth").innerText(), /Same request/);
  await page.locator("#truth > summary").click();
  await page.locator("#proof").waitFor();
});

test("a line of the text that is in no request is said at the code", async () => {
  await open({ view: null });
  await paste("curl https://h.test/a -H 'A: b'\n-d '{\"name\": \"It's Ann\"}'");
  await line("1 line of your text was left out");
  await check("a line that was left out");
});

test("the line to type before a program runs is beside it", async () => {
  await open({ view: null });
  await paste("curl https://h.test/");
  await page.getByRole("button", { name: "pip install requests" }).click();
  await page.locator(".run", { hasText: "Copied" }).waitFor();
  assert.equal(await clipboard(), "pip install requests");
  await pick("go");
  await page.locator("#panel-code pre", { hasText: "package main" }).waitFor();
  assert.ok(await page.locator(".run").isHidden(), "Go needs nothing");
});

test("the last languages have buttons, without the one that is shown", async () => {
  const chips = () => page.getByRole("group", { name: "Often chosen" }).getByRole("button").allTextContents();
  await open({ view: null });
  await paste("curl https://h.test/");
  assert.deepEqual(await chips(), ["JavaScript", "Go", "C#"]);
  await pick("ruby");
  await page.locator("#panel-code pre", { hasText: "Net::HTTP" }).waitFor();
  await pick("rust");
  await page.locator("#panel-code pre", { hasText: "reqwest" }).waitFor();
  assert.deepEqual(await chips(), ["Ruby", "JavaScript", "Go"]);
});

test("an error is said in one sentence, with the code of the fixed text", async () => {
  await open({ view: null });
  await paste("curl https://h.test/users --hedaer 'Accept: text/html'");
  await page.locator("#panel-code .fixed", { hasText: "requests.get" }).waitFor();
  const said = await page.locator("#panel-code").innerText();
  assert.equal(said.match(/hedaer/g).length, 1);
  assert.doesNotMatch(said, /did you mean/);
  await check("an error with a fix");
  await page.getByRole("button", { name: "Use it" }).click();
  await page.locator("#truth").waitFor();
  assert.match(await page.locator("#command").inputValue(), /--header/);
  await page.locator("#command").press("Control+z");
  assert.match(await page.locator("#command").inputValue(), /--hedaer/);
});

test("the first letters of a command are no error", async () => {
  await open({ view: null });
  await page.locator("#command").focus();
  for (const letter of "curl ") {
    await page.keyboard.type(letter);
    await page.waitForTimeout(1000);
    assert.equal(await page.locator("#problems li").count(), 0, `after ${JSON.stringify(letter)}`);
    assert.doesNotMatch(await page.locator("#panel-code").innerText(), /not a curl command|no URL/);
  }
});

test("Ctrl+K shows the list at once, with the chosen target in sight", async () => {
  await open({ view: null });
  await paste("curl https://h.test/");
  await page.keyboard.press("Control+k");
  const chosen = page.locator("#targets [aria-selected=true]");
  await chosen.waitFor();
  assert.ok(await chosen.evaluate((option) => {
    const [a, b] = [option.getBoundingClientRect(), option.closest("#targets").getBoundingClientRect()];
    return a.top >= b.top && a.bottom <= b.bottom;
  }));
});

test("keywords are no methods, and the beginning of a long program has colours", async () => {
  await open({ view: null });
  await paste("curl -X DELETE https://h.test/");
  await page.locator("#panel-code pre", { hasText: "requests.delete" }).waitFor();
  assert.deepEqual(await page.locator("#panel-code .code-keyword").allTextContents(), ["import", "print"]);
  await paste(`curl https://h.test/ -d '${"x".repeat(60_000)}'`);
  await page.locator("#panel-code pre", { hasText: "requests.post" }).waitFor();
  assert.ok(await page.locator("#panel-code .code-keyword").count() > 0);
});

test("what was cleaned up is said in short, and is taken back beside it", async () => {
  await open({ view: null });
  const command = "curl https://h.test/ -H 'User-Agent: Mozilla/5.0 (X11)' -H 'Accept-Language: de' -H 'A: b'";
  await paste(command);
  await page.locator("#clean > summary").click();
  await page.getByRole("button", { name: "Replace the command" }).click();
  await page.locator("#cleaned summary", { hasText: "2 headers left out" }).waitFor();
  await page.locator("#cleaned").getByRole("button", { name: "Undo" }).click();
  await page.waitForFunction((command) => document.getElementById("command").value === command, command);
});

test("nothing is reserved for explanations, and none comes of a paste", async () => {
  await open({ view: null });
  await paste("curl https://h.test/ --compressed");
  assert.equal(await page.locator("#explained").isVisible(), false);
  assert.equal(await page.locator("#marks .lit").count(), 0);
  const gap = await page.evaluate(() => document.querySelector("#clean").getBoundingClientRect().top - document.getElementById("editor").getBoundingClientRect().bottom);
  assert.ok(gap < 20, `${gap} pixels`);
});

test("what an input method composes is seen", async () => {
  await open({ view: null });
  await page.locator("#command").focus();
  const session = await page.context().newCDPSession(page);
  await session.send("Input.imeSetComposition", { selectionStart: 2, selectionEnd: 2, text: "にほ" });
  const colour = () => page.$eval("#command", (box) => getComputedStyle(box).color);
  assert.notEqual(await colour(), "rgba(0, 0, 0, 0)");
  await session.send("Input.insertText", { text: "日本" });
  await answered();
  assert.equal(await colour(), "rgba(0, 0, 0, 0)");
});

test("fixes have names of what they do", async () => {
  await paste("curl -d Ä=1 -H 'X: $TOKEN' https//h.test/");
  const names = await page.$$eval("#problems .fix", (buttons) => buttons.map((button) => button.ariaLabel ?? button.textContent));
  assert.equal(new Set(names).size, names.length);
  assert.equal(await page.locator("#answer").getAttribute("aria-label"), "Answer");
});

test("what is no text, and a second file, are said", async () => {
  const drop = (...files) => page.evaluate((files) => {
    const dataTransfer = new DataTransfer();
    for (const text of files) dataTransfer.items.add(new File([text], "a"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, files);
  await drop("\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
  await page.getByText("This file is no text", { exact: true }).first().waitFor();
  assert.equal(await page.locator("#command").inputValue(), "");
  await drop("curl https://h.test/first", "curl https://h.test/second");
  await page.getByText("Only the first of 2 files", { exact: true }).first().waitFor();
  assert.match(await page.locator("#command").inputValue(), /first/);
});

test("targets are found by what they are used in", async () => {
  const field = page.getByRole("combobox", { name: "Write it as" });
  for (const [search, label] of [["unity", /^C# ·/], ["react", /^(JavaScript|TypeScript) ·/]]) {
    await field.fill(search);
    assert.match(await page.locator("#targets [role=option]").first().innerText(), label);
  }
});

test("an empty page lists languages by use, and says how many targets there are", async () => {
  await open({ view: null });
  const languages = await page.getByRole("group", { name: "Languages" }).getByRole("button").allTextContents();
  assert.deepEqual(languages.slice(0, 2), ["Python", "JavaScript"]);
  assert.match(await page.locator("#panel-code").innerText(), /\d+ targets\./);
});
