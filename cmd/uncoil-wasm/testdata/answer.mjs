// Answers the questions of browser_test.go with the engine for JavaScript: a line
// of JSON in, the answer as a JSON string out.
import { webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { functionsOf } from "../../../web/page/functions.js";

globalThis.crypto ??= webcrypto; // Node 18 has it under this name only
const dir = resolve(process.argv[2]);
await import(pathToFileURL(join(dir, "wasm_exec.js")));

const go = new Go();
const { instance } = await WebAssembly.instantiate(readFileSync(join(dir, "uncoil.wasm")), go.importObject);
go.run(instance);
const engine = functionsOf(go, instance);

function answer({ Function, Text }) {
  if (Function.startsWith("show")) return engine.show(Text, 0, Function === "showhidden");
  if (Function === "targets") return engine.targets();
  return engine[Function](Text).join(" ");
}

const lines = readFileSync(0, "utf8").split("\n").filter(Boolean);
process.stdout.write(lines.map((line) => JSON.stringify(answer(JSON.parse(line))) + "\n").join(""), () => process.exit(0));
