// The client of an engine in a worker. At most one question is in flight; of
// the later ones only the last is kept. The page loads and compiles the engine,
// because it can begin before there is a worker, and has it for the next one.

// patience is the time in milliseconds after which the engine is restarted.
const patience = 10_000;

export class Engine {
  #library;
  #module;
  #whenFailed;
  #whenStarted;
  #worker;
  #busy = null;
  #waiting = null;
  #timer = 0;
  #next = 1;
  #started = false;

  // program is the URL of the engine, and size its bytes. whenFailed receives the reason
  // if it cannot start; whenStarted is called when it has, and whenLoaded, as it arrives,
  // with the part of it that is there, from 0 to 1.
  constructor(program, size, whenFailed, whenStarted = () => {}, whenLoaded = () => {}) {
    this.#whenStarted = whenStarted;
    this.#library = new URL("wasm_exec.js", program).href;
    this.#module = compiled[program] ??= compile(program, (bytes) => whenLoaded(Math.min(1, bytes / size)));
    this.#whenFailed = whenFailed;
    this.#start();
  }

  // ask calls a function of the engine and passes its answer to whenAnswered,
  // unless a later question replaces this one.
  ask(name, args, whenAnswered) {
    this.#waiting = { id: this.#next++, name, args, whenAnswered };
    this.#send();
  }

  #start() {
    const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = (event) => this.#fail(event.message || "the worker cannot be started");
    worker.postMessage({ library: this.#library });
    this.#module.then((module) => worker.postMessage({ module }), (error) => this.#fail(error.message));
    this.#worker = worker;
  }

  #send() {
    if (this.#busy || !this.#waiting) return;
    [this.#busy, this.#waiting] = [this.#waiting, null];
    const { id, name, args } = this.#busy;
    this.#worker.postMessage({ id, name, args });
    this.#watch();
  }

  // watch gives an answer its time, which begins when the engine has started.
  #watch() {
    clearTimeout(this.#timer);
    if (this.#started) this.#timer = setTimeout(() => this.#restart(), patience);
  }

  #receive(message) {
    if (message.started) {
      this.#started = true;
      this.#whenStarted();
      if (this.#busy) this.#watch();
    } else if (message.failed) {
      this.#fail(message.failed);
    } else if (message.ended) {
      if (this.#started) this.#restart();
      else this.#fail("it ended at once");
    } else if (message.id === this.#busy?.id) {
      clearTimeout(this.#timer);
      const { whenAnswered } = this.#busy;
      this.#busy = null;
      const superseded = this.#waiting !== null;
      this.#send();
      if (!superseded) whenAnswered(JSON.parse(message.answer), message.took);
    }
  }

  // restart gives up on a question that the engine did not survive.
  #restart() {
    clearTimeout(this.#timer);
    const lost = this.#busy;
    this.#worker.terminate();
    this.#busy = null;
    this.#started = false;
    this.#start();
    if (this.#waiting) this.#send();
    else lost?.whenAnswered({ problem: { title: "This command takes too much work for the page", detail: "The engine did not answer and was restarted.", hint: "the command line, uncoil, has no such limit" } }, 0);
  }

  #fail(reason) {
    clearTimeout(this.#timer);
    this.#whenFailed(reason);
  }
}

// compiled has the module of each program, which all its workers share.
const compiled = {};

// compile compiles while the program arrives, which asks for the right media
// type; a host that does not send it costs a moment. arrived receives how many bytes
// are there, on a first visit: later the program is at hand, and counting would keep
// the browser from using what it compiled then.
async function compile(program, arrived) {
  const response = await fetch(program);
  if (!response.ok) throw new Error(`the engine cannot be loaded: status ${response.status}`);
  if (!navigator.serviceWorker?.controller) count(response.clone(), arrived);
  const module = await (response.headers.get("Content-Type")?.startsWith("application/wasm")
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer()));
  performance.mark("compiled");
  return module;
}

async function count({ body }, arrived) {
  let bytes = 0;
  try {
    for (const reader = body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) return;
      arrived(bytes += value.length);
    }
  } catch { /* whoever compiles meets it, too */ }
}
