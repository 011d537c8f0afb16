// The service worker: keeps one version of the page for use without a network. A
// version is whole or not there: the page never gets files of two versions.
// web/web.go writes what belongs to it between the braces.
const { version, files, later } = {};

// A browser has one store for all sites of a host, so names begin with the scope.
const prefix = `uncoil ${registration.scope} `;
const name = prefix + version;
const index = registration.scope;
const absolute = (path) => new URL(path, registration.scope).href;
const kept = new Set([index, ...files.map(absolute)]);
const keptLater = new Set(later.map(absolute)); // when they are first used

addEventListener("install", (event) => event.waitUntil(install()));

async function install() {
  const cache = await caches.open(name);
  await cache.addAll([...kept]);
  const page = await (await cache.match(index)).text();
  if (files.some((path) => path.endsWith("/app.js") && !page.includes(path))) {
    await caches.delete(name);
    throw new Error("the page has another version by now");
  }
}

addEventListener("activate", (event) => event.waitUntil(activate()));

async function activate() {
  const old = (await caches.keys()).filter((other) => other.startsWith(prefix) && other !== name);
  await Promise.all(old.map((other) => caches.delete(other)));
  await clients.claim();
}

// The page asks for the new version when the user does.
addEventListener("message", ({ data }) => { if (data === "take over") skipWaiting(); });

addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  url.search = url.hash = "";
  if (event.request.method !== "GET" || !kept.has(url.href) && !keptLater.has(url.href)) return;
  event.respondWith(answer(url.href, event.request));
});

async function answer(url, request) {
  const cache = await caches.open(name);
  const found = await cache.match(url);
  if (found) return found;
  const response = await fetch(request);
  if (response.ok) await cache.put(url, response.clone());
  return response;
}
