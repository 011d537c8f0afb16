// Builds the package into dist: each module as ESM and as CommonJS, the engine
// inside of a script and as a file, and the types from openapi.yaml.
//
// The engine is inside of a script for what has no files: browsers, and whatever a
// bundler makes. Other hosts read the file beside the script, at once.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync, existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const dist = join(here, "dist");
const run = (dir, program, ...args) => execFileSync(program, args, { cwd: dir, stdio: ["ignore", 2, 2], shell: process.platform === "win32" });
// What a clean clone lacks is made first. Go builds again only what changed.
if (!existsSync(join(root, "web", "node_modules", "typescript"))) run(join(root, "web"), "npm", "ci", "--no-audit", "--no-fund");
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
run(root, "go", "run", "./web/build", dist);

const tools = createRequire(join(root, "web", "package.json"));
const ts = tools("typescript");
const { default: openapiTS, astToString } = await import(tools.resolve("openapi-typescript").replace(/\.cjs$/, ".mjs"));

const write = (name, text) => writeFileSync(join(dist, name), text);

const zipped = gzipSync(readFileSync(join(dist, "uncoil.wasm")), { level: 9 }); // browsers have DecompressionStream for that

// The script of Go's expects to be alone in the world, and puts its class and
// what a browser lacks into globalThis. It gets a world of its own, which is
// also the one that the engine sees.
const go = `const world = () => ({ Array, Date, Error, Object, Promise, Uint8Array, crypto: globalThis.crypto ?? seeds, performance: globalThis.performance, TextEncoder, TextDecoder });

// Node 18 has no such global. The engine wants it for the seeds of its hash
// tables only.
const seeds = {
  getRandomValues: (bytes) => bytes.forEach((_, i) => { bytes[i] = Math.random() * 256; }),
};

export function newGo() {
  const scope = world();
  run(scope);
  return new scope.Go();
}

function run(globalThis) {
  const { crypto } = globalThis;
  const fs = { writeSync: (...write) => globalThis.fs.writeSync(...write) };
${readFileSync(join(dist, "wasm_exec.js"), "utf8")}
}
`;

const engineScript = `const zipped = ${JSON.stringify(zipped.toString("base64"))};

// A function call for each of a million characters takes a second in Node, and a
// stream takes longer than zlib. Bundlers replace neither name behind globalThis.
function decoded() {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(zipped);
  if (globalThis.Buffer) return globalThis.Buffer.from(zipped, "base64");
  const text = atob(zipped);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

export async function engine() {
  const zlib = globalThis.process?.getBuiltinModule?.("node:zlib");
  if (zlib) return zlib.gunzipSync(decoded());
  return new Response(new Blob([decoded()]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}
`;

const commonEngine = `exports.engine = async () => (await import("./engine.mjs")).engine(); // not twice on disk
`;

const languages = `// What the languages of targets are called.
export const languages = ${readFileSync(join(dist, "languages.json"), "utf8")};
`;
rmSync(join(dist, "languages.json"));

const modules = {
  ...Object.fromEntries(["core", "index", "read", "remark"].map((name) => [name, readFileSync(join(here, "src", `${name}.js`), "utf8")])), languages,
  functions: readFileSync(join(root, "web", "page", "functions.js"), "utf8"),
  go, engine: engineScript,
};
const common = (source) => ts.transpileModule(source.replaceAll("import.meta.dirname", "__dirname"), {
  compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true },
}).outputText;
for (const [name, source] of Object.entries(modules)) {
  write(`${name}.mjs`, source.replaceAll(/"\.\/(\w+)\.js"/g, '"./$1.mjs"'));
  write(`${name}.cjs`, name === "engine" ? commonEngine : common(source).replaceAll(/"\.\/(\w+)\.js"/g, '"./$1.cjs"'));
}

copyFileSync(join(here, "src", "cli.js"), join(dist, "cli.mjs"));
chmodSync(join(dist, "cli.mjs"), 0o755);

const types = astToString(await openapiTS(readFileSync(join(root, "internal", "edge", "httpapi", "assets", "openapi.yaml"), "utf8"), { emptyObjectsUnknown: true }));
const index = readFileSync(join(here, "src", "index.d.ts"), "utf8");
for (const [extension, script] of [["mts", "mjs"], ["cts", "cjs"]]) {
  write(`remark.d.${extension}`, readFileSync(join(here, "src", "remark.d.ts"), "utf8").replaceAll("./index.js", `./index.${script}`));
  write(`index.d.${extension}`, index.replaceAll("./openapi.js", "./openapi.cjs"));
}
write("openapi.d.cts", types); // types alone, which both kinds of modules import from one file

copyFileSync(join(root, "LICENSE"), join(dist, "LICENSE"));
write("uncoil.wasm.d.mts", "declare const engine: object; // a WebAssembly.Module, which only some types have\nexport default engine;\n");

// The command line of Go for what reads files. It runs alone in a process.
writeFileSync(join(dist, "files.wasm.gz"), gzipSync(readFileSync(join(dist, "cli.wasm")), { level: 9 }));
rmSync(join(dist, "cli.wasm"));
write("files.cjs", readFileSync(join(here, "src", "files.js"), "utf8"));
renameSync(join(dist, "wasm_exec.js"), join(dist, "wasm_exec.cjs"));
