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
    rewrite({ ...question(), target: again(), ...options }, refuse, ({ code, warnings }) => {
      refuse("");
      close($("clean"));
      const told = warnings.filter(({ code }) => code === "fields-dropped" || code === "secret-moved").map(({ message }) => message);
      use(code.trimEnd(), told.join("; "));
    });
  });
}

// rewrite asks for the command of a request object that names a target for commands.
export function rewrite(request, refuse, whenWritten) {
  codeEngine(refuse).ask("showCode", [JSON.stringify(request), 0, false], ({ problem, code }) => {
    if (problem) refuse(problem.detail);
    else whenWritten(code);
  });
}
