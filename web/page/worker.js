// Runs the engine outside of the main thread, so that typing never waits for
// it. One message has the URL of Go's library, one the engine; each later one
// calls one of its functions.
import { functionsOf } from "./functions.js";

let arrive; // takes the engine
const arrived = new Promise((resolve) => { arrive = resolve; });
let ready;

onmessage = async ({ data }) => {
  if (data.library) {
    ready = start(data.library).then(
      (engine) => (postMessage({ started: true }), engine),
      (error) => { postMessage({ failed: String(error?.message ?? error) }); });
    return;
  }
  if (data.module) {
    arrive(data.module);
    return;
  }
  const engine = await ready;
  if (!engine) return;
  const began = performance.now();
  try {
    const answer = engine[data.name](...data.args);
    postMessage({ id: data.id, answer, took: performance.now() - began });
  } catch (error) {
    console.warn(error);
    postMessage({ ended: true });
  }
};

// start runs the engine. The library arrives beside it.
async function start(library) {
  await import(library);
  const go = new Go();
  const instance = await WebAssembly.instantiate(await arrived, go.importObject);
  go.run(instance);
  performance.mark("started");
  return functionsOf(go, instance);
}
