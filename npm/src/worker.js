// index.js for hosts that compile no WebAssembly, and take the engine as a module of its
// own (Cloudflare Workers). It starts with the first call: the scope of a module has no
// random numbers there.
import engine from "./uncoil.wasm";
import { door } from "./core.js";

export { UncoilError } from "./core.js";

export const { load, loadSync, convert, parse, code, targets, convertText, parseText } = /* @__PURE__ */ door({ read: () => engine });
