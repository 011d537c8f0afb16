// Runs the engine outside of the main thread, so that typing never waits for
// it. The first message names the program; each later one calls one of its
// functions.
import { functionsOf } from "./functions.js";

let ready;

onmessage = async ({ data }) => {
  if (data.program) {
    ready = start(data.program).then(
      (engine) => (postMessage({ started: true }), engine),
      (error) => { postMessage({ failed: String(error?.message ?? error) }); });
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

async function start(program) {
  await import(new URL("wasm_exec.js", program).href);
  const go = new Go();
  const { instance } = await compile(fetch(program), go.importObject);
  performance.mark("compiled");
  go.run(instance);
  performance.mark("started");
  return functionsOf(go, instance);
}

// compile compiles while the program arrives, which asks for the right media
// type; a host that does not send it costs a moment.
async function compile(fetched, imports) {
  const response = await fetched;
  if (!response.ok) throw new Error(`the engine cannot be loaded: status ${response.status}`);
  if (response.headers.get("Content-Type")?.startsWith("application/wasm")) {
    return WebAssembly.instantiateStreaming(response, imports);
  }
  return WebAssembly.instantiate(await response.arrayBuffer(), imports);
}
