// Cleans up the command in the box: writes it again without what only a browser
// needs. The box can undo that.
import { codeEngine } from "./codeengine.js";
import { $ } from "./dom.js";
import { close } from "./menus.js";

// startCleanup calls question for the request object, again for the target that
// writes commands in the shell of the text, and use with the new command and what
// was left out of it.
export function startCleanup(question, again, use) {
  const form = $("clean-form");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const refuse = (why) => { $("clean-refused").textContent = why; };
    if (!again()) return refuse("There is no command yet.");
    const options = Object.fromEntries([...form.querySelectorAll("input")].map(({ name, checked }) => [name, checked]));
    codeEngine(refuse).ask("showCode", [JSON.stringify({ ...question(), target: again(), ...options }), 0, false], ({ problem, code }) => {
      if (problem) return refuse(problem.detail);
      refuse("");
      close($("clean"));
      const told = code.warnings.filter(({ code }) => code === "fields-dropped" || code === "secret-moved").map(({ message }) => message);
      use(code.code.trimEnd(), told.join("; "));
    });
  });
}
