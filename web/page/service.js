// The client of the service that shows the page, in place of an engine in a worker,
// where that was not built. It is there on the machine of its user alone. Of several
// questions that are under way only the last is answered.
const question = {
  targets: () => ({}),
  show: ([request, one, hide]) => ({ request, one, hide }),
  showCode: ([request, one, hide]) => ({ request, one, hide }),
  edit: ([request, one, part, at, field, value, remove]) => ({ request, one, part, at, field, value, remove }),
};

export class Service {
  #asked = 0;
  #whenFailed;
  #whenStarted;

  constructor(whenFailed, whenStarted = () => {}) {
    this.#whenFailed = whenFailed;
    this.#whenStarted = whenStarted;
    queueMicrotask(() => this.#whenStarted());
  }

  async ask(name, args, whenAnswered) {
    const number = ++this.#asked;
    const began = performance.now();
    try {
      const response = await fetch("ask", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name, ...question[name](args) }) });
      const answer = await response.json();
      if (number === this.#asked) whenAnswered(response.ok ? answer : { problem: answer }, performance.now() - began);
    } catch (error) {
      this.#whenFailed(error.message);
    }
  }
}
