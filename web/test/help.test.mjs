// How the page helps: fixes, and fields for what a command takes from outside.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, page, paste, requests, tab } from "../harness.mjs";

const text = () => page.locator("#command").inputValue();
const shows = (panel, found) => page.locator(`#panel-${panel}`, { hasText: found }).waitFor();

test("a fix is one click, and Ctrl+Z takes it back", async () => {
  const command = "curl -H 'X: $TOKEN' https://h.test/ü --data a=1";
  await paste(command);
  await page.getByRole("button", { name: "Fix it" }).first().click();
  assert.equal(await text(), 'curl -H "X: $TOKEN" https://h.test/ü --data a=1');
  await page.locator("#command").press("Control+z");
  assert.equal(await text(), command);
});

test("doubts are listed each once, and notes are folded behind them", async () => {
  await paste("curl -X POST -d a=1 -H 'X: $TOKEN' https://h.test/{1,2}");
  const items = await page.$$eval("#problems li:not(.all, .notes)", (items) => items.map((item) => [item.className, item.textContent, item.checkVisibility()]));
  assert.deepEqual(items.map(([level, , visible]) => [level, visible]), [["doubt", true], ...items.slice(1).map(() => ["advice", false])]);
  assert.ok(items.length > 1);
  assert.equal(new Set(items.map(([, text]) => text)).size, items.length);
  for (const [, text] of items) assert.ok(!/in (env|files|stdin)\b/.test(text), text);
  assert.deepEqual(await page.$$eval("#marks mark", (marks) => marks.map((mark) => [mark.classList[0], mark.textContent])), [["advised", "-X"], ["warning", "'X: $TOKEN'"]]);
  await page.getByText(`${items.length - 1} note`).click();
  assert.ok(await page.locator("#problems .advice").first().isVisible());
});

test("all fixes are put in at once, and Ctrl+Z takes them back", async () => {
  const command = "curl -d Ä=1 -H 'X: $TOKEN' https//h.test/";
  await paste(command);
  await page.getByRole("button", { name: "Fix all 2" }).click();
  assert.equal(await text(), 'curl -d Ä=1 -H "X: $TOKEN" https://h.test/');
  await page.locator("#command").press("Control+z");
  assert.equal(await text(), command);
});

test("variables and files are given in fields, and stay in the browser", async () => {
  await paste("curl -H \"X: $TOKEN\" -d @body.json https://h.test/");
  requests.length = 0;
  await page.getByLabel("$TOKEN").fill("s3cret");
  await shows("request", "s3cret");
  await page.getByLabel("File body.json", { exact: true }).fill("{\"a\": 1}");
  await tab("HTTP");
  await shows("http", "{\"a\": 1}");
  await page.getByLabel("File body.json, from your disk").setInputFiles({ name: "x", mimeType: "text/plain", buffer: Buffer.from("from disk") });
  await shows("http", "from disk");
  assert.deepEqual(requests, []);
  // The field stays while it is in use, and goes with its name.
  assert.ok(await page.getByLabel("$TOKEN").isVisible());
  await paste("curl https://h.test/");
  assert.ok(!await page.locator("#inputs").isVisible());
});

test("a variable or a file that only an error names has a field, too", async () => {
  await paste("curl --variable %PLACE --expand-url 'http://{{PLACE}}/'");
  await page.getByLabel("$PLACE").fill("h.test");
  await page.locator("#panel-request .url", { hasText: "http://h.test/" }).waitFor();
  await paste("curl -K options.txt");
  await page.getByLabel("File options.txt", { exact: true }).fill("url = http://h.test/file");
  await page.locator("#panel-request .url", { hasText: "http://h.test/file" }).waitFor();
  await paste("curl -K -");
  await page.getByLabel("Standard input", { exact: true }).fill("url = http://h.test/input");
  await page.locator("#panel-request .url", { hasText: "http://h.test/input" }).waitFor();
  await paste("curl -F a=@a.txt -F 'b=<b.txt' http://h.test/ --netrc -H \"$FIELD\"");
  await page.getByLabel("File a.txt", { exact: true }).fill("content of a");
  await page.getByLabel("File b.txt", { exact: true }).fill("content of b");
  await page.getByLabel("File .netrc", { exact: true }).fill("machine h.test login ann password hunter2");
  await shows("request", "hunter2"); // and the next answer keeps it
  await page.getByLabel("$FIELD").fill("X: from a variable");
  await shows("request", "from a variable");
  await tab("HTTP");
  for (const text of ["content of a", "content of b", "X: from a variable", `Authorization: Basic ${btoa("ann:hunter2")}`]) await shows("http", text);
});

test("hints speak of the page", async () => {
  for (const command of [
    "curl -K conf", "curl -K -", "curl --variable %X --expand-url 'http://{{X}}'", "curl --max$T 5 h.test", "curl -H \"$H\" -d @- h.test", "curl -T - h.test",
    "curl --netrc h.test", "curl -b jar h.test", "curl --digest -u a:b h.test", "curl --aws-sigv4 aws:amz -u a:b https://s3.eu-west-1.amazonaws.com/",
    "curl -F a=@x -F b=@- h.test", "curl h.test/[1-2]", "curl %URL%", "curl -d @f -d \"$X\" h.test", "curl --url @list", "curl -H @fields h.test",
  ]) {
    await paste(command);
    for (const view of ["Request", "Code", "JSON", "HTTP"]) {
      await tab(view);
      if (view === "Code") await page.waitForFunction(() => /\S/.test(document.getElementById("panel-code").innerText) && !/is loading/.test(document.getElementById("panel-code").innerText));
      const text = await page.locator("main").innerText();
      assert.ok(!/\b(in (env|files|stdin)\b(?!ite)|member|pass (it|its|their|one)|the full description)|\/api\/parse|as \.netrc/.test(text), `${command}: ${text}`);
    }
  }
});
