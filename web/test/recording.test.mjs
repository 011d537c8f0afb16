// Recordings with what their responses hold, which the page leaves out while it reads them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { page } from "../harness.mjs";
import { Skimmer } from "../page/recording.js";

test("the content of responses is left out, whatever pieces the text comes in, and nothing else", () => {
  const recording = (dropped, empty) => ({ log: { entries: [
    {
      request: { postData: { text: 'a "b" \\ c', content: { text: "kept" } } },
      response: { content: { size: 3, mimeType: "text/html", text: dropped }, text: "kept" },
      content: { text: "kept" },
    },
    { response: { content: { text: empty }, others: [{ content: { text: "kept" } }], _content: { text: "kept" } } },
  ] } });
  const source = recording('"\\\\" \n\u2028 {}[],: \\', "x");
  for (const text of [JSON.stringify(source), JSON.stringify(source, null, 2)]) {
    for (let length = 1; length < 50; length++) {
      const skimmer = new Skimmer();
      for (let i = 0; i < text.length; i += length) skimmer.push(text.slice(i, i + length));
      assert.deepEqual(JSON.parse(skimmer.text()), recording("", ""), `${length}: ${text}`);
      assert.equal(skimmer.left, 2);
    }
  }
  for (const broken of ["{\"log\": {\"entries\": [{\"response\": {\"content\": {\"text\": \"cut off", "}}]]{{\"a", "\"\\", "no JSON: 'a', \"b\"\n"]) {
    const skimmer = new Skimmer();
    skimmer.push(broken);
    assert.equal(skimmer.text(), broken.replace("cut off", ""));
  }
});

test("a recording of 200 MB is a list", async () => {
  await page.evaluate(() => {
    const body = JSON.stringify("<p>\"x\\y\"</p>\n".repeat(50_000)); // 0.8 MB as JSON
    const parts = ['{"log": {"version": "1.2", "entries": ['];
    for (let i = 0; i < 250; i++) {
      parts.push(`${i ? "," : ""}{"request": {"method": "GET", "url": "https://h.test/items/${i}", "httpVersion": "HTTP/2", "headers": [], "queryString": [], "cookies": []},`,
        ' "response": {"status": 200, "content": {"mimeType": "text/html", "text": ', body, "}}}");
    }
    const file = new File([...parts, "]}}"], "recorded.har");
    if (file.size < 200e6) throw new Error(`the file has ${file.size} bytes`);
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(file);
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  });
  await page.waitForFunction(() => document.querySelectorAll("#which [data-number]").length === 251);
  assert.equal(await page.locator("#status").textContent(), "Without the content of 250 responses");
  assert.ok((await page.locator("#command").inputValue()).length < 100_000);
});
