// The package through bundlers as they are, without a setting for it. They are those of the
// folder that UNCOIL_NODE_MODULES names.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

// Programs, what they print, and the package of which their bundles have the text of the
// engine, once, or nothing.
const programs = {
  all: ['import { convert } from "uncoil";\nconsole.log((await convert("curl h.test")).url);', "http://h.test\n", "uncoil"],
  parse: ['import { convert } from "uncoil-parse";\nconsole.log((await convert("curl h.test")).url);', "http://h.test\n", "uncoil-parse"],
  slim: ['import { convert } from "uncoil/slim";\nconvert("curl h.test").catch((e) => console.log(e.message));',
    "uncoil/slim has no engine: first  await load(wasm)  with uncoil/uncoil.wasm or uncoil-parse/parse.wasm\n", null],
  curlconverter: ['import { toHTTP } from "uncoil/curlconverter";\nconsole.log(toHTTP("curl h.test").split("\\r\\n")[0]);', "GET / HTTP/1.1\n", "uncoil"],
  httpsnippet: ['import { HTTPSnippet } from "uncoil/httpsnippet";\nconsole.log(new HTTPSnippet({ url: "http://h.test" }).convert("shell"));', "curl http://h.test\n", "uncoil"],
};

// besideEngine is how many bytes a bundle has at most beside the text of its engine.
const besideEngine = 80_000;

const bundlers = {
  async esbuild({ build }, entry, out) {
    const { warnings } = await build({ entryPoints: [entry], bundle: true, format: "esm", splitting: true, minify: true, outdir: out, outExtension: { ".js": ".mjs" }, logLevel: "silent" });
    return warnings;
  },
  async rollup({ rollup }, entry, out, load) {
    const warnings = [];
    const resolve = await load("@rollup/plugin-node-resolve");
    const bundle = await rollup({ input: entry, plugins: [resolve.default({ browser: true })], onwarn: (warning) => warnings.push(warning.message) });
    await bundle.write({ dir: out, format: "es", entryFileNames: "[name].mjs", chunkFileNames: "[name].mjs" });
    return warnings;
  },
  async vite({ build }, entry, out) {
    const warnings = [];
    await build({
      root: join(out, ".."), configFile: false, logLevel: "silent",
      build: { outDir: out, modulePreload: false, chunkSizeWarningLimit: 10_000, rollupOptions: { input: entry, output: { entryFileNames: "[name].mjs", chunkFileNames: "[name].mjs" }, onwarn: (warning) => warnings.push(warning.message) } },
    });
    return warnings;
  },
  async webpack({ default: webpack }, entry, out) {
    const stats = await promisify(webpack)({
      mode: "production", target: ["web", "es2022"], entry, performance: false, optimization: { minimize: false }, experiments: { outputModule: true },
      output: { path: out, module: true, filename: `${/(\w+)\.mjs$/.exec(entry)[1]}.mjs`, chunkFilename: "[id].mjs" },
    });
    const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
    return [...errors, ...warnings].map(({ message }) => message);
  },
};

/** Bundles programs in the folder where the package is installed, and runs them. */
export async function bundlerTests(t, dir) {
  const folder = process.env.UNCOIL_NODE_MODULES;
  const require = createRequire(join(folder ?? dir, "x.js"));
  const load = async (name) => import(pathToFileURL(require.resolve(name)));
  for (const [name, bundle] of Object.entries(bundlers)) {
    const missing = process.env.UNCOIL_REQUIRE_RUNTIMES !== "1" && (!folder || !existsSync(join(folder, name)));
    await t.test(name, { skip: missing && "UNCOIL_NODE_MODULES has it not" }, async () => {
      for (const [program, [source, printed, from]] of Object.entries(programs)) {
        const entry = join(dir, `${program}.mjs`);
        writeFileSync(entry, source);
        const out = join(dir, `bundle-${name}-${program}`);
        mkdirSync(out);
        assert.deepEqual(await bundle(await load(name), entry, out, load), [], program);
        // Far from the package, and as in a browser: without files.
        const run = `process.getBuiltinModule = undefined; await import("./${program}.mjs");`;
        assert.equal(execFileSync(process.execPath, ["--input-type=module", "-e", run], { cwd: out, encoding: "utf8", timeout: 60_000 }), printed, program);
        const size = readdirSync(out, { recursive: true }).reduce((sum, file) => sum + statSync(join(out, file)).size, 0);
        const beside = size - (from ? statSync(join(dir, "node_modules", from, "dist", "engine.mjs")).size : 0);
        assert.ok(beside > 5_000 && beside < besideEngine, `${program}: ${beside} bytes beside the engine`);
      }
    });
  }
}
