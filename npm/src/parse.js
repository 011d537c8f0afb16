// The package uncoil-parse: what uncoil knows of requests, without programs: a smaller engine.
import { door } from "./core.js";
import { read } from "./read.js";

export { UncoilError } from "./core.js";

export const { load, loadSync, convert, parse, convertText, parseText } = /* @__PURE__ */ door({
  read: () => read("parse.wasm"),
  text: async () => (await import("./engine.js")).engine(),
});
