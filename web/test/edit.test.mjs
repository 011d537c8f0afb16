// Editing in the readable view: the command follows, and can be taken back.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, check, example, open, page, paste, service, tab } from "../harness.mjs";

const text = () => page.locator("#command").inputValue();
const button = (name) => page.locator("#panel-request").getByRole("button", { name, exact: true });
const field = (name) => page.locator("#panel-request").getByRole("textbox", { name, exact: true });
const fieldOfMethod = () => page.locator("#panel-request").getByRole("combobox", { name: "Method" });
const follows = (command) => page.waitForFunction((command) => document.getElementById("command").value === command && document.getElementById("answer").ariaBusy === "false", command);
const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.id);

// what is in a table, without the column of buttons.
const rows = (name) => page.$$eval(`table[aria-label=${name}] tbody tr:not(.own)`, (rows) => rows.map((row) => [...row.cells].slice(0, 2).map((cell) => cell.textContent).join(": ")));

test("a header is edited, added and removed, and Ctrl+Z takes each back", async () => {
  const typed = "curl --header 'A: b' http://h.test/ --header 'C: d'";
  await paste(typed);
  await button("Edit the header A").click();
  assert.equal(await focused(), "Value");
  await field("Value").fill("it's");
  await page.keyboard.press("Enter");
  const edited = "curl http://h.test/ -H 'A: it'\\''s' -H 'C: d'";
  await follows(edited);
  assert.deepEqual(await rows("Headers"), ["A: it's", "C: d"]);
  await page.waitForFunction(() => document.activeElement.ariaLabel === "Edit the header A");

  await button("Add a header").click();
  await field("Name").fill("E");
  await field("Value").fill("f");
  await button("Add").click();
  await follows(edited + " -H 'E: f'");

  await button("Edit the header C").click();
  await button("Remove").click();
  await follows("curl http://h.test/ -H 'A: it'\\''s' -H 'E: f'");
  assert.deepEqual(await rows("Headers"), ["A: it's", "E: f"]);

  for (const before of [edited + " -H 'E: f'", edited, typed]) {
    await page.keyboard.press("Control+z"); // wherever the focus is
    await follows(before);
  }
});

test("a query pair and the method are edited", async () => {
  await paste("curl 'http://h.test/?a=1&b=2'");
  await button("Edit the pair b").click();
  await field("Value").fill("x & y");
  await button("Save").click();
  await follows("curl 'http://h.test/?a=1&b=x%20%26%20y'");
  assert.deepEqual(await rows("Query"), ["a: 1", "b: x & y"]);
  await button("Add a pair").click();
  await field("Name").fill("c");
  await page.keyboard.press("Enter");
  await follows("curl 'http://h.test/?a=1&b=x%20%26%20y&c'");
  await button("GET, change the method").click();
  await fieldOfMethod().fill("DELETE");
  await page.keyboard.press("Enter");
  await follows("curl 'http://h.test/?a=1&b=x%20%26%20y&c' -X DELETE");
  assert.equal(await page.locator("#panel-request .method").innerText(), "DELETE");
});

test("the command follows in the shell of the text", async () => {
  for (const [before, after] of [
    ["curl ^\n -H \"A: b\" http://h.test/", "curl http://h.test/ -H ^\"A: c d^\""],
    ["curl.exe -H 'A: b' `\n http://h.test/", "curl.exe http://h.test/ -H 'A: c d'"],
    ["curl -H 'A: it\\'s' -H \"B: $B\" http://h.test/", "curl http://h.test/ -H 'A: c d' -H 'B: '\"$B\""],
  ]) {
    await paste(before);
    await button("Edit the header A").click();
    await field("Value").fill("c d");
    await button("Save").click();
    await follows(after);
    assert.equal((await rows("Headers"))[0], "A: c d");
  }
});

test("what curl would not send is refused with a reason, and Escape leaves", async () => {
  await paste("curl -H 'A: b' http://h.test/");
  await button("Edit the header A").click();
  await field("Name").fill("A: b");
  await button("Save").click();
  await page.getByRole("alert").getByText("curl would not send this").waitFor();
  assert.equal(await text(), "curl -H 'A: b' http://h.test/");
  await page.keyboard.press("Escape");
  assert.equal(await focused(), "Edit the header A");
  assert.deepEqual(await rows("Headers"), ["A: b"]);
});

test("an edit changes one of several requests, keeps what is given in fields out, and waits for shown secrets", async () => {
  await paste("curl -H \"A: $TOKEN\" http://h.test/[1-2]");
  await page.getByLabel("$TOKEN").fill("s3cret");
  await page.locator("#panel-request article").nth(1).getByRole("cell", { name: "s3cret" }).waitFor();
  await page.locator("#panel-request article").nth(1).getByRole("button", { name: "GET, change the method" }).click();
  await fieldOfMethod().fill("PUT");
  await button("Save").click();
  await follows("curl http://h.test/1 -H \"A: $TOKEN\"\n\ncurl http://h.test/2 -X PUT -H \"A: $TOKEN\"");
  await page.getByLabel("Hide secrets").check();
  await answered();
  assert.equal(await page.locator("#panel-request button").count(), 0);
});

for (const [width, colorScheme] of [[1280, "light"], [390, "dark"]]) {
  test(`the fields have no accessibility errors at ${width} pixels, ${colorScheme}`, async () => {
    await open({ url: service.url, width, height: 844, colorScheme });
    await example("Copied from a browser");
    await answered();
    await button("Edit the header Cookie").click();
    await button("Add a pair").click();
    await button("PUT, change the method").click();
    await check("all fields open");
    await tab("JSON");
  });
}
