// Starts the service and Debian's Chromium for the tests of the page.
import { spawn, execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, request as send } from "node:http";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import playwright from "playwright-core";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

// build compiles the service with the page and its engine in it.
export function build() {
  const dir = mkdtempSync(join(tmpdir(), "uncoil-page-"));
  if (!existsSync(join(root, "web/engine/uncoil.wasm.br"))) throw new Error("the engine is not built: run  go generate ./web  first");
  execFileSync("go", ["build", "-o", join(dir, "uncoil"), "./cmd/uncoil"], { cwd: root, stdio: "inherit" });
  return { program: join(dir, "uncoil"), remove: () => rmSync(dir, { recursive: true, force: true }) };
}

// bare compiles the service as from a checkout in which the engine was not built.
export function bare() {
  const dir = mkdtempSync(join(tmpdir(), "uncoil-page-"));
  const engine = join(root, "web/engine");
  const absent = readdirSync(engine, { recursive: true }).filter((name) => !name.endsWith(".gitignore") && statSync(join(engine, name)).isFile());
  writeFileSync(join(dir, "overlay.json"), JSON.stringify({ Replace: Object.fromEntries(absent.map((name) => [join(engine, name), ""])) }));
  execFileSync("go", ["build", "-overlay", join(dir, "overlay.json"), "-o", join(dir, "uncoil"), "./cmd/uncoil"], { cwd: root, stdio: "inherit" });
  return { program: join(dir, "uncoil"), remove: () => rmSync(dir, { recursive: true, force: true }) };
}

// serve runs the service on a free port of the loopback interface.
export async function serve(program, ...flags) {
  const service = spawn(program, ["serve", "-addr", "127.0.0.1:0", ...flags], { stdio: ["ignore", "ignore", "pipe"] });
  const url = await new Promise((resolve, reject) => {
    let log = "";
    service.stderr.on("data", (data) => {
      log += data;
      const found = /127\.0\.0\.1:\d+/.exec(log);
      if (found && !found[0].endsWith(":0")) resolve(`http://${found[0]}/`);
    });
    service.on("exit", () => reject(new Error(`the service ended: ${log}`)));
  });
  return { url, stop: () => service.kill() };
}

// site writes the page as plain files into a new folder.
export function site() {
  const dir = mkdtempSync(join(tmpdir(), "uncoil-site-"));
  execFileSync("go", ["run", "./web/site", dir], { cwd: root, stdio: "inherit" });
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

async function listen(server) {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${server.address().port}`;
}

// host serves a folder as plain hosts do, which know nothing of WebAssembly.
export async function host(dir, path = "/") {
  const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".txt": "text/plain" };
  const server = createServer((request, response) => {
    const asked = new URL(request.url, "http://h").pathname;
    const file = join(dir, asked.startsWith(path) ? asked.slice(path.length) || "index.html" : "absent");
    if (!existsSync(file)) return response.writeHead(404).end();
    response.setHeader("Content-Type", types[extname(file)] ?? "application/octet-stream");
    response.setHeader("Cache-Control", "no-cache");
    response.end(readFileSync(file));
  });
  return { url: await listen(server) + path, stop: () => server.close() };
}

// recorder is a proxy that notes what is sent from the contexts that use it,
// whoever sends it: page, worker or service worker.
export async function recorder() {
  const sent = []; // "METHOD URL"
  const server = createServer((request, response) => {
    sent.push(`${request.method} ${request.url}`);
    const { hostname, port, pathname, search } = new URL(request.url);
    request.pipe(send({ hostname, port, path: pathname + search, method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    }).on("error", () => response.writeHead(502).end()));
  });
  server.on("connect", (request, socket) => {
    sent.push(`CONNECT ${request.url}`);
    socket.end("HTTP/1.1 502 Refused\r\n\r\n");
  });
  return { sent, proxy: { server: await listen(server), bypass: "<-loopback>" }, stop: () => server.close() };
}

// launch starts a browser. What it would ask of its maker's hosts by itself finds
// no address, so that nothing leaves the machine.
export async function launch() {
  const executablePath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
  if (!executablePath) throw new Error("Chromium is not installed: apt-get install chromium, or name it in CHROMIUM");
  return playwright.chromium.launch({
    executablePath,
    headless: true,
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
      "--disable-features=AutofillServerCommunication", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
    ],
  });
}

// firefox starts Debian's Firefox, which speaks WebDriver BiDi. All but this machine is
// behind a proxy that is not there.
export async function firefox() {
  const executablePath = process.env.FIREFOX ?? ["/usr/bin/firefox-esr", "/usr/bin/firefox"].find(existsSync);
  if (!executablePath) throw new Error("Firefox is not installed: apt-get install firefox-esr, or name it in FIREFOX");
  return playwright._bidiFirefox.launch({
    executablePath,
    headless: true,
    firefoxUserPrefs: { "network.proxy.type": 1, "network.proxy.http": "127.0.0.1", "network.proxy.http_port": 9, "network.proxy.ssl": "127.0.0.1", "network.proxy.ssl_port": 9, "network.proxy.no_proxies_on": "127.0.0.1, localhost" },
  });
}

// started waits until the engine of a page answers, if it has one. Until then the
// view is empty, or reads that the engine is loading.
export const started = (page) => page.waitForFunction(() => {
  const view = document.querySelector("[role=tabpanel]:not([hidden])");
  return !view || view.innerText !== "" && !view.innerText.includes("The engine is loading");
});
