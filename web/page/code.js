// The view of programs, files and commands, and the choice of the target.
import { codeEngine } from "./codeengine.js";
import { $, element } from "./dom.js";
import * as keep from "./keep.js";
import { picker } from "./picker.js";
import { pre } from "./pre.js";
import { hintFor } from "./problems.js";
import { state, update } from "./state.js";
import { languageName, named, proof } from "./targets.js";
import { colouredCode } from "./tokens.js";

// standard is the target until one is chosen.
const standard = "python-requests";

// pinned are the targets with buttons of their own.
const pinned = ["python-requests", "javascript-fetch", "go"];

// switches are how a program is written: a member of the request object, and its
// value where the switch is on; fits tells for which targets it is.
const switches = [
  { id: "bare", text: "Without imports and printing", member: "bare", on: true },
  { id: "keep", text: "Keep $VARS as text", member: "variables", on: "keep" },
  { id: "move", text: "Secrets as variables", member: "moveSecrets", on: true },
  { id: "exact", text: "Same bytes as curl", member: "style", on: "exact", fits: ({ kind }) => kind === "code" },
  { id: "function", text: "As a function", member: "function", on: "auto", fits: ({ functions }) => functions },
  { id: "csharp7", text: "C# 7 (Unity, .NET Framework)", member: "csharp7", on: true, fits: ({ language }) => language === "csharp" },
];

const fits = (one, target) => one.fits?.(target) ?? true;
const box = (id) => $(`code-${id}`);

// options returns the members of the request object that the switches make.
export const options = (target) => Object.fromEntries(switches.filter((one) => box(one.id).checked && fits(one, target)).map(({ member, on }) => [member, on]));

// switched returns the names of the switches that are on, and switchTo turns on those.
export const switched = () => switches.filter(({ id }) => box(id)?.checked && !box(id).disabled).map(({ id }) => id);
export const switchTo = (ids) => { for (const { id } of switches) box(id).checked = ids.includes(id); };

const out = element("div", { className: "stack" });
const way = element("div", { className: "switches", role: "group", ariaLabel: "How it is written" });

// startCode shows the choice of targets once the engine has told them. wanted is the
// name of the one in the address; whenChanged is called when another program is to
// be written, chosen with a target that the user picks, and started once there is one.
// actions are those of the page: see picker.
export function startCode(wanted, actions, whenChanged, chosen, started) {
  way.replaceChildren(...switches.map(({ id, text }) => element("label", { className: "switch" }, element("input", { type: "checkbox", id: `code-${id}`, onchange: whenChanged }), ` ${text}`)));
  $("panel-code").replaceChildren(out, way);
  codeEngine((reason) => out.replaceChildren(element("p", { className: "notice" }, reason))).ask("targets", [], (targets) => {
    const pick = (target) => { keep.setTarget(target.name); chosen(target); };
    const choice = picker(targets, actions, pick);
    const chips = pinned.map((name) => named(targets, name)).map((target) =>
      element("button", { type: "button", className: "chip", "data-target": target.name, onclick: () => pick(target) }, languageName(target.language)));
    $("targets-bar").replaceChildren(choice.nodes, element("div", { className: "chips", role: "group", ariaLabel: "Often chosen" }, chips));
    showTarget = () => {
      choice.show(state.target);
      for (const chip of chips) chip.ariaPressed = String(chip.dataset.target === state.target.name);
      for (const one of switches) box(one.id).parentElement.hidden = !fits(one, state.target);
    };
    update({ targets, target: named(targets, wanted()) ?? named(targets, keep.target()) ?? named(targets, standard) });
    started();
  });
}

let showTarget = () => {};
let shown = null; // the target that the choice shows

// askCode asks for the program of a request object. The answer is dropped where the
// page has another one by then.
export function askCode(request, one, hide) {
  const { answer, target } = state;
  if (!target || !answer || answer.problem) return;
  lock(box("move"), hide);
  codeEngine(() => {}).ask("showCode", [JSON.stringify({ ...request, target: target.name, ...options(target) }), one, hide], (program) => {
    if (state.answer === answer && state.target === target) update({ program: { ...program, of: answer } });
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

// drawTarget shows which target is chosen.
export function drawTarget() {
  if (shown === state.target) return;
  shown = state.target;
  showTarget();
}

// codeView shows the program, or in its place the nodes of why there is none.
export function codeView(why) {
  way.hidden = Boolean(why);
  if (why) {
    out.replaceChildren(...why);
    return null;
  }
  const { problem, code } = state.program;
  if (problem) {
    out.replaceChildren(element("p", {}, element("strong", {}, problem.title)), element("p", {}, problem.detail), ...problem.hint ? [element("p", { className: "hint" }, hintFor(problem))] : []);
    return null;
  }
  const notes = code.warnings.filter(({ code }) => ["cannot-express", "secret-moved", "placeholder-moved"].includes(code));
  out.replaceChildren(
    ...notes.length ? [element("ul", { ariaLabel: "About the code" }, notes.map(({ message, hint }) => element("li", {}, message, hint && ` (${hint})`)))] : [],
    // Who has no mouse scrolls it by the arrow keys.
    element("div", { className: "code", tabIndex: 0, role: "region", ariaLabel: "The code" }, pre(colouredCode(code.code, code.language), "answer-text")),
    ...state.target.proven ? [] : [element("p", { className: "soft", id: "proof" }, proof(state.target))]);
  return { text: code.code, file: code.filename };
}
