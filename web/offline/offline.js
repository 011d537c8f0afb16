// The service worker: keeps one version of the page for use without a network. A
// version is whole or not there: the page never gets files of two versions.
// web/web.go writes what belongs to it between the braces.
const { version, files, pages } = {};

// A browser has one store for all sites of a host, so names begin with the scope.
const prefix = `uncoil ${registration.scope} `;
const name = prefix + version;
const index = registration.scope;
const languages = new Set(pages.map((path) => new URL(path, index).href));
const kept = new Set([index, ...files.map((path) => new URL(path, index).href)]);

addEventListener("install", (event) => event.waitUntil(install()));

async function install() {
  const cache = await caches.open(name);
  try {
    await cache.addAll([...kept]);
    const page = await (await cache.match(index)).text();
    const folders = new Set(files.map((path) => path.slice(0, path.lastIndexOf("/") + 1)));
    if ([...folders].some((folder) => !page.includes(folder))) throw new Error("the page has another version by now");
  } catch (error) {
    await caches.delete(name);
    throw error;
  }
}

addEventListener("activate", (event) => event.waitUntil(activate()));

async function activate() {
  const old = (await caches.keys()).filter((other) => other.startsWith(prefix) && other !== name);
  await Promise.all(old.map((other) => caches.delete(other)));
  await clients.claim();
}

addEventListener("message", ({ data }) => { if (data === "take over") skipWaiting(); });

addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  url.search = url.hash = "";
  if (event.request.method !== "GET") return;
  // The page of a language is the index but for its words, which stands in for it.
  if (languages.has(url.href)) event.respondWith(fetch(event.request).then((response) => response.ok ? response : find(index), () => find(index)));
  if (!kept.has(url.href)) return;
  event.respondWith(url.href === index ? load() : find(url.href, event.request));
});

// load answers a visit or a reload. Where no other tab shows the page, a new
// version that waits takes over first.
async function load() {
  if (registration.waiting && (await clients.matchAll()).length < 2) return new Response(handOver, { headers: { "Content-Type": "text/html" } });
  return find(index);
}

// handOver is an empty page that lets the new version take over, and loads the
// page again when it has. It is the page that asks, since the new version cannot
// begin while this one answers a request. It has no icon to ask for: a request
// would wake this one again, and Chromium then waits until it has idled for 30
// seconds.
const handOver = `<!doctype html><title>uncoil</title><link rel="icon" href="data:,"><script>
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
  navigator.serviceWorker.ready.then(({ waiting }) => waiting ? waiting.postMessage("take over") : location.reload());
</script>`;

async function find(url, request = url) {
  return await (await caches.open(name)).match(url) ?? fetch(request);
}
