// The view of code: which target is picked, what is written, and what of it is
// copied and saved.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { answered, check, clipboard, complaints, open, page, paste, requests, service, tab, style } from "../harness.mjs";
import { started } from "../browser.mjs";

// downloadsOfPage is how many files Chromium 156 lets a page save before it asks
// the user, whom nobody plays here.
const downloadsOfPage = 10;

const code = () => page.locator("#panel-code pre").innerText();
const shows = (text) => page.locator("#panel-code pre", { hasText: text }).waitFor();

async function pick(search) {
  await page.getByRole("combobox", { name: "Write it as" }).fill(search);
  await page.keyboard.press("Enter");
}

// clean replaces the command by a clean one, with more switches on.
async function clean(...also) {
  await answered();
  await page.getByText("Clean up", { exact: true }).click();
  for (const label of also) await (await style(label)).check();
  await page.getByRole("button", { name: "Replace the command" }).click();
}

// served is the answer of the service, asked by the test and not by the page.
async function served(request) {
  const response = await fetch(service.url + "api/code", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request) });
  return response.json();
}

test("code is written as the service writes it, by the engine of the page", async () => {
  const command = "curl -u ann:hunter2 -H 'Sec-Fetch-Mode: cors' -d 'a=1' -H \"X: $TOKEN\" https://h.test/";
  await paste(command);
  await tab("Code");
  await shows("requests.");
  assert.equal(requests.filter((line) => line.endsWith("uncoil.wasm")).length, 1, "it is loaded once");
  for (const [search, target] of [["python httpx", "python-httpx"], ["golang", "go"], ["c#", "csharp"], ["wget", "wget"], ["postman", "postman"]]) {
    await pick(search);
    const { code: want, filename } = await served({ curl: command, target });
    await page.waitForFunction((want) => document.querySelector("#panel-code pre")?.textContent === want, want);
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download" }).click()]);
    assert.equal(download.suggestedFilename(), filename);
    assert.equal(readFileSync(await download.path(), "utf8"), want);
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByText("Copied", { exact: true }).first().waitFor();
    assert.equal(await clipboard(), want);
    await page.getByRole("button", { name: "Copy" }).waitFor();
  }
  for (const [label, member, value] of [["Only the call", "bare", true], ["Leave $NAMES as they are", "variables", "keep"], ["Secrets from the environment", "moveSecrets", true], ["Identical to curl", "style", "exact"], ["As a function", "function", "auto"]]) {
    await pick("python httpx");
    await (await style(label)).check();
    const { code: want } = await served({ curl: command, target: "python-httpx", [member]: value });
    await page.waitForFunction((want) => document.querySelector("#panel-code pre")?.textContent === want, want);
    await (await style(label)).uncheck();
  }
});

test("a function is offered for the targets that have some, and stays in the address", async () => {
  await open({ url: service.url + "#to=go&opt=function", view: "code" });
  await paste("curl -H \"X: $TOKEN\" https://h.test/items");
  await shows("func getItems(");
  const box = await style("As a function");
  assert.ok(await box.isChecked());
  await pick("wget");
  await shows("wget ");
  assert.ok(await (await style("As a function")).isHidden());
  await pick("ruby");
  await shows("def get_items(");
  assert.match(await page.evaluate(() => location.hash), /opt=function/);
  await (await style("As a function")).uncheck();
  await shows("Net::HTTP");
  assert.doesNotMatch(await code(), /def get_items/);
  const names = (await (await fetch(service.url + "api/targets")).json()).filter(({ functions }) => functions).map(({ name }) => name);
  assert.ok(names.includes("php") && !names.includes("c"), names.join());
});

test("C# 7 is offered for C# only", async () => {
  await open({ url: service.url + "#to=csharp", view: "code" });
  await paste("curl https://h.test/items");
  await shows("using var client");
  const box = () => style("C# 7 (Unity, .NET Framework)");
  await (await box()).check();
  await shows("public static class Program");
  await pick("ruby");
  await shows("Net::HTTP");
  assert.ok(await (await box()).isHidden());
});

