// The client of an engine in a worker. At most one question is in flight; of
// the later ones only the last is kept.

// patience is the time in milliseconds after which the engine is restarted.
const patience = 10_000;

export class Engine {
  #program;
  #whenFailed;
  #whenStarted;
  #worker;
  #busy = null;
  #waiting = null;
  #timer = 0;
  #next = 1;
  #started = false;

  // program is the URL of the engine. whenFailed receives the reason if it
  // cannot start; whenStarted is called when it has.
  constructor(program, whenFailed, whenStarted = () => {}) {
    this.#whenStarted = whenStarted;
    this.#program = program;
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
    this.#worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data }) => this.#receive(data);
    this.#worker.onerror = (event) => this.#fail(event.message || "the worker cannot be started");
    this.#worker.postMessage({ program: this.#program });
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
