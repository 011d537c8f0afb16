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

test("doubts stand before advice, each once", async () => {
  await paste("curl -X POST -d a=1 -H 'X: $TOKEN' https://h.test/{1,2}");
  const classes = await page.$$eval("#problems li", (items) => items.map((item) => item.className));
  assert.deepEqual([...classes].sort((a, b) => (a === "advice") - (b === "advice")), classes);
  assert.ok(classes.includes("doubt") && classes.includes("advice"), classes.join());
  const messages = await page.$$eval("#problems li", (items) => items.map((item) => item.innerText));
  assert.equal(new Set(messages).size, messages.length);
  for (const message of messages) assert.ok(!/in (env|files|stdin)\b/.test(message), message);
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
