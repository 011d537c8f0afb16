// The page as plain files, below a folder of a host that knows nothing of it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { test } from "node:test";
import { launch, root } from "../browser.mjs";

const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

test("the page works as plain files, even where WebAssembly has no media type", async () => {
  const dir = mkdtempSync(join(tmpdir(), "uncoil-site-"));
  execFileSync("go", ["run", "./web/site", dir], { cwd: root, stdio: "inherit" });
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://h").pathname.replace(/^\/some\/folder\//, "");
    const file = join(dir, path || "index.html");
    if (!existsSync(file)) return response.writeHead(404).end();
    response.setHeader("Content-Type", types[extname(file)] ?? "application/octet-stream");
    response.end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await launch();
  try {
    const page = await browser.newPage();
    const complaints = [];
    const paths = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("response", (response) => { if (response.status() !== 200) complaints.push(`${response.status()} ${response.url()}`); });
    page.on("request", (request) => paths.push(new URL(request.url()).pathname));
    await page.goto(`http://127.0.0.1:${server.address().port}/some/folder/`);
    await page.getByRole("button", { name: "JSON", exact: true }).click();
    await page.locator("#panel-request .url", { hasText: "https://api.example.com/users" }).waitFor();
    assert.deepEqual(complaints, []);
    assert.ok(paths.every((path) => path.startsWith("/some/folder/")), paths.join(" "));
    assert.equal(await page.getByRole("link", { name: "openapi.yaml" }).count(), 0, "it links to nothing that is not there");
    // The policy is in the page itself, since the host sends none.
    assert.ok(await page.evaluate(() => fetch("https://h.test/").then(() => false, () => true)));
  } finally {
    await browser.close();
    server.close();
    rmSync(dir, { recursive: true, force: true });
  }
});
