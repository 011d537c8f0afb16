// The page in other places: in a frame of another site, in a checkout without the
// engine, in a window of its own, and while the engine still arrives.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { bare, serve } from "../browser.mjs";
import { browser, check, complaints, context, open, page, paste, requests, service } from "../harness.mjs";

const command = "curl -u ann:s3cret https://h.test/a";

test("in a frame of another site there is the tool, and nothing is kept", async () => {
  const host = createServer((request, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end(`<!doctype html><title>docs</title><iframe src="${service.url}embed#to=go&curl=${encodeURIComponent(command)}" width="1100" height="700"></iframe>`);
  });
  await new Promise((resolve) => host.listen(0, "127.0.0.1", resolve));
  try {
    await open({ url: `http://localhost:${host.address().port}/`, view: null, ready: false });
    const frame = page.frameLocator("iframe");
    await frame.locator("#panel-code pre", { hasText: "http.NewRequest" }).waitFor();
    for (const hidden of ["#link", "#keep", "#theme", "h1"]) assert.ok(!await frame.locator(hidden).isVisible(), hidden);
    await frame.locator("#command").fill("curl https://h.test/typed");
    await frame.locator("#panel-code pre", { hasText: "h.test/typed" }).waitFor();
    const target = frame.getByRole("combobox", { name: "Write it as" });
    await target.fill("python");
    await target.press("Enter");
    await frame.locator("#panel-code pre", { hasText: "import requests" }).waitFor();
    const inside = page.frames().find((frame) => frame.url().includes("/embed"));
    const kept = () => inside.evaluate(async () => [sessionStorage.length, localStorage.length, (await navigator.serviceWorker.getRegistrations()).length, history.length]);
    assert.deepEqual((await kept()).slice(0, 3), [0, 0, 0]);
    assert.ok(inside.url().includes("#to=go&curl="), "the address stays as the site made it");
  } finally {
    host.closeAllConnections();
    host.close();
  }
});

test("no other page may be framed", async () => {
  for (const [path, framed] of [["", "'none'"], ["python", "'none'"], ["embed", "*"]]) {
    const response = await page.request.get(service.url + path);
    assert.match(response.headers()["content-security-policy"], new RegExp(`frame-ancestors ${framed.replace("*", "\\*")}$`), path);
  }
});

test("without the engine the page asks its own service, says so, and only on this machine", async () => {
  const built = bare();
  const own = await serve(built.program);
  const others = await serve(built.program, "-hosts", "localhost,127.0.0.1");
  try {
    await open({ url: own.url });
    assert.equal(await page.locator("#promise > summary").innerText(), "Asks your own service ▾".replace(" ▾", ""));
    await paste(command);
    await page.locator("#panel-request .url", { hasText: "https://h.test/a" }).waitFor();
    await page.getByRole("button", { name: "Edit the header Authorization" }).click();
    await page.getByRole("textbox", { name: "Value", exact: true }).fill("Bearer t");
    await page.getByRole("button", { name: "Save" }).click();
    await page.waitForFunction(() => document.getElementById("command").value.includes("Bearer t"));
    await page.getByRole("tab", { name: "Code" }).click();
    await page.locator("#panel-code pre", { hasText: "import requests" }).waitFor();
    await paste("curl --hedaer x https://h.test");
    await page.locator("#problems .error", { hasText: "--hedaer" }).waitFor();
    complaints.length = 0; // of the answer 422
    assert.ok(requests.every((line) => line.split(" ")[1].startsWith(own.url)), requests.join("\n"));
    const foreign = await page.request.post(own.url + "ask", { headers: { Origin: "http://evil.test" }, data: { name: "targets" } });
    assert.equal(foreign.status(), 403);
    // Where strangers can reach it, the page has no service to ask.
    assert.equal((await page.request.post(others.url + "ask", { data: { name: "targets" } })).status(), 404);
  } finally {
    own.stop();
    others.stop();
    built.remove();
  }
});

test("the page can be installed", async () => {
  const link = await page.locator("link[rel=manifest]").evaluate(({ href }) => href);
  const manifest = await page.evaluate(async (link) => (await fetch(link)).json(), link);
  assert.equal(new URL(manifest.start_url, link).href, service.url);
  assert.equal(new URL(manifest.scope, link).href, service.url);
  const session = await context.newCDPSession(page);
  const { errors } = await session.send("Page.getAppManifest");
  assert.deepEqual(errors, []);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  assert.deepEqual(installabilityErrors.map(({ errorId }) => errorId), ["in-incognito"], "as each context of a test is");
});

test("while the engine arrives, the page says how much of it is there", async () => {
  const slow = await browser.newContext();
  const tab = await slow.newPage();
  const session = await slow.newCDPSession(tab);
  await session.send("Network.emulateNetworkConditions", { offline: false, latency: 20, downloadThroughput: 600_000, uploadThroughput: 600_000 });
  await tab.goto(service.url, { waitUntil: "commit" });
  await tab.locator("progress").waitFor();
  await tab.waitForFunction(() => document.querySelector("progress")?.value > 0.2);
  const before = await tab.locator("progress").evaluate(({ value }) => value);
  await tab.waitForFunction((before) => document.querySelector("progress")?.value > before, before);
  await tab.getByText("Paste a command, and").waitFor();
  await slow.close();
});

test("the page loads in a few requests", async () => {
  await open({ view: null });
  const names = requests.map((line) => new URL(line.split(" ")[1]).pathname.split("/").pop());
  assert.deepEqual([...new Set(names)].sort(), ["", "app.js", "style.css", "uncoil.wasm", "wasm_exec.js", "worker.js"]);
  await check("the page");
});
