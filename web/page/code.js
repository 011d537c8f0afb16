// The view of programs, files and commands, and the choice of the target.
import { codeEngine } from "./codeengine.js";
import { copy } from "./copy.js";
import { $, element } from "./dom.js";
import * as keep from "./keep.js";
import { picker } from "./picker.js";
import { pre } from "./pre.js";
import { hintFor } from "./problems.js";
import { state, update } from "./state.js";
import { languageName, named } from "./targets.js";
import { tell } from "./tell.js";
import { colouredCode } from "./tokens.js";
import { runLine, truth } from "./truth.js";

// standard is the target until one is chosen.
const standard = "python-requests";

// usual are the targets with buttons of their own until others are chosen, and mostRecent is how
// many have some.
const usual = ["javascript-fetch", "go", "csharp", "python-requests"];
const mostRecent = 3;

// switches are how a program is written: a member of the request object, and its
// value where the switch is on; fits tells for which targets it is, and short what the menu says of it.
const switches = [
  { id: "bare", text: "Only the call", short: "only the call", member: "bare", on: true },
  { id: "keep", text: "Leave $NAMES as they are", short: "$NAMES", member: "variables", on: "keep" },
  { id: "move", text: "Secrets from the environment", short: "secrets outside", member: "moveSecrets", on: true },
  { id: "exact", text: "Identical to curl", short: "identical", member: "style", on: "exact", fits: ({ kind }) => kind === "code" },
  { id: "function", text: "As a function", short: "function", member: "function", on: "auto", fits: ({ functions }) => functions },
  { id: "csharp7", text: "C# 7 (Unity, .NET Framework)", short: "C# 7", member: "csharp7", on: true, fits: ({ language }) => language === "csharp" },
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
const styles = element("summary");
const line = element("div", { className: "truth" });
const run = element("button", { type: "button", className: "quiet run", title: "Copy this line", onclick: async () => tell(run, await copy(run.textContent) ? "Copied" : "Not allowed") });
const below = element("div", { className: "about" }, line, element("div", { className: "controls" }, element("details", { className: "menu up", id: "style" }, styles, way), run));

// startCode shows the choice of targets once the engine has told them. wanted is the
// name of the one in the address; whenChanged is called when another program is to
// be written, chosen with a target that the user picks, and started once there is one.
// actions are those of the page: see picker.
export function startCode(wanted, actions, whenChanged, chosen, started) {
  way.replaceChildren(...switches.map(({ id, text }) => element("label", { className: "switch" }, element("input", { type: "checkbox", id: `code-${id}`, onchange: whenChanged }), ` ${text}`)));
  $("panel-code").replaceChildren(out, below);
  exact = () => { box("exact").checked = true; whenChanged(); };
  codeEngine((reason) => out.replaceChildren(element("p", { className: "notice" }, reason))).ask("targets", [], (targets) => {
    const pick = (target) => { keep.setTarget(target.name); chosen(target); };
    const choice = picker(targets, actions, pick);
    const chips = element("div", { className: "chips", role: "group", ariaLabel: "Often chosen" });
    const chip = (target) => element("button", { type: "button", className: "chip", "data-target": target.name, onclick: () => { pick(target); $("target").focus(); } }, languageName(target.language));
    $("targets-bar").replaceChildren(choice.nodes, chips);
    showTarget = () => {
      choice.show(state.target);
      // The last that were chosen, but for the one that is.
      const recent = [...new Set([...keep.recent(), ...usual])].map((name) => named(targets, name)).filter((one) => one && one !== state.target && one.language !== state.target.language);
      chips.replaceChildren(...recent.filter((one, at) => recent.findIndex(({ language }) => language === one.language) === at).slice(0, mostRecent).map(chip));
      for (const one of switches) box(one.id).parentElement.hidden = !fits(one, state.target);
    };
    update({ targets, target: named(targets, wanted()) ?? named(targets, keep.target()) ?? named(targets, standard) });
    started();
  });
}

let showTarget = () => {};
let exact = () => {}; // turns that style on
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

// askFixed asks for the program of a request object with a fix, and calls whenWritten with its nodes.
export function askFixed(request, hide, whenWritten) {
  const { answer, target } = state;
  if (!target) return;
  codeEngine(() => {}).ask("showCode", [JSON.stringify({ ...request, target: target.name, ...options(target) }), 0, hide], ({ code }) => {
    if (code && state.answer === answer && state.target === target) whenWritten(pre(colouredCode(code.code, code.language), "answer-text"));
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
  below.hidden = Boolean(why);
  if (why) {
    out.replaceChildren(...why);
    return null;
  }
  const { problem, code } = state.program;
  const { target } = state;
  const on = switches.filter((one) => box(one.id).checked && fits(one, target)).map(({ short }) => short);
  styles.replaceChildren(on.length ? `Style: ${on.join(", ")}` : "Style");
  run.textContent = problem ? "" : runLine(code);
  run.hidden = run.textContent === "";
  if (problem) {
    line.replaceChildren();
    out.replaceChildren(element("p", {}, element("strong", {}, problem.title)), element("p", {}, problem.detail), ...problem.hint ? [element("p", { className: "hint" }, hintFor(problem))] : []);
    return null;
  }
  const open = $("truth")?.open;
  const mayBeExact = target.kind === "code" && !box("exact").checked;
  line.replaceChildren(...truth({ code, target, warnings: state.description?.warnings ?? [], text: state.text, exact: mayBeExact ? exact : null }));
  if (open) $("truth").open = true;
  // Who has no mouse scrolls it by the arrow keys.
  out.replaceChildren(element("div", { className: "code", tabIndex: 0, role: "region", ariaLabel: "The code" }, pre(colouredCode(code.code, code.language), "answer-text")));
  return { text: code.code, file: code.filename };
}
