// The package and uncoil-parse as their users get them: packed, installed into an empty
// folder, and used from there.
import assert from "node:assert/strict";
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { launch } from "../../web/browser.mjs";
import { bundlerTests } from "./bundlers.mjs";
import { curlconverterTests } from "./curlconverter.mjs";
import { doorTests } from "./doors.mjs";
import { httpsnippetTests } from "./httpsnippet.mjs";
import { remarkTests } from "./remark.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(here));
let dir;

before(() => {
  dir = mkdtempSync(join(tmpdir(), "uncoil-npm-"));
  const npm = (args, cwd) => execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  // One build makes both.
  const pack = (folder, engine, ...options) => {
    const [{ filename, files }] = JSON.parse(npm(["pack", "--json", "--pack-destination", dir, ...options], folder).replace(/^[^[]*/, ""));
    const names = files.map(({ path }) => path).sort();
    assert.deepEqual(names.filter((name) => !name.startsWith("dist/")), ["README.md", "package.json"]);
    for (const name of ["LICENSE", "LICENSES.txt", "index.mjs", "index.cjs", engine]) assert.ok(names.includes(`dist/${name}`), name);
    return join(dir, filename);
  };
  const packed = [pack(dirname(here), "uncoil.wasm"), pack(join(dirname(here), "parse"), "parse.wasm", "--ignore-scripts")];
  writeFileSync(join(dir, "package.json"), '{"private": true}');
  // Offline: it needs nothing but itself.
  npm(["install", "--offline", "--no-audit", "--no-fund", ...packed], dir);
  assert.deepEqual(readdirSync(join(dir, "node_modules")).filter((name) => !name.startsWith(".")), ["uncoil", "uncoil-parse"]);
});

after(() => rmSync(dir, { recursive: true, force: true }));

// What each of them is to print. The last line shows that nothing keeps the
// program alive and nothing became global.
const expected = [
  '{"method":"POST","url":"http://h.test","headers":{"Content-Type":"application/x-www-form-urlencoded"},"data":"a=ü"}',
  '{"id":12345678901234567890}',
  '"unknown-option 1:6 did you mean --header?"',
  '"//8="',
  '"posix 3"',
  '"cmd"',
  '"bad-request"',
  '"response = requests.get(\\"http://h.test\\", headers={\\"A\\": \\"$B\\"})\\n"',
  '"unknown-target did you mean python?"',
  '"different query b 1 2, option insecure  true"',
  '"not-curl b"',
  "true",
  "[]",
];

const program = `
const globals = new Set(Object.getOwnPropertyNames(globalThis));
const print = (value) => console.log(JSON.stringify(value));
print(await convert("curl -d a=ü h.test"));
console.log(/"data":(.*)\\}$/.exec(await convertText("curl -d '{\\"id\\": 12345678901234567890}' h.test"))[1]);
await convert("curl --hedaer x h.test").catch((e) => print(e instanceof UncoilError && e instanceof Error && [e.code, e.line + ":" + e.column, e.hint].join(" ")));
print((await parse("curl --data-binary @f h.test", { files: { f: new Uint8Array([255, 255]) } })).requests[0].body.base64);
const engine = await load();
const several = engine.parse("curl h.test/[1-3]");
print(several.shell + " " + several.requests.length);
print(engine.parse("curl h.test", { shell: "cmd" }).shell);
try { engine.convert("curl h.test", { shell: "tcsh" }); } catch (e) { print(e.code); }
print((await code('curl h.test -H "A: $B"', "python", { bare: true, variables: "keep", indent: "\\t" })).code);
await code("curl h.test", "pyton").catch((e) => print(e.code + " " + e.hint));
const changed = await diff({ curl: "curl h.test/$A", env: { A: "a?b=1" } }, "curl -k 'h.test/a?b=2'");
print(changed.verdict + " " + changed.differences.map((d) => [d.kind, d.name, d.a, d.b].join(" ")).join(", "));
await diff("curl h.test", "crl h.test").catch((e) => print(e.code + " " + e.problem.member));
print((await targets()).some((t) => t.name === engine.code("curl h.test", "node").target));
print(Object.getOwnPropertyNames(globalThis).filter((name) => !globals.has(name)));
`;
const names = "code, convert, convertText, diff, load, loadSync, parse, targets, UncoilError";
const esm = `import { ${names} } from "uncoil";\n${program}`;
const cjs = `const { ${names} } = require("uncoil");\n(async () => {${program}})();`;

const lines = (text) => text.trim().split("\n");

test("Node, ESM", () => {
  writeFileSync(join(dir, "use.mjs"), esm);
  assert.deepEqual(lines(execFileSync(process.execPath, ["use.mjs"], { cwd: dir, encoding: "utf8", timeout: 60_000 })), expected);
});

test("Node, CommonJS", () => {
  writeFileSync(join(dir, "use.cjs"), cjs);
  assert.deepEqual(lines(execFileSync(process.execPath, ["use.cjs"], { cwd: dir, encoding: "utf8", timeout: 60_000 })), expected);
});

test("Node, a worker thread", () => {
  writeFileSync(join(dir, "thread.mjs"), 'import { Worker } from "node:worker_threads";\nnew Worker(new URL("use.mjs", import.meta.url));');
  assert.deepEqual(lines(execFileSync(process.execPath, ["thread.mjs"], { cwd: dir, encoding: "utf8", timeout: 60_000 })), expected);
});

test("Node without the file beside the script, as bundlers leave it, or with it alone", () => {
  for (const without of ["uncoil.wasm", "engine.mjs"]) {
    const bundled = join(dir, "without-" + without);
    cpSync(join(dir, "node_modules"), join(bundled, "node_modules"), { recursive: true });
    rmSync(join(bundled, "node_modules/uncoil/dist", without));
    for (const name of ["use.cjs", "use.mjs"]) {
      cpSync(join(dir, name), join(bundled, name));
      assert.deepEqual(lines(execFileSync(process.execPath, [name], { cwd: bundled, encoding: "utf8", timeout: 60_000 })), expected);
    }
  }
});

const synchronous = `
const print = (f) => { try { console.log(f()); } catch (e) { console.log(e.name + ": " + e.message); } };
if (process.argv[2] === "elsewhere") process.getBuiltinModule = undefined;
print(() => loadSync().convert("curl h.test").url);
print(() => loadSync() === loadSync());
print(() => loadSync().convert("curl --hedaer x h.test"));
const again = async () => {
  const engine = await load();
  print(() => engine === loadSync() && engine.convert("curl h.test").url);
};
again();
`;

test("Node, at once", () => {
  writeFileSync(join(dir, "sync.mjs"), `import { load, loadSync } from "uncoil";\n${synchronous}`);
  writeFileSync(join(dir, "sync.cjs"), `const { load, loadSync } = require("uncoil");\n${synchronous}`);
  for (const name of ["sync.mjs", "sync.cjs"]) {
    const run = (where) => lines(execFileSync(process.execPath, [name, where], { cwd: dir, encoding: "utf8", timeout: 60_000 }));
    assert.deepEqual(run("here"), ["http://h.test", "true", "UncoilError: curl has no option --hedaer", "http://h.test"]);
    const none = "Error: the file of the engine is not beside the script, or this host reads no files: use  await load()";
    assert.deepEqual(run("elsewhere"), [none, none, none, "http://h.test"]);
  }
});

test("Node, the engine from a file, from bytes and compiled", () => {
  writeFileSync(join(dir, "load.mjs"), `
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { load, loadSync } from "uncoil";
const bytes = readFileSync(createRequire(import.meta.url).resolve("uncoil/uncoil.wasm"));
const response = new Response(bytes, { headers: { "Content-Type": "application/wasm" } });
for (const source of [bytes, response, Promise.resolve(new WebAssembly.Module(bytes))]) {
  console.log((await load(source)).convert("curl h.test").url);
}
await load(new Uint8Array(3)).catch((e) => console.log(e instanceof WebAssembly.CompileError));
console.log((await load()).convert("curl h.test").url);
for (const source of [bytes, new WebAssembly.Module(bytes)]) console.log(loadSync(source).convert("curl h.test").url);
`);
  const url = "http://h.test";
  assert.deepEqual(lines(execFileSync(process.execPath, ["load.mjs"], { cwd: dir, encoding: "utf8" })), [url, url, url, "true", url, url, url]);
});

// A function call for each character of the engine took most of the time of a start.
test("Node, the engine in a script is decoded and unpacked by Node itself; elsewhere without zlib", () => {
  writeFileSync(join(dir, "start.mjs"), `
import { convert } from "uncoil";
if (process.argv[2] === "node") {
  const { getBuiltinModule } = process;
  process.getBuiltinModule = (name) => name !== "node:fs" && getBuiltinModule(name); // no file, as in a bundle
  globalThis.atob = globalThis.DecompressionStream = () => { throw new Error("not for Node"); };
} else {
  process.getBuiltinModule = undefined; // as before Node 20.16, and in browsers, which have no Buffer either
}
console.log((await convert("curl h.test")).url);
`);
  for (const host of ["node", "elsewhere"]) {
    assert.deepEqual(lines(execFileSync(process.execPath, ["start.mjs", host], { cwd: dir, encoding: "utf8" })), ["http://h.test"]);
  }
});

test("Node, an engine that runs out of memory fails one call only", () => {
  writeFileSync(join(dir, "memory.mjs"), `
import { convert, load } from "uncoil";
const engine = await load();
for (let i = 0; i < 2; i++) {
  try { engine.convert("curl h.test -d '" + "x".repeat(50e6) + "'"); } catch (e) { console.log(e.message); }
  console.log(engine.convert("curl h.test").url, (await convert("curl g.test")).url);
}
`);
  const out = execFileSync(process.execPath, ["--wasm-max-mem-pages=800", "memory.mjs"], { cwd: dir, encoding: "utf8", timeout: 60_000, stdio: ["ignore", "pipe", "ignore"] });
  const failed = "the engine failed at this command; the next call starts it anew";
  const next = "http://h.test http://g.test";
  assert.deepEqual(lines(out).filter((line) => [failed, next].includes(line)), [failed, next, failed, next]);
});

test("Node, memory stays bounded after long texts", () => {
  writeFileSync(join(dir, "bounded.mjs"), `
import { load } from "uncoil";
const engine = await load();
const long = "curl h.test" + " -H 'a: b'".repeat(1e5);
for (let i = 0; i < 12; i++) engine.parseText(long);
console.log(engine.convert("curl h.test").url);
`);
  // 256 MiB, which would be full after six texts if garbage stayed.
  assert.equal(execFileSync(process.execPath, ["--wasm-max-mem-pages=4096", "bounded.mjs"], { cwd: dir, encoding: "utf8", timeout: 120_000 }), "http://h.test\n");
});

test("options that do not exist, files in a Map, and messages without places in JSON", async () => {
  writeFileSync(join(dir, "options.mjs"), `
import { convert } from "uncoil";
const said = async (options) => convert("curl -d @f h.test", options).then((answer) => answer.data, (error) => error.name + ": " + error.message);
console.log(await said({ shel: "cmd" }));
console.log(await said({ files: new Map([["f", "x"]]) }));
console.log(await said({ files: { f: 5 } }));
`);
  const [unknown, map, wrong] = lines(execFileSync(process.execPath, ["options.mjs"], { cwd: dir, encoding: "utf8", timeout: 60_000 }));
  assert.match(unknown, /^TypeError: there is no option shel; the options are files, /);
  assert.equal(map, "x");
  assert.equal(wrong, 'UncoilError: the member files["f"] must be a string or {"base64": "…"}, not a number');
});

test("its command line", () => {
  const run = (args, input = "") => {
    const { status, stdout, stderr } = spawnSync(join(dir, "node_modules", ".bin", "uncoil"), args, { cwd: dir, input, encoding: "utf8", timeout: 60_000 });
    return { status, stdout, stderr };
  };
  const get = '{"method":"GET","url":"http://h.test","headers":{},"data":null}\n';
  assert.deepEqual(run(["curl h.test"]), { status: 0, stdout: get, stderr: "" });
  assert.deepEqual(run([], "curl h.test"), { status: 0, stdout: get, stderr: "" });
  assert.deepEqual(run(["convert", "-env", "H=h.test", "curl $H"]), { status: 0, stdout: get, stderr: "" });
  assert.equal(JSON.parse(run(["parse", "curl -L h.test"]).stdout).requests[0].options.followRedirects, true);
  assert.equal(run(["code", "-to", "python", "--bare", "curl h.test"]).stdout, 'response = requests.get("http://h.test")\n');
  assert.match(run(["targets"]).stdout, /^python-requests +code +requests /m);
  assert.deepEqual(run(["curl --hedaer\u001b x h.test"]), {
    status: 1, stdout: "",
    stderr: "1:6: unknown-option: curl has no option --hedaer\ncurl --hedaer\ufffd x h.test\n     ^\nhint: did you mean --header?\n",
  });
  const doubtful = run(["curl -d '{\"a\":1}' h.test"]);
  assert.deepEqual([doubtful.status, run(["-q", "curl -d '{\"a\":1}' h.test"]).stderr], [0, ""]);
  assert.equal(run(["code", "curl h.test"]).status, 2);
  assert.equal(run(["code", "--to", "pyton", "curl h.test"]).stderr, 'unknown-target: there is no target "pyton"\nhint: did you mean python?\n');
  assert.equal(run(["code", "--to", "pyton", "curl h.test"]).status, 2);
  // Flags stand before or after the command, and what follows the word curl is curl's.
  assert.equal(run(["code", "-to", "curl", "curl", "-d", "a b", "h.test"]).stdout, "curl http://h.test -d 'a b'\n");
  assert.equal(JSON.parse(run(["curl --json '[1, 2]' h.test", "-data", "text", "-q"]).stdout).data, "[1, 2]");
  assert.equal(run(["curl h.test/?a=1&b=2", "-fail-on", "doubt", "-q"]).status, 1);
  assert.deepEqual(run(["-shell", "bash", "curl h.test"]), { status: 0, stdout: get, stderr: "" });
  assert.equal(run(["-fail-on", "advice", "curl h.test"]).status, 2);
  assert.equal(run(["--nope"]).status, 2);
  assert.match(run(["--help"]).stdout, /^Usage:/);
  assert.equal(run(["--version"]).stdout, run(["version"]).stdout);
  // A target is a subcommand, and the name of a file stands for its text.
  assert.equal(run(["python", "--bare", "curl h.test"]).stdout, 'response = requests.get("http://h.test")\n');
  assert.equal(run(["python", "--bare", "curl", "h.test"]).stdout, 'response = requests.get("http://h.test")\n');
  writeFileSync(join(dir, "command.sh"), "\ufeffcurl h.test\n");
  assert.deepEqual(run(["command.sh"]), { status: 0, stdout: get, stderr: "" });
  assert.match(run(["pythn", "curl h.test"]).stderr, /several arguments/);
  // What else the program uncoil has is there, or is said to be elsewhere.
  assert.match(run(["explain", "curl -d a h.test"]).stdout, /^-d +/);
  assert.equal(run(["batch"], "curl h.test\n").stdout, `{"id":null,"result":${get.trim()}}\n`);
  assert.deepEqual(run(["mcp"]), { status: 2, stdout: "", stderr: "uncoil: uncoil mcp is not for JavaScript\n" });
});

for (const [name, args] of [["deno", ["run", "--allow-read", "use.mjs"]], ["bun", ["use.mjs"]]]) {
  const installed = spawnSync(name, ["--version"]).status === 0;
  test(name, { skip: !installed && `${name} is not installed` }, () => {
    writeFileSync(join(dir, "use.mjs"), esm);
    assert.deepEqual(lines(execFileSync(name, args, { cwd: dir, encoding: "utf8", timeout: 60_000 })), expected);
  });
}

test("a browser, its page and a worker, without a bundler", async () => {
  writeFileSync(join(dir, "index.html"), '<!doctype html><link rel="icon" href="data:,">');
  const direct = `const printed = [];\nconst console = { log: (line) => printed.push(line) };\n${esm.replace('"uncoil"', '"/node_modules/uncoil/dist/index.mjs"')}`;
  writeFileSync(join(dir, "page.mjs"), `${direct}\nexport default printed;`);
  writeFileSync(join(dir, "worker.mjs"), `${direct}\npostMessage(printed);`);
  const types = { ".html": "text/html", ".mjs": "text/javascript" };
  const server = createServer((request, response) => {
    const name = request.url === "/" ? "/index.html" : request.url;
    response.setHeader("Content-Type", types[extname(name)] ?? "application/octet-stream");
    response.end(readFileSync(join(dir, name)));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    assert.deepEqual(await page.evaluate(async () => (await import("/page.mjs")).default), expected);
    assert.deepEqual(await page.evaluate(() => new Promise((resolve) => {
      new Worker("/worker.mjs", { type: "module" }).onmessage = ({ data }) => resolve(data);
    })), expected);
    const python = await page.evaluate(async () => (await import("/node_modules/uncoil/dist/curlconverter_browser.mjs")).toPython("curl h.test"));
    assert.match(python, /^import requests$/m);
  } finally {
    await browser.close();
    server.close();
  }
});

for (const [module, moduleResolution, name] of [["nodenext", "nodenext", "types.mts"], ["nodenext", "nodenext", "types.cts"], ["esnext", "bundler", "types.ts"]]) {
  test(`TypeScript, ${moduleResolution}, ${name}`, async () => {
    const source = readFileSync(join(here, "types.ts"), "utf8");
    writeFileSync(join(dir, name), source);
    // No types of the DOM or of Node, which not every user has.
    const compilerOptions = { noEmit: true, strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, target: "es2022", lib: ["es2022"], types: [], module, moduleResolution };
    writeFileSync(join(dir, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [name] }));
    const tsc = join(root, "web", "node_modules", "typescript", "bin", "tsc");
    await promisify(execFile)(process.execPath, [tsc], { cwd: dir })
      .catch(({ stdout }) => assert.fail(stdout));
  });
}

// Each block of these documents that says what it prints.
test("the examples of the documents do what they say", () => {
  const documents = [["npm/README.md", 2], ["npm/parse/README.md", 1], ["docs/curlconverter.md", 1], ["docs/httpsnippet.md", 1]];
  for (const [document, least] of documents) {
    const blocks = [...readFileSync(join(root, document), "utf8").matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code).filter((code) => code.includes("// →"));
    assert.ok(blocks.length >= least, document);
    for (const code of blocks) {
      const name = /^import /m.test(code) ? "example.mjs" : "example.cjs";
      writeFileSync(join(dir, name), code);
      const want = [...code.matchAll(/^\s*\/\/ → (.*)$/gm)].map(([, line]) => line);
      assert.deepEqual(lines(execFileSync(process.execPath, [name], { cwd: dir, encoding: "utf8" })), want, document);
    }
  }
});

test("what reads files", () => {
  const run = (args, input) => spawnSync(process.execPath, ["node_modules/uncoil/dist/cli.mjs", ...args], { cwd: dir, encoding: "utf8", input });
  mkdirSync(join(dir, "docs"));
  const file = join(dir, "docs", "ä b.md");
  writeFileSync(file, "```sh\ncurl --urls https://h.test\n```\n");
  let { status, stdout, stderr } = run(["lint", "-format", "json", "docs"]);
  assert.deepEqual([status, JSON.parse(stdout).file, JSON.parse(stdout).code, stderr], [1, "docs/ä b.md", "unknown-option", "uncoil: 1 finding in 1 command of 1 file\n"]);
  ({ status, stdout, stderr } = run(["lint", "-fix", "docs"]));
  assert.equal(readFileSync(file, "utf8"), "```sh\ncurl --url https://h.test\n```\n", stdout + stderr);
  ({ status } = run(["lint", "docs"]));
  assert.equal(status, 0);
  writeFileSync(file, "```sh\ncurl https://h.test\n```\n<!-- uncoil-snippets: wget -->\n");
  ({ status, stderr } = run(["snippets", "-check", "docs"]));
  assert.equal(status, 1, stderr);
  ({ status } = run(["snippets", "docs"]));
  assert.match(readFileSync(file, "utf8"), /\n```sh\nwget -qO- https:\/\/h\.test\n```\n\n<!-- uncoil-snippets-end: [0-9a-f]{8} -->\n$/);
  assert.match(run(["extract"], "curl h.test\n").stdout, /"curl":"curl h.test"/);
  assert.equal(run(["lint", "nothing.md"]).status, 2);
  assert.equal(run(["fmt", "-x"]).status, 2);
  assert.match(run(["lint", "-h"]).stdout, /^Usage: uncoil lint/);
});

test("bundlers", (t) => bundlerTests(t, dir));

test("the other doors", (t) => doorTests(t, dir));

test("curlconverter's functions", (t) => curlconverterTests(t, dir));

test("httpsnippet's functions", (t) => httpsnippetTests(t, dir));

test("the plugin for remark", (t) => remarkTests(t, root, dir));

// The engine of the page has a limit of its own, in web/build.
test("what is installed has its engine as a file and as text, the command line once, and little else", () => {
  for (const [name, file, limit, most] of [["uncoil", "uncoil.wasm", 4_130_000, 400 << 10], ["uncoil-parse", "parse.wasm", 2_050_000, 300 << 10]]) {
    const dist = join(dir, "node_modules", name, "dist");
    const { [file]: raw, "engine.mjs": text, "files.wasm.br": files = 0, ...others } = Object.fromEntries(readdirSync(dist).map((name) => [name, statSync(join(dist, name)).size]));
    const zipped = gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;
    assert.ok(zipped > 1 << 20 && zipped < limit, `${file} has ${zipped} of ${raw} bytes with gzip`);
    assert.ok(text < zipped * 4 / 3 + 1024, `the text has ${text} bytes for the ${zipped} of the engine`);
    assert.ok(files < 4_760_000, `${files} bytes`);
    const rest = Object.values(others).reduce((sum, size) => sum + size, 0);
    assert.ok(rest < most, `${name}: ${rest} bytes`);
  }
});
