// All of uncoil. The engine is a file beside the script for hosts that read files, and
// inside of a script for the others.
import { door } from "./core.js";
import { read } from "./read.js";

export { UncoilError } from "./core.js";

export const { load, loadSync, convert, parse, code, diff, targets, convertText, parseText } = /* @__PURE__ */ door({
  read: () => read("uncoil.wasm"),
  text: async () => (await import("./engine.js")).engine(),
});
