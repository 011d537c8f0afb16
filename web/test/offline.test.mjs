// The page without a network after the first visit, its versions, and what it
// sends: nothing but requests for its own files.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { host, launch, recorder, site } from "../browser.mjs";

let browser, record, built, dir, server, context, page;

before(async () => {
  record = await recorder();
  browser = await launch();
  built = site();
});
after(async () => {
  await browser?.close();
  built?.remove();
  record?.stop();
});
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "uncoil-site-"));
  cpSync(built.dir, dir, { recursive: true });
  server = await host(dir, "/folder/");
  record.sent.length = 0;
  context = await browser.newContext({ proxy: record.proxy });
  page = await context.newPage();
  await page.goto(server.url);
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
});
afterEach(async () => {
  await context.close();
  server.stop();
  rmSync(dir, { recursive: true });
});

// answers proves that the page works: it converts and writes code.
async function answers(of = page) {
  await of.getByRole("tab", { name: "Request" }).click(); // a reload stays in the view of code
  await of.locator("#command").fill("curl https://h.test/answered");
  await of.locator("#panel-request .url", { hasText: "h.test/answered" }).waitFor();
  await of.getByRole("tab", { name: "Code" }).click();
  await of.locator("#panel-code pre", { hasText: "h.test/answered" }).waitFor();
}

// publish puts another version of the page in the place of the first: its files
// lie in another folder, as after any change.
function publish(tagline) {
  const [folder] = readdirSync(join(dir, "page"));
  const next = folder.replace(/./g, (digit) => digit === "f" ? "0" : "f");
  renameSync(join(dir, "page", folder), join(dir, "page", next));
  for (const name of ["index.html", "offline.js"]) {
    const text = readFileSync(join(dir, name), "utf8").replaceAll(folder, next);
    writeFileSync(join(dir, name), text.replace(/(class="tagline">)[^<]*/, `$1${tagline}`).replace(/("version":")[^"]*/, `$1${next}`));
  }
  return next;
}

const tagline = (of = page) => of.locator(".tagline").innerText();

// update makes the browser look for a new version, as it does after some time,
// and reports how its installation ended.
const update = () => page.evaluate(async () => {
  const registration = await navigator.serviceWorker.ready;
  const found = new Promise((resolve) => registration.addEventListener("updatefound", () => resolve(registration.installing), { once: true }));
  registration.update();
  const worker = await found;
  if (worker.state === "installing") await new Promise((resolve) => worker.addEventListener("statechange", resolve, { once: true }));
  return worker.state;
});

test("the second visit works without a network, code too", async () => {
  server.stop();
  await context.setOffline(true);
  await page.reload();
  await answers();
  const other = await context.newPage();
  await other.goto(server.url);
  await answers(other);
  await other.locator("#more > summary").click();
  await other.getByRole("link", { name: "Licences" }).click();
  await other.getByText("The Go Authors").first().waitFor();
});

test("the page of a language works without a network, with its language", async () => {
  server.stop();
  await context.setOffline(true);
  const other = await context.newPage();
  await other.goto(server.url + "go.html");
  await other.locator("#command").fill("curl https://h.test/offline");
  await other.locator("#panel-code pre", { hasText: "http.Get(" }).or(other.locator("#panel-code pre", { hasText: "http.NewRequest" })).first().waitFor();
});

test("the service worker keeps the files of one version and nothing else", async () => {
  await answers();
  const [name, ...others] = await page.evaluate(() => caches.keys());
  assert.deepEqual(others, []);
  assert.ok(name.startsWith(`uncoil ${server.url} `), name);
  const urls = await page.evaluate(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url), name);
  const written = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && !/\.(gz|br)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .filter((path) => path !== "offline.js" && !/^(?!index\.).*\.html$/.test(path)); // a visit brings the page of one language, and the index serves without a network
  assert.deepEqual(urls.sort(), written.map((path) => server.url + path.replace(/^index\.html$/, "")).sort());
});

