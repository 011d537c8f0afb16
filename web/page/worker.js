// Runs the engine outside of the main thread, so that typing never waits for
// it. The first message names the folder of the engine; each one after that
// is a question.
let ready;

onmessage = async ({ data }) => {
  if (data.folder) {
    ready = start(data.folder).then(
      (engine) => (postMessage({ started: true }), engine),
      (error) => { postMessage({ failed: String(error?.message ?? error) }); });
    return;
  }
  const engine = await ready;
  if (!engine) return;
  const began = performance.now();
  const answer = engine.show(data.request, data.hide);
  postMessage({ id: data.id, answer, took: performance.now() - began });
};

async function start(folder) {
  await import(folder + "wasm_exec.js");
  const go = new Go();
  const { instance } = await compile(fetch(folder + "uncoil.wasm"), go.importObject);
  let engine;
  globalThis.uncoilReady = (functions) => { engine = functions; };
  go.run(instance).then(() => postMessage({ ended: true }));
  delete globalThis.uncoilReady;
  return engine;
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