test("one command goes to every target, and is downloaded under its name", async () => {
  const command = "curl -d '{\"a\":1}' -H 'Content-Type: application/json' https://h.test/v1/items";
  const targets = await (await fetch(service.url + "api/targets")).json();
  assert.ok(targets.filter(({ kind }) => kind === "file").length > 10, "formats are among them");
  for (const [i, { name, extension }] of targets.entries()) {
    if (i % downloadsOfPage === 0) {
      assert.deepEqual(complaints, []);
      await open();
      await paste(command);
      await tab("Code");
      await shows("requests.");
    }
    await pick(name);
    const { code: want, filename } = await served({ curl: command, target: name });
    await page.waitForFunction((want) => document.querySelector("#panel-code pre")?.textContent === want, want, { timeout: 8000 }).catch(async () => assert.equal(await code(), want, name));
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download" }).click()]);
    assert.equal(download.suggestedFilename(), filename, name);
    assert.ok(filename.endsWith(`.${extension}`) || extension === "", `${filename} of ${name}`);
    assert.equal(readFileSync(await download.path(), "utf8"), want, name);
  }
});

test("the target is found by its names, and remembered for the next visit", async () => {
  await paste("curl https://h.test/");
  await tab("Code");
  await shows("requests.");
  const field = page.getByRole("combobox", { name: "Write it as" });
  await field.click();
  const options = page.getByRole("listbox").getByRole("option");
  const count = await options.count();
  assert.ok(count > 40, `${count} targets`);
  assert.deepEqual(await page.getByRole("listbox").getByRole("group").evaluateAll((groups) => groups.map((group) => group.getAttribute("aria-label"))), ["Most wanted", "Code", "Files for other tools", "Commands", "Actions"]);
  await field.fill("node got");
  assert.deepEqual((await options.allInnerTexts()).map((text) => text.split("\n")[0]), ["JavaScript · got"]);
  await page.keyboard.press("Escape");
  assert.equal(await field.inputValue(), "Python · requests");
  await pick("rust ureq");
  await shows("ureq::");
  assert.equal(await page.evaluate(() => location.hash), "#to=rust-ureq");
  assert.deepEqual(await page.evaluate(() => [{ ...localStorage }, document.cookie]), [{ "uncoil-target": "rust-ureq" }, ""]);
  // Another visit of the same browser, by the plain address.
  await page.goto("about:blank");
  await page.goto(service.url);
  await started(page);
  await paste("curl https://h.test/again");
  await tab("Code");
  await shows("h.test/again");
  assert.match(await code(), /ureq::/);
});

test("code of one of several requests, of secrets that are hidden, and of an error", async () => {
  await paste("curl -u ann:hunter2 https://h.test/first https://h.test/second");
  await tab("Code");
  await shows("h.test/first");
  await page.locator("#which [data-number='2']").click();
  await page.waitForFunction(() => !document.querySelector("#panel-code pre").textContent.includes("h.test/first"));
  assert.match(await code(), /h\.test\/second/);
  await page.getByLabel("Hide secrets").check();
  await answered();
  await page.waitForFunction(() => !document.querySelector("#panel-code").textContent.includes("hunter2"));
  await shows("PASSWORD");
  assert.doesNotMatch(await code(), /•/);
  assert.ok(await (await style("Secrets from the environment")).isChecked());
  await page.getByLabel("Hide secrets").uncheck();
  await shows("hunter2");
  assert.ok(!await (await style("Secrets from the environment")).isChecked());
  await paste("curl --hedaer x h.test");
  await page.locator("#panel-code", { hasText: "curl has no option --hedaer" }).waitFor();
  assert.deepEqual(complaints, []);
});

test("a search finds what people call a target, and not what lies within another word", async () => {
  await paste("curl https://h.test/");
  await tab("Code");
  await shows("requests.");
  const options = page.getByRole("listbox").getByRole("option");
  const found = async (search) => {
    await page.getByRole("combobox", { name: "Write it as" }).fill(search);
    return (await options.allInnerTexts()).map((text) => text.split("\n")[0]);
  };
  assert.deepEqual(await found("github"), ["GitHub Actions"]);
  assert.deepEqual(await found("terraform"), ["Terraform"]);
  assert.deepEqual(await found("vscode"), ["HTTP file (.http)", "Raw HTTP message"]);
  assert.equal((await found("har"))[0], "HAR");
  for (const [search, first] of [["ts", "TypeScript"], ["js", "JavaScript"], ["typescript", "TypeScript"]]) {
    const all = await found(search);
    assert.ok(all.includes("JavaScript · axios") && all[0].startsWith(first) && !all.some((name) => name.startsWith("C#")), `${search}: ${all}`);
  }
  await page.keyboard.press("Escape");
});

test("code has colours", async () => {
  await paste("curl -d 'it'\\''s=1' https://h.test/");
  await tab("Code");
  await shows("requests.");
  await pick("go net");
  await shows("package main");
  const colours = await page.$$eval("#panel-code pre span", (spans) => spans.map(({ className, textContent }) => [className, textContent]));
  assert.ok(colours.some(([name, text]) => name === "code-keyword" && text === "package"));
  assert.ok(colours.some(([name, text]) => name === "code-string" && text.includes("https://h.test/")));
});

