// httpsnippet's functions where nothing can be loaded at once: whoever imports them waits
// for the engine.
import { load } from "./index.js";

export * from "./httpsnippet.js";

await load();
