// The package in runtimes and a framework that are too large for each run of the tests:
// Deno, Bun, workerd and Next, which npm installs in a scratch folder.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(dirname(fileURLToPath(import.meta.url)));
let dir;

const run = (program, args, options) => execFileSync(program, args, { cwd: dir, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], timeout: 600_000, ...options });

before(() => {
  dir = mkdtempSync(join(tmpdir(), "uncoil-runtimes-"));
  const pack = (cwd, ...options) => {
    const [{ filename }] = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", dir, ...options], { cwd }).replace(/^[^[]*/, ""));
    return join(dir, filename);
  };
  const packed = [pack(here), pack(join(here, "parse"), "--ignore-scripts")]; // one build makes both
  writeFileSync(join(dir, "package.json"), '{"private": true}');
  run("npm", ["install", "--no-audit", "--no-fund", ...packed, "deno@2.9.6", "bun@1.4.5", "miniflare@4.20260426.0", "esbuild@0.28.2", "next@16.4.6", "react@19", "react-dom@19"]);
  writeFileSync(join(dir, "sync.mjs"), `
import { loadSync } from "uncoil";
import { toPython } from "uncoil/curlconverter";
import { HTTPSnippet } from "uncoil/httpsnippet";
import { loadSync as parser } from "uncoil-parse";
console.log([loadSync(), parser()].map((engine) => engine.convert("curl h.test").url).join(), toPython("curl h.test").includes("requests.get"), new HTTPSnippet({ url: "http://h.test" }).convert("shell"));
`);
  writeFileSync(join(dir, "later.mjs"), 'import { convert } from "uncoil";\nconsole.log((await convert("curl h.test")).url);');
});

after(() => rmSync(dir, { recursive: true, force: true }));

const printed = "http://h.test,http://h.test true curl http://h.test\n";
const bin = (name) => join(dir, "node_modules", ".bin", name);

test("Deno, with the right to read and without", () => {
  assert.equal(run(bin("deno"), ["run", "--allow-read", "sync.mjs"]), printed);
  assert.equal(run(bin("deno"), ["run", "later.mjs"]), "http://h.test\n");
});

test("Bun", () => {
  assert.equal(run(bin("bun"), ["sync.mjs"]), printed);
});

// What a worker says, bundled as Wrangler does it, which leaves the engine a module.
async function worked(source, limit) {
  const require = createRequire(join(dir, "x.js"));
  const { build } = await import(pathToFileURL(require.resolve("esbuild")));
  const { Miniflare } = await import(pathToFileURL(require.resolve("miniflare")));
  writeFileSync(join(dir, "worker.mjs"), source);
  const { outputFiles: [{ text }] } = await build({ entryPoints: [join(dir, "worker.mjs")], bundle: true, format: "esm", external: ["*.wasm"], conditions: ["workerd", "worker", "browser"], write: false });
  assert.ok(text.length < limit, `${text.length} bytes`);
  const worker = new Miniflare({
    modules: [
      { type: "ESModule", path: "worker.js", contents: text },
      { type: "CompiledWasm", path: "uncoil.wasm", contents: readFileSync(join(dir, "node_modules/uncoil/dist/uncoil.wasm")) },
    ],
  });
  try {
    return await (await worker.dispatchFetch("http://h.test/")).text();
  } finally {
    await worker.dispose();
  }
}

test("workerd, with the module of the engine", async () => {
  assert.equal(await worked(`
import { code, load } from "uncoil/slim";
import wasm from "./uncoil.wasm";
export default { async fetch() { await load(wasm); return new Response((await code("curl h.test", "python", { bare: true })).code); } };
`, 60_000), 'response = requests.get("http://h.test")\n');
});

test("workerd, what answers at once in place of other packages", async () => {
  assert.equal(await worked(`
import { load, toHTTP } from "uncoil/curlconverter";
import { HTTPSnippet } from "uncoil/httpsnippet";
export default { async fetch() { return new Response([toHTTP("curl h.test").split("\\r\\n")[0], new HTTPSnippet({ url: "http://h.test" }).convert("shell"), (await load()).convert("curl h.test").url].join()); } };
`, 60_000), "GET / HTTP/1.1,curl http://h.test,http://h.test");
});

test("Next, on the server and in the page", () => {
  mkdirSync(join(dir, "app"));
  writeFileSync(join(dir, "app", "layout.js"), "export default ({ children }) => <html><body>{children}</body></html>;");
  writeFileSync(join(dir, "app", "client.js"), `"use client";
import { convert } from "uncoil";
export const Client = () => <button onClick={async () => alert((await convert("curl h.test")).url)} />;
`);
  writeFileSync(join(dir, "app", "page.js"), `
import { convert } from "uncoil";
import { toPython } from "uncoil/curlconverter";
import { Client } from "./client";
export default async () => <p>{(await convert("curl h.test/one")).url} {toPython("curl h.test/two")}<Client /></p>;
`);
  run(process.execPath, ["node_modules/next/dist/bin/next", "build"], { env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" } });
  const page = readFileSync(join(dir, ".next/server/app/index.html"), "utf8");
  for (const text of ["http://h.test/one", "http://h.test/two"]) assert.ok(page.includes(text), text);
});
