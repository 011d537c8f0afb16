// Builds the package into dist, and uncoil-parse, which has the smaller engine, into
// parse/dist: each module as ESM and as CommonJS, the engine inside of a script and as a
// file, and the types from openapi.yaml.
//
// The engine is inside of a script for what has no files: browsers, and whatever a
// bundler makes. Other hosts read the file beside the script, at once.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync, existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const dist = join(here, "dist");
const parseDist = join(here, "parse", "dist");
const run = (dir, program, ...args) => execFileSync(program, args, { cwd: dir, stdio: ["ignore", 2, 2], shell: process.platform === "win32" });
// What a clean clone lacks is made first. Go builds again only what changed.
if (!existsSync(join(root, "web", "node_modules", "typescript"))) run(join(root, "web"), "npm", "ci", "--no-audit", "--no-fund");
for (const folder of [dist, parseDist]) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
}
run(root, "go", "run", "./web/build", dist);

const tools = createRequire(join(root, "web", "package.json"));
const ts = tools("typescript");
const { default: openapiTS, astToString } = await import(tools.resolve("openapi-typescript").replace(/\.cjs$/, ".mjs"));

const write = (name, text, folder = dist) => writeFileSync(join(folder, name), text);
const source = (name) => readFileSync(join(here, "src", name), "utf8");

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

// The engine as text is a script of its own, which is loaded where it is used.
renameSync(join(dist, "parse.wasm"), join(parseDist, "parse.wasm"));
for (const [folder, file] of [[dist, "uncoil.wasm"], [parseDist, "parse.wasm"]]) {
  const zipped = gzipSync(readFileSync(join(folder, file)), { level: 9 }); // browsers have DecompressionStream for that
  write("engine.mjs", `import { unpack } from "./unpack.mjs";\nexport const engine = () => unpack(${JSON.stringify(zipped.toString("base64"))});\n`, folder);
  write("engine.cjs", 'exports.engine = async () => (await import("./engine.mjs")).engine(); // not twice on disk\n', folder);
  write(`${file}.d.mts`, "declare const engine: object; // a WebAssembly.Module, which only some types have\nexport default engine;\n", folder);
}

const languages = `// What the languages of targets are called.
export const languages = ${readFileSync(join(dist, "languages.json"), "utf8")};
`;
rmSync(join(dist, "languages.json"));

const shared = { core: source("core.js"), functions: readFileSync(join(root, "web", "page", "functions.js"), "utf8"), go, read: source("read.js") };
const modules = { ...shared, languages };
for (const name of ["curlconverter", "curlconverter_object", "httpsnippet", "httpsnippet_request", "httpsnippet_targets", "index", "remark", "slim"]) modules[name] = source(`${name}.js`);
const modern = (text) => text.replaceAll(/"\.\/(\w+)\.js"/g, '"./$1.mjs"');
const common = (text) => ts.transpileModule(text.replaceAll("import.meta.dirname", "__dirname"), {
  compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true },
}).outputText;
for (const [folder, texts] of [[dist, modules], [parseDist, { ...shared, index: source("parse.js") }]]) {
  for (const [name, text] of Object.entries(texts)) {
    write(`${name}.mjs`, modern(text), folder);
    write(`${name}.cjs`, common(text).replaceAll(/"\.\/(\w+)\.js"/g, '"./$1.cjs"'), folder);
  }
  write("unpack.mjs", modern(source("unpack.js")), folder); // ESM only
}

// These are ESM only.
for (const name of ["curlconverter_browser", "httpsnippet_browser", "switches", "worker"]) write(`${name}.mjs`, modern(source(`${name}.js`)));
// Where the engine is a module, what is over it must not bring its text along.
for (const name of ["curlconverter", "httpsnippet"]) write(`${name}_worker.mjs`, modern(modules[name].replace('"./index.js"', '"./worker.js"')));
copyFileSync(join(here, "src", "cli.js"), join(dist, "cli.mjs"));
chmodSync(join(dist, "cli.mjs"), 0o755);

const types = astToString(await openapiTS(readFileSync(join(root, "internal", "edge", "httpapi", "assets", "openapi.yaml"), "utf8"), { emptyObjectsUnknown: true }));
const typed = (name, text, folder = dist) => {
  for (const [extension, script] of [["mts", "mjs"], ["cts", "cjs"]]) write(`${name}.d.${extension}`, text.replaceAll("./openapi.js", "./openapi.cjs").replaceAll(/"\.\/(index|all)\.js"/g, `"./$1.${script}"`), folder);
};
for (const name of ["curlconverter", "httpsnippet", "index", "remark", "slim"]) typed(name, source(`${name}.d.ts`));
// What uncoil-parse has is a part of what uncoil has, which lies beside it for its types alone.
typed("all", source("index.d.ts"), parseDist);
typed("index", source("parse.d.ts"), parseDist);
for (const folder of [dist, parseDist]) {
  write("openapi.d.cts", types, folder); // types alone, which both kinds of modules import from one file
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
}
copyFileSync(join(dist, "LICENSES.txt"), join(parseDist, "LICENSES.txt"));

// The command line of Go for what reads files. It runs alone in a process.
// A higher quality saves 9 % of it, and takes half a minute.
const best = { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS } };
writeFileSync(join(dist, "files.wasm.br"), brotliCompressSync(readFileSync(join(dist, "cli.wasm")), best));
rmSync(join(dist, "cli.wasm"));
write("files.cjs", source("files.js"));
renameSync(join(dist, "wasm_exec.js"), join(dist, "wasm_exec.cjs"));
