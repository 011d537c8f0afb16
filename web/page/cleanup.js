// Cleans up the command in the box: writes it again without what only a browser
// needs. The menu shows what that would be; the box can undo it.
import { codeEngine } from "./codeengine.js";
import { $, element } from "./dom.js";
import { close } from "./menus.js";
import { pre } from "./pre.js";
import { chosen } from "./requests.js";
import { colouredCode } from "./tokens.js";

// mostShown is how many characters of the command the menu shows.
const mostShown = 5_000;

// startCleanup calls question for the request object, again for the target that
// writes commands in the shell of the text, hides for whether secrets are hidden, and
// use with the new command and what was left out of it.
export function startCleanup(question, again, hides, use) {
  const form = $("clean-form");
  const refuse = (why) => {
    $("clean-refused").textContent = why;
    $("clean-preview").replaceChildren();
  };
  const write = (whenWritten) => {
    if (!again()) return refuse("There is no command yet.");
    const options = Object.fromEntries([...form.querySelectorAll("input")].map(({ name, checked }) => [name, checked]));
    rewrite({ ...question(), target: again(), ...options, moveSecrets: options.moveSecrets || hides() && whenWritten === preview }, refuse, (code) => { refuse(""); whenWritten(code); });
  };
  const told = ({ warnings }) => warnings.filter(({ code }) => code === "fields-dropped" || code === "secret-moved").map(({ message }) => message).join("; ");
  // inShort says how much was left out.
  const inShort = ({ warnings }) => {
    const of = (wanted) => warnings.filter(({ code }) => code === wanted);
    const fields = of("fields-dropped").reduce((sum, { message }) => sum + message.split(", ").length, 0);
    const secrets = of("secret-moved").length;
    return [fields && `${fields} ${fields === 1 ? "header" : "headers"} left out`, secrets && `${secrets} ${secrets === 1 ? "secret is a variable" : "secrets are variables"}`].filter(Boolean).join(", ");
  };
  const preview = (code) => {
    const [shown] = pre(colouredCode(code.code.slice(0, mostShown).trimEnd(), "sh"), "preview");
    Object.assign(shown, { tabIndex: 0, ariaLabel: "The command after that", role: "region" }); // who has no mouse scrolls it by the arrow keys
    $("clean-preview").replaceChildren(element("p", { className: "soft" }, told(code) || "Nothing is left out."), shown);
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    write((code) => {
      close($("clean"));
      use(code.code.trimEnd(), { short: inShort(code), full: told(code) });
    });
  });
  form.addEventListener("change", () => write(preview));
  $("clean").addEventListener("toggle", () => { if ($("clean").open) write(preview); });
}

// rewrite asks for the command of the chosen requests of a request object that names a target
// for commands.
export function rewrite(request, refuse, whenWritten) {
  codeEngine(refuse).ask("showCode", [JSON.stringify(request), chosen(), false], ({ problem, code }) => {
    if (problem) refuse(problem.detail);
    else whenWritten(code);
  });
}
