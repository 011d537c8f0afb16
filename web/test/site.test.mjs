// The page as plain files, below a folder of a host that knows nothing of it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { host, launch, site } from "../browser.mjs";

test("the page works as plain files, even where WebAssembly has no media type", async () => {
  const files = site();
  const server = await host(files.dir, "/some/folder/");
  const browser = await launch();
  try {
    const page = await browser.newPage();
    const complaints = [];
    const paths = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("response", (response) => { if (response.status() !== 200) complaints.push(`${response.status()} ${response.url()}`); });
    page.on("request", (request) => paths.push(new URL(request.url()).pathname));
    await page.goto(server.url);
    await page.getByRole("button", { name: "JSON an API call" }).click();
    await page.locator("#panel-code pre", { hasText: "https://api.example.com/users" }).waitFor();
    assert.deepEqual(complaints, []);
    assert.ok(paths.every((path) => path.startsWith("/some/folder/")), paths.join(" "));
    assert.equal(await page.getByRole("link", { name: "API" }).count(), 0, "it links to nothing that is not there");
    // The policy is in the page itself, since the host sends none.
    assert.ok(await page.evaluate(() => fetch("https://h.test/").then(() => false, () => true)));
  } finally {
    await browser.close();
    server.stop();
    files.remove();
  }
});
