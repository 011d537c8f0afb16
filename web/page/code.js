// The view of programs, files and commands.
import { setTarget, target as addressed } from "./address.js";
import { codeEngine } from "./codeengine.js";
import { $, element } from "./dom.js";
import * as keep from "./keep.js";
import { picker } from "./picker.js";
import { pre } from "./pre.js";
import { hintFor } from "./problems.js";
import { named } from "./targets.js";
import { colouredCode } from "./tokens.js";

// standard is the target until one is chosen.
const standard = "python-requests";

const switches = [
  { id: "bare", text: "Only the request" },
  { id: "keep", text: "Variables as typed" },
  { id: "noise", text: "Without what only browsers send" },
  { id: "cookies", text: "Without cookies" },
  { id: "move", text: "Variables for secrets" },
  { id: "long", text: "Long names of options", kind: "command" },
];

const out = element("div", { className: "stack" });
let targets = null;
let target = null;
let wanted = null; // the last question, {request, again, one, hide, whenShown}

// showCode fills the panel with the code for a request object or, if that is
// null, with the nodes of why; again is the target of its own shell. whenShown receives what is shown, {text, file} or
// null, whenever that changes.
export function showCode({ request, why, again }, one, hide, whenShown) {
  wanted = { request, why, again, one, hide, whenShown };
  if (targets) return ask();
  out.replaceChildren(element("p", { className: "soft" }, "The part of the engine that writes code is loading …"));
  $("panel-code").replaceChildren(out);
  engine().ask("targets", [], start);
}

const engine = () => codeEngine((reason) => out.replaceChildren(element("p", { className: "notice" }, reason)));

function start(list) {
  targets = list;
  const choice = picker(targets, (chosen) => {
    keep.setTarget(chosen.name);
    use(chosen);
  });
  const use = (chosen) => {
    target = chosen;
    choice.show(chosen);
    for (const { id, kind } of switches) $(`code-${id}`).parentElement.hidden = Boolean(kind) && kind !== chosen.kind;
    ask();
  };
  const again = element("button", { type: "button", onclick: () => use(named(targets, wanted.again ?? "curl")) }, "curl again");
  $("panel-code").replaceChildren(
    element("div", { className: "controls" }, choice.nodes, again),
    element("div", { className: "switches", role: "group", ariaLabel: "How it is written" }, switches.map(({ id, text }) =>
      element("label", { className: "switch" }, element("input", { type: "checkbox", id: `code-${id}`, onchange: ask }), ` ${text}`))),
    out);
  use(named(targets, addressed()) ?? named(targets, keep.target()) ?? named(targets, standard));
  addEventListener("hashchange", () => {
    const another = named(targets, addressed());
    if (another && another !== target) use(another);
  });
}

function ask() {
  const { request, why, one, hide, whenShown } = wanted;
  if (!$("panel-code").hidden) setTarget(target.name);
  lock($("code-move"), hide);
  if (!request) {
    out.replaceChildren(...why);
    return;
  }
  const on = (id) => $(`code-${id}`).checked;
  const options = { bare: on("bare"), variables: on("keep") ? "keep" : "env", dropNoise: on("noise"), dropCookies: on("cookies"), moveSecrets: on("move"), longNames: target.kind === "command" && on("long") };
  engine().ask("showCode", [JSON.stringify({ ...request, target: target.name, ...options }), one, hide], (answer) => {
    if (wanted.request !== request) return;
    show(answer, whenShown);
  });
}

// lock holds a switch on while secrets are hidden, and gives it back as it was.
function lock(box, locked) {
  if (box.disabled === locked) return;
  const before = box.checked;
  box.checked = locked || box.unlocked;
  box.unlocked = before;
  box.disabled = locked;
}

function show({ problem, code }, whenShown) {
  if (problem) {
    out.replaceChildren(element("p", {}, element("strong", {}, problem.title)), element("p", {}, problem.detail), ...problem.hint ? [element("p", { className: "hint" }, hintFor(problem))] : []);
    whenShown(null);
    return;
  }
  const notes = code.warnings.filter(({ code }) => ["cannot-express", "secret-moved", "fields-dropped"].includes(code));
  out.replaceChildren(
    ...notes.length ? [element("ul", { ariaLabel: "About the code" }, notes.map(({ message, hint }) => element("li", {}, message, hint && ` (${hint})`)))] : [],
    // Who has no mouse scrolls it by the arrow keys.
    element("div", { className: "code", tabIndex: 0, role: "region", ariaLabel: "The code" }, pre(colouredCode(code.code, code.language), "answer-text")));
  whenShown({ text: code.code, file: code.filename });
}
