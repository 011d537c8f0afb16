// All of uncoil without an engine, for what loads it from elsewhere: not a byte of it is
// bundled.
import { door } from "./core.js";

export { UncoilError } from "./core.js";

export const { load, loadSync, convert, parse, code, diff, targets, convertText, parseText } = /* @__PURE__ */ door();
