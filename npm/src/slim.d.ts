import type { Engine, Source } from "./index.js";

export * from "./index.js";

/** Loads the engine from what is given: uncoil/uncoil.wasm, or uncoil-parse/parse.wasm, which writes no programs. It comes before every other call. */
export function load(source: Source | Promise<Source>): Promise<Engine>;

/** Loads the engine at once, from bytes or a WebAssembly.Module; without them, the one that is loaded. */
export function loadSync(source?: object): Engine;