test("a command is cleaned up in its box, in its own shell, and Ctrl+Z takes it back", async () => {
  await tab("Code");
  for (const [command, , again] of [
    ["curl -H 'A: it'\\''s' http://h.test/", "curl", "curl http://h.test/ -H 'A: it'\\''s'"],
    ["curl ^\n -H \"A: it's\" http://h.test/", "curl-cmd", "curl http://h.test/ -H ^\"A: it's^\""],
    ["curl.exe -H 'A: it''s' `\n http://h.test/", "curl-powershell", "curl.exe http://h.test/ -H 'A: it''s'"],
    ["curl -H 'A: it\\'s' -H \"B: $B\" http://h.test/", "curl-fish", "curl http://h.test/ -H 'A: it'\\''s' -H 'B: '\"$B\""],
  ]) {
    await paste(command);
    await clean();
    await page.waitForFunction((again) => document.getElementById("command").value === again, again, { timeout: 5000 }).catch(async () => assert.equal(await page.locator("#command").inputValue(), again, await page.locator("#clean-refused").innerText()));
    await page.locator("#command").press("Control+z");
    assert.equal(await page.locator("#command").inputValue(), command);
  }
});

test("hiding secrets refuses no target and masks nothing in its program", async () => {
  const command = "curl https://h.test/ -H 'Authorization: Bearer abc123' -b sid=c00kie -d a=1";
  await paste(command);
  await page.getByLabel("Hide secrets").check();
  await answered();
  await tab("Code");
  await shows("requests.");
  for (const target of ["postman", "bruno", "java-httpclient", "haskell"]) {
    await pick(target);
    const { code: want } = await served({ curl: command, target, moveSecrets: true });
    await page.waitForFunction((want) => document.querySelector("#panel-code pre")?.textContent === want, want);
  }
});

test("cookies stay unless they are left out on purpose, and what was left out is named", async () => {
  await paste("curl https://h.test/ -A Mozilla -H 'sec-ch-ua: x' -b session=8f14e45f");
  await clean();
  await page.locator("#cleaned p", { hasText: "left out: User-Agent, sec-ch-ua" }).waitFor({ state: "attached" });
  assert.equal(await page.locator("#command").inputValue(), "curl https://h.test/ -b session=8f14e45f");
  await page.locator("#command").press("Control+z");
  await answered();
  await clean("Drop cookies");
  await page.locator("#cleaned p", { hasText: "left out: User-Agent, Cookie, sec-ch-ua" }).waitFor({ state: "attached" });
  assert.equal(await page.locator("#command").inputValue(), "curl https://h.test/");
});

test("a link that was made in the view of code opens there, with the target", async () => {
  await paste("curl https://h.test/linked");
  await tab("Code");
  await shows("requests.");
  await pick("go");
  await shows("package main");
  await page.getByRole("button", { name: "Link", exact: true }).click();
  const url = await page.getByLabel("This address contains").inputValue();
  await open({ url });
  await shows("package main");
  assert.match(await code(), /h\.test\/linked/);
  assert.ok(await page.locator("#tab-code[aria-selected=true]").isVisible());
  await tab("Request");
  await page.getByRole("button", { name: "Link", exact: true }).click();
  await open({ url: await page.getByLabel("This address contains").inputValue() });
  await page.locator("#panel-request .url", { hasText: "h.test/linked" }).waitFor();
  assert.ok(await page.locator("#panel-request").isVisible());
});

test("lines of code are not broken, and can be scrolled by keyboard", async () => {
  for (const width of [1280, 390]) {
    await open({ width, height: 844 });
    await paste(`curl https://h.test/ -H 'X-Long: ${"y".repeat(300)}'`);
    await tab("Code");
    await shows("requests.");
    await pick("go net");
    await shows("package main");
    const { lines, height, tabs } = await page.locator("#panel-code pre").evaluate((pre) => {
      const { lineHeight, tabSize } = getComputedStyle(pre);
      return { lines: pre.textContent.trimEnd().split("\n").length, height: pre.getBoundingClientRect().height / parseFloat(lineHeight), tabs: tabSize };
    });
    assert.ok(Math.abs(height - lines) < 1.5, `${lines} lines are as high as ${height}`);
    assert.equal(tabs, "4");
    const box = page.getByRole("region", { name: "The code" });
    await box.focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.querySelector("#panel-code .code").scrollLeft > 0);
    await check(`code at ${width}`);
  }
});
