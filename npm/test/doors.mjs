// The doors of the package beside the main one, and uncoil-parse.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Tests the doors of the package that is installed in a folder. */
export async function doorTests(t, dir) {
  // Runs a program as ESM and as CommonJS, in which it is the same.
  const run = (imports, body) => {
    const common = Object.entries(imports).map(([from, names]) => `const { ${names.replaceAll(" as", ":")} } = require("${from}");\n`).join("");
    const modern = Object.entries(imports).map(([from, names]) => `import { ${names} } from "${from}";\n`).join("");
    const text = `const said = async (f) => { try { console.log(await f()); } catch (e) { console.log(e.name + ": " + e.message); } };\n(async () => {${body}})();`;
    const outputs = [["mjs", modern], ["cjs", common]].map(([extension, head]) => {
      writeFileSync(join(dir, `door.${extension}`), head + text);
      return execFileSync(process.execPath, [`door.${extension}`], { cwd: dir, encoding: "utf8", timeout: 60_000 });
    });
    assert.equal(outputs[0], outputs[1]);
    return outputs[0].trim().split("\n");
  };

  await t.test("slim", () => {
    const none = "Error: uncoil/slim has no engine: first  await load(wasm)  with uncoil/uncoil.wasm or uncoil-parse/parse.wasm";
    const file = (name) => JSON.stringify(join(dir, "node_modules", name));
    const output = run({ "uncoil/slim": "code, convert, load, loadSync, parse, targets, UncoilError", "node:fs": "readFileSync" }, `
await said(() => convert("curl h.test"));
await said(() => loadSync());
await said(() => load());
const small = loadSync(new WebAssembly.Module(readFileSync(${file("uncoil-parse/dist/parse.wasm")})));
await said(() => small.convert("curl h.test").url);
await said(() => small.code("curl h.test", "python"));
await said(() => small.convert("curl h.test/again").url);
await said(async () => (await load(readFileSync(${file("uncoil/dist/uncoil.wasm")}))).code("curl h.test", "python", { bare: true }).code.trim());
await said(() => loadSync() === small);
await said(async () => (await parse("curl h.test")).requests.length);
await said(() => convert("curl --hedaer x h.test").catch((e) => e instanceof UncoilError));
await said(() => targets());
`);
    const programs = "Error: this engine writes no programs: load uncoil/uncoil.wasm";
    assert.deepEqual(output, [none, none, none, "http://h.test", programs, "http://h.test/again", 'response = requests.get("http://h.test")', "true", "1", "true", programs]);
  });

  // A bundle has what is imported from here, and nothing else.
  const imported = (...names) => {
    const found = new Set();
    const follow = (name) => {
      if (found.has(name)) return;
      found.add(name);
      if (name.endsWith(".wasm")) return;
      const text = readFileSync(join(dir, "node_modules/uncoil/dist", name), "utf8");
      for (const [, next] of text.matchAll(/(?:from|import|import\(|require\()\s*"\.\/([^"]+)"/g)) follow(next);
    };
    names.forEach(follow);
    return found;
  };

  await t.test("workers import the engine once, as a module", () => {
    const found = imported("curlconverter_worker.mjs", "httpsnippet_worker.mjs");
    assert.ok(found.has("uncoil.wasm") && found.has("worker.mjs"), [...found].join());
    assert.deepEqual([...found].filter((name) => /^(engine|index|read)\./.test(name)), []);
  });

  await t.test("slim imports no engine", () => {
    const found = imported("slim.mjs", "slim.cjs");
    assert.deepEqual([...found].sort(), ["core", "functions", "go", "slim"].flatMap((name) => [`${name}.cjs`, `${name}.mjs`]));
    const size = [...found].reduce((sum, name) => sum + statSync(join(dir, "node_modules/uncoil/dist", name)).size, 0);
    assert.ok(size < 80_000, `${size} bytes`);
  });

  await t.test("parse", () => {
    const output = run({ "uncoil-parse": "convert, convertText, load, loadSync, parse, parseText, UncoilError", uncoil: "loadSync as all" }, `
const commands = ["curl -d a=ü h.test", "curl -u a:b --json '{\\"n\\": 12345678901234567890}' h.test/[1-3]", "http POST h.test a=b"];
const whole = all();
await said(() => commands.every((one) => loadSync().parseText(one) === whole.parseText(one)));
await said(async () => (await convert("curl h.test")).url + " " + (await load() === loadSync()));
await said(async () => (await convertText("curl h.test")) === whole.convertText("curl h.test"));
await said(async () => (await parse("curl h.test")).requests[0].method);
await said(() => convert("curl --hedaer x h.test").catch((e) => e instanceof UncoilError && e.hint));
await said(() => loadSync().code("curl h.test", "python"));
`);
    assert.deepEqual(output, ["true", "http://h.test true", "true", "GET", "did you mean --header?", "Error: this engine writes no programs: load uncoil/uncoil.wasm"]);
  });

  await t.test("parse without its file", () => {
    const output = run({ "uncoil-parse": "convert" }, `
process.getBuiltinModule = undefined;
await said(async () => (await convert("curl h.test")).url);
`);
    assert.deepEqual(output, ["http://h.test"]);
  });
}
