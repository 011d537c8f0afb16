// The pages beside the first one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { check, complaints, open, page, service } from "../harness.mjs";

for (const [width, colorScheme] of [[1280, "light"], [390, "dark"]]) {
  test(`the pages about errors and of unknown addresses have no accessibility errors at ${width} pixels, ${colorScheme}`, async () => {
    for (const path of ["problems", "problems/unknown-option", "nothing/here"]) {
      await open({ url: service.url + path, width, height: 844, colorScheme });
      await check(path);
      assert.equal(await page.locator("header svg").count(), 1, path);
    }
    assert.match(await page.locator("h1").innerText(), /no page at this address/);
    await page.getByRole("link", { name: "The start page" }).click();
    await page.waitForURL(service.url);
    complaints.length = 0; // Chromium reports the status 404
  });
}
