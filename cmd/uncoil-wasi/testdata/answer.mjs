// Answers the questions of wasi_test.go in Node: a line of JSON in, a line with the
// status and the answer out.
import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";

// Before WASI makes the streams of the process non-blocking.
const lines = readFileSync(0, "utf8").split("\n").filter(Boolean);

const wasi = new WASI({ version: "preview1" });
const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), wasi.getImportObject());
wasi.initialize(instance);
const { memory, reserve, ...functions } = instance.exports;

function answer({ function: name, request }) {
  const text = Buffer.from(request);
  const room = reserve(text.length);
  Buffer.from(memory.buffer).set(text, room);
  const place = functions[name](text.length);
  const [status, start, size] = new Uint32Array(memory.buffer, place, 3);
  return `${status} ${Buffer.from(memory.buffer, start, size)}`;
}

process.stdout.write(lines.map((line) => answer(JSON.parse(line)) + "\n").join(""));