test("after the installation nothing is sent, whoever would send it", async () => {
  assert.ok(record.sent.some((line) => line.endsWith("/uncoil.wasm")), "the recorder sees the page");
  const own = (line) => line.startsWith(`GET ${server.url}`) && !line.includes("?");
  assert.deepEqual(record.sent.filter((line) => !own(line)), [], "everything is a file of the page");
  record.sent.length = 0;
  await answers();
  for (const name of ["JSON", "Form and upload", "bash script", "Several requests", "A mistake"]) {
    await page.locator("#examples-menu > summary").click();
    await page.locator("#examples").getByRole("button", { name, exact: true }).click();
    await page.waitForSelector("#answer[aria-busy=false]");
    for (const view of ["Request", "Code", "JSON", "HTTP"]) await page.getByRole("tab", { name: view }).click();
  }
  await page.locator("#command").fill("curl -u ann:hunter2 -H \"X: $TOKEN\" -d @body.json https://h.test/");
  await page.getByLabel("$TOKEN").fill("s3cret");
  await page.getByLabel("Hide secrets").check();
  await page.reload();
  await answers();
  // Browsers look for a new service worker after a visit, when they like.
  assert.deepEqual(record.sent.filter((line) => line !== `GET ${server.url}offline.js`), []);
  // And the policy would not let it.
  assert.ok(await page.evaluate(() => fetch("http://127.0.0.1:9/").then(() => false, () => true)));
  assert.ok(await page.evaluate(() => fetch("https://h.test/").then(() => false, () => true)));
  assert.deepEqual(record.sent.filter((line) => line !== `GET ${server.url}offline.js`), []);
});

test("a new version is announced, and a reload takes it", async () => {
  const first = await tagline();
  const next = publish("The second version");
  assert.equal(await update(), "installed");
  await page.locator("#new-version").waitFor();
  assert.equal(await tagline(), first, "the open page stays as it is");
  await answers();
  await page.reload();
  await page.locator(".tagline", { hasText: "The second version" }).waitFor();
  assert.ok(!await page.locator("#new-version").isVisible());
  assert.deepEqual(await page.evaluate(() => caches.keys()), [`uncoil ${server.url} ${next}`], "the first version is gone");
  server.stop();
  await context.setOffline(true);
  await page.reload();
  assert.equal(await tagline(), "The second version");
  await answers();
});

test("a reload takes a new version that is slow to begin", async () => {
  publish("The second version");
  const path = join(dir, "offline.js");
  const worker = readFileSync(path, "utf8");
  assert.ok(worker.includes(" skipWaiting();"));
  writeFileSync(path, worker.replace(" skipWaiting();", " setTimeout(skipWaiting, 60);"));
  assert.equal(await update(), "installed");
  await page.reload();
  await page.locator(".tagline", { hasText: "The second version" }).waitFor();
  await answers();
});

test("a new version is loaded by its button in all tabs", async () => {
  const other = await context.newPage();
  await other.goto(server.url);
  await other.waitForFunction(() => navigator.serviceWorker.controller);
  await other.locator("#command").fill("curl https://h.test/mine");
  publish("The second version");
  assert.equal(await update(), "installed");
  await page.reload();
  assert.notEqual(await tagline(), "The second version", "another tab has the first version still");
  await page.getByRole("button", { name: "Reload" }).click();
  await page.locator(".tagline", { hasText: "The second version" }).waitFor();
  assert.notEqual(await tagline(other), "The second version", "nobody reloads another tab");
  await other.getByRole("button", { name: "Reload" }).click();
  await other.locator(".tagline", { hasText: "The second version" }).waitFor();
  await other.waitForFunction(() => document.getElementById("command").value === "curl https://h.test/mine"); // when its script has run
  await answers(other);
});

test("a version of which a file is missing is not taken", async () => {
  const first = await tagline();
  const next = publish("Half a version");
  rmSync(join(dir, "page", next, "style.css"));
  assert.equal(await update(), "redundant");
  assert.ok(!await page.locator("#new-version").isVisible());
  await page.reload();
  assert.equal(await tagline(), first);
  await answers();
  // After the reload the browser may try again, and fail again.
  await page.waitForFunction((next) => caches.keys().then((names) => !names.some((name) => name.endsWith(next))), next);
});
