// Runs the program uncoil, compiled for JavaScript, with the files of this machine. It
// takes over the process: Go wants these names, and ends it with its exit code.
"use strict";
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { brotliDecompressSync } = require("node:zlib");

exports.run = async (args) => {
  Object.assign(globalThis, { fs: require("node:fs"), path: require("node:path") });
  globalThis.crypto ??= require("node:crypto").webcrypto; // Node 18
  require("./wasm_exec.cjs");
  const go = new globalThis.Go();
  go.argv = ["uncoil", ...args];
  go.exit = (code) => process.exit(code);
  const program = brotliDecompressSync(readFileSync(join(__dirname, "files.wasm.br")));
  const { instance } = await WebAssembly.instantiate(program, go.importObject);
  await go.run(instance);
};
