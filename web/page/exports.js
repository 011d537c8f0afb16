// The menu of files for other tools: each can be downloaded or copied.
import { codeEngine } from "./codeengine.js";
import { copy } from "./copy.js";
import { $, element } from "./dom.js";
import { close } from "./menus.js";
import { save } from "./save.js";
import { label } from "./targets.js";

// first are the tools that most people ask for.
const first = ["postman", "har", "openapi", "insomnia", "bruno", "hurl", "http", "k6"];

const rank = ({ name }) => (first.indexOf(name) + first.length + 1) % (first.length + 1);

// fillExports lists the targets that write files. ask returns the arguments for the
// engine, or null without a command; tell says on a button what became of it.
export function fillExports(targets, ask, tell) {
  const files = targets.filter(({ name, kind }) => kind === "file" || first.includes(name)).sort((a, b) => rank(a) - rank(b) || label(a).localeCompare(label(b)));
  const write = (target, button, done) => {
    const args = ask(target);
    if (!args) return tell(button, "No command");
    codeEngine((why) => tell(button, why)).ask("showCode", args, async ({ problem, code }) => {
      if (problem) $("export-refused").replaceChildren(element("strong", {}, label(target)), ` ${problem.detail}${problem.hint ? ` (${problem.hint})` : ""}`);
      else await done(code);
    });
  };
  $("exports").replaceChildren(
    ...files.map((target) => element("div", { className: "line", role: "group", ariaLabel: label(target) },
      element("span", { className: "grow" }, label(target)),
      element("button", { type: "button", ariaLabel: `Download for ${label(target)}`, onclick: ({ currentTarget }) => write(target, currentTarget, (code) => { save(code.code, code.filename); close($("export")); }) }, "Download"),
      element("button", { type: "button", ariaLabel: `Copy for ${label(target)}`, onclick: ({ currentTarget }) => write(target, currentTarget, async (code) => { tell(currentTarget, await copy(code.code) ? "Copied" : "Not allowed"); }) }, "Copy"))),
    element("p", { id: "export-refused", className: "refused", role: "alert" }));
}
