// curlconverter's functions where nothing can be loaded at once: whoever imports them
// waits for the engine.
import { load } from "./index.js";

export * from "./curlconverter.js";

await load();
