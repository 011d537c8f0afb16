// The page without a network, after the first visit.
import assert from "node:assert/strict";
import { test } from "node:test";
import { context, open, page, paste, requests, service } from "../harness.mjs";

const installed = () => page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");

test("the page works without a network after the first visit", async () => {
  await installed();
  await page.getByRole("tab", { name: "Code" }).click();
  await paste("curl https://h.test/");
  await page.locator("#panel-code pre", { hasText: "h.test" }).waitFor();
  await context.setOffline(true);
  await page.reload();
  await paste("curl https://h.test/offline");
  await page.locator("#panel-request .url", { hasText: "h.test/offline" }).waitFor();
  await page.getByRole("tab", { name: "Code" }).click();
  await page.locator("#panel-code pre", { hasText: "h.test/offline" }).waitFor();
});

test("the service worker keeps the files of one version and nothing else", async () => {
  await installed();
  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const keys = await (await caches.open(names[0])).keys();
    return { names, paths: keys.map(({ url }) => url) };
  });
  assert.equal(kept.names.length, 1);
  assert.ok(kept.names[0].startsWith(`uncoil ${service.url} `), kept.names[0]);
  assert.ok(kept.paths.includes(service.url) && kept.paths.some((url) => url.endsWith("/uncoil.wasm")), kept.paths.join(" "));
  assert.ok(kept.paths.every((url) => url === service.url || url.startsWith(service.url + "page/") || url.startsWith(service.url + "engine/")), kept.paths.join(" "));
  assert.ok(!kept.paths.some((url) => url.endsWith("uncoil-code.wasm")), "the engine for code is kept when it is first used");
});
