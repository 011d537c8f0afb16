// What the page says to texts that are no request, what it hides, and what it costs to
// use it for long.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, context, page, paste, tab } from "../harness.mjs";

const problem = () => page.locator("#panel-request h3").innerText();

test("a command that only prints something has a title of its own", async () => {
  await paste("curl --help");
  assert.equal(await problem(), "The command sends no request");
});

test("a bare URL is one click from its request", async () => {
  await paste("https://example.com/a?b=1");
  await page.getByRole("button", { name: "Fix it" }).click();
  await page.waitForFunction(() => document.getElementById("command").value === "curl https://example.com/a?b=1");
  await answered();
  assert.match(await page.locator("#panel-request .url").innerText(), /^https:\/\/example\.com\/a\?b=1$/);
});

test("secrets in markup and in misspelled fields are hidden in the box and in the answer", async () => {
  await paste("curl https://h.test -H 'Authentication: hunter2' -d '<password>hunter3</password>'");
  await page.getByLabel("Hide secrets").check();
  await answered();
  for (const view of ["Request", "HTTP", "JSON", "Code"]) {
    await tab(view);
    if (view === "Code") await page.locator("#panel-code pre", { hasText: "os.environ" }).waitFor();
    const shown = await page.evaluate(() => [...document.querySelectorAll("#marks, [role=tabpanel]:not([hidden])")].map((node) => node.textContent).join("\n"));
    assert.ok(!/hunter[23]/.test(shown), `${view}: ${shown}`);
  }
});

test("five hundred answers leave the page as small as it was", async () => {
  const session = await context.newCDPSession(page);
  const measure = async () => {
    await session.send("HeapProfiler.collectGarbage");
    const { metrics } = await session.send("Performance.getMetrics");
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  };
  await session.send("Performance.enable");
  const ask = (from, to) => page.evaluate(async ([from, to]) => {
    const command = document.getElementById("command");
    for (let i = from; i < to; i++) {
      command.value = `curl https://h.test/${i} -H 'A: ${i}' -d 'b=${i}'`;
      command.dispatchEvent(new InputEvent("input", { inputType: "insertFromPaste" }));
      const shows = () => document.querySelector("#panel-request .url")?.textContent === `https://h.test/${i}`;
      while (!shows()) await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }, [from, to]);
  await ask(0, 100);
  const before = await measure();
  await ask(100, 600);
  const after = await measure();
  assert.ok(after.Nodes < before.Nodes * 1.2 + 200, `${before.Nodes} nodes, then ${after.Nodes}`);
  assert.ok(after.JSEventListeners <= before.JSEventListeners + 20, `${before.JSEventListeners} listeners, then ${after.JSEventListeners}`);
  assert.ok(after.JSHeapUsedSize < before.JSHeapUsedSize * 1.5 + 1e6, `${before.JSHeapUsedSize} bytes, then ${after.JSHeapUsedSize}`);
});
