// The page: sends the text to the engine while the user types, and shows the
// answer. Pasted text stays in memory; a link with it is made only on request.
import * as address from "./address.js";
import { askCode, askFixed, codeView, drawTarget, startCode, switchTo } from "./code.js";
import { startCleanup } from "./cleanup.js";
import { client, hasEngine } from "./client.js";
import { startClipboard } from "./clipboard.js";
import { copy } from "./copy.js";
import { $, element } from "./dom.js";
import { change, placeOf } from "./edit.js";
import { draw as drawBox, fixed, insert, redraw, replace, undo } from "./editor.js";
import { examples, tasks } from "./examples.js";
import { fillExports } from "./exports.js";
import { fold, isFolded, showFacts, startFold, unfold } from "./fold.js";
import { startFiles } from "./files.js";
import { inputs, offer } from "./inputs.js";
import * as keep from "./keep.js";
import { forget, startLinks } from "./links.js";
import { close, startMenus } from "./menus.js";
import { keepOffline } from "./offline.js";
import { inOrder, listProblems } from "./problems.js";
import { save } from "./save.js";
import { draws, state, update } from "./state.js";
import { chosen, forgetChoice, keepChoice, keptChoice, listRequests, picks, startRequests } from "./requests.js";
import * as tabs from "./tabs.js";
import { languageName, languages } from "./targets.js";
import { tell } from "./tell.js";
import { startTheme } from "./theme.js";
import { newUses, startUses } from "./uses.js";
import { httpView, jsonView, requestView } from "./views.js";

// The delays in milliseconds from a key to the request, from a key to the error
// that it makes, and from an answer to its announcement.
const typingPause = 60;
const errorPause = 800;
const readingPause = 800;

// coarse is a screen that is touched, where a field with the focus opens a keyboard.
const coarse = matchMedia("(pointer: coarse)");

const command = $("command");
const shell = $("shell");
const hide = $("hide");
const shellNames = { posix: "bash, zsh, sh", cmd: "cmd.exe", powershell: "PowerShell", har: "HAR", http: "HTTP", fetch: "fetch", "http-file": ".http file", postman: "Postman" };
const { service, embed } = document.body.dataset;

// own is the target of a page for one language. Without a network another page stands
// in its place, which knows the language by its address alone.
const own = document.body.dataset.target || [...document.querySelectorAll("a[data-target]")].find(({ href }) => href === location.origin + location.pathname)?.dataset.target;

let engine = null;
let typing = false; // whether the text has been changed by keys since the last answer without an error
let seek = false; // whether the answer is to be brought into sight
let lent = false; // whether the shell is to be detected in what is pasted next
let back = null; // the place of the last edit, where the focus returns
let wish = false; // whether what comes is to be copied
const timers = {};

const after = (name, pause, then) => {
  clearTimeout(timers[name]);
  timers[name] = setTimeout(then, pause);
};

// changed asks for an answer, after a pause.
function changed(pause, fromLink = false) {
  clearTimeout(timers.error);
  typing = pause > 0;
  $("answer").ariaBusy = String(engine !== null);
  redraw({ hide: hide.checked });
  fold();
  state.answer = null;
  if (!fromLink) forget();
  after("ask", pause, ask);
}

function ask() {
  if (command.value.trim() === "") {
    typing = false;
    forgetChoice();
    listProblems([]);
    offer({ requests: [], warnings: [] }, "");
    command.ariaInvalid = "false";
    $("answer").ariaBusy = "false";
    announce("");
    return update({ answer: null, description: null, good: false, program: null, uses: [] });
  }
  const text = command.value;
  const request = JSON.stringify(question());
  const one = chosen();
  engine?.ask("show", [request, one, hide.checked], (received, took) => {
    if (text !== command.value || request !== JSON.stringify(question()) || one !== chosen()) return; // a later request is in flight
    if (!received.problem && picks(received)) return ask(); // nobody wants code for hundreds of requests
    performance.clearMeasures();
    performance.measure("uncoil-engine", { start: performance.now() - took, duration: took });
    const began = performance.now();
    // Half of a command is an error in itself, of which nobody wants to hear.
    if (received.problem && typing && "curl ".startsWith(text.trimStart())) begun();
    else if (received.problem && typing) after("error", errorPause, () => receive(received));
    else receive(received);
    performance.measure("uncoil-page", { start: began });
  });
}

// begun is for the first letters of a command.
function begun() {
  listProblems([]);
  $("answer").ariaBusy = "false";
  update({ answer: null, description: null, good: false, program: null, uses: [] });
}

// question returns the request object for the present text.
const question = () => ({ curl: command.value, shell: shell.value, ...inputs() });

function receive(answer) {
  const description = answer.parsed ? JSON.parse(answer.parsed) : null;
  const problems = answer.problem ? [{ ...answer.problem, error: true, message: answer.problem.detail }] : inOrder(description.warnings);
  $("inputs").classList.toggle("veiled-fields", hide.checked);
  const uses = answer.uses ?? [];
  drawBox(problems, uses, { hide: hide.checked, secrets: answer.problem ? null : answer.secrets, hidden: answer.hidden });
  listProblems(problems, service);
  offer(description ?? { requests: [], warnings: problems }, command.value, () => changed(typingPause));
  command.ariaInvalid = String(Boolean(answer.problem));
  shell.options[0].textContent = description && shell.value === "auto" ? `${shellNames[description.shell] ?? description.shell} (detected)` : "Detect";
  if (answer.problem) {
    update({ answer, description, text: command.value, uses, good: state.good && typing });
  } else {
    typing = false;
    update({ answer, description, text: command.value, uses, good: true });
    askCode(question(), answer.one ?? chosen(), hide.checked);
  }
  newUses();
  if ($("clean").open && !$("clean-preview").hasChildNodes()) $("clean").dispatchEvent(new Event("toggle")); // it was opened before
  $("answer").ariaBusy = "false";
  // Who pastes a recording looks for one of its requests.
  const listed = isFolded() && answer.count > 1;
  if (listed && !coarse.matches && (seek || document.activeElement === document.body)) $($("listing").hidden ? "which" : "filter").focus({ preventScroll: true });
  if (seek && !listed && $("answer").getBoundingClientRect().top > innerHeight * 0.6) $("answer").scrollIntoView({ block: "start" });
  seek = false;
  if (back) (document.querySelector(`[data-place="${back}"]`) ?? $(`panel-${tabs.selected()}`)).focus({ preventScroll: true });
  back = null;
  announce(summary(problems));
}

function summary(problems) {
  const { answer, description } = state;
  if (answer.problem) return `Error: ${answer.problem.detail}`;
  const [{ method, url }] = description.requests;
  const first = answer.one ? `request ${answer.one} of ${answer.count}: ` : answer.count > 1 ? `${answer.count} requests, the first is ` : "";
  const warnings = ["", ", one warning"][problems.length] ?? `, ${problems.length} warnings`;
  return `${first}${method} ${url}${warnings}`;
}

// announce makes screen readers announce the outcome once typing stops.
function announce(text) {
  after("status", readingPause, () => { if ($("status").textContent !== text) $("status").textContent = text; });
}

const drawn = {}; // by the name of a view: the answer that it shows, and what is copied of it
const views = { request: requestView, json: jsonView, http: httpView };

// shown returns {text, file} of the visible view, or null.
function shown() {
  const { answer, view, program } = state;
  if (!answer || answer.problem || view === "code" && program?.of !== answer) return null;
  return drawn[view]?.shown ?? null;
}

// render draws what follows from the state.
function render() {
  const { answer, good, view, target } = state;
  listRequests();
  showFacts();
  document.body.classList.toggle("filled", command.value.trim() !== "");
  if (target) drawTarget();
  const stale = good && Boolean(answer?.problem);
  $("stale").hidden = !stale;
  $("answer").classList.toggle("dim", stale);
  if (answer === null && command.value.trim() !== "" && state.ready && !"curl ".startsWith(command.value.trimStart())) return; // the last answer stays until the next
  if (stale) return;
  if (!answer || answer.problem) drawWhy(view, answer ? problemView(answer.problem) : nothing());
  else if (view === "code") drawCode();
  else drawView(view);
}

// drawWhy shows why a view is empty.
function drawWhy(view, why) {
  drawn[view] = null;
  if (view === "code") codeView(why);
  else $(`panel-${view}`).replaceChildren(...why);
}

function drawCode() {
  const { answer, program } = state;
  if (program?.of !== answer || drawn.code?.of === program) return; // the last one stays until the next
  drawn.code = { of: program, shown: codeView() };
  if (wish) copyShown();
}

function drawView(view) {
  const { answer, description } = state;
  if (drawn[view]?.of === answer) return; // with what is being edited there
  const { nodes, ...rest } = views[view](answer, description, hide.checked ? null : saveEdit);
  $(`panel-${view}`).replaceChildren(...nodes);
  drawn[view] = { of: answer, shown: rest.text === null ? null : rest };
  if (wish) copyShown();
}

// clear takes secrets out of what is not drawn anew at once: views out of sight, the menu Clean up
// and what screen readers hear.
function clear() {
  for (const view of ["code", "request", "http", "json"]) if (view !== state.view) drawWhy(view, []);
  close($("clean"));
  $("clean-preview").replaceChildren();
  clearTimeout(timers.status);
  $("status").textContent = "";
}

// problemView says what is wrong, once: what to do about it stands at its place in the command. Where
// one fix is certain, the code of the fixed text is there.
function problemView(problem) {
  const why = element("p", {}, problem.detail);
  const made = element("div", { className: "stack" }, !problem.fix && element("h3", {}, problem.title), why);
  if (problem.fix && state.view === "code") {
    askFixed({ ...question(), curl: fixed(command.value, problem.fix) }, hide.checked, (code) => made.append(
      element("div", { className: "line" }, element("span", {}, "Fixed, this is your code:"), element("button", { type: "button", className: "main", title: "Ctrl+Z takes it back", onclick: () => replace(problem.fix.span, problem.fix.text) }, "Use it")),
      element("div", { className: "code fixed", tabIndex: 0, role: "region", ariaLabel: "The code with the fix" }, code)));
  }
  return [made];
}

// nothing returns what stands in an empty view: what can be done here.
function nothing() {
  if (engine && !state.ready) return [element("label", { className: "soft" }, "The engine is loading … ", element("progress", { max: 1, value: state.loaded }))];
  return [
    element("p", { className: "soft" }, "Paste a command, and its code appears here. Or begin with one of these:"),
    element("div", { className: "tasks" }, tasks.map(({ name, why }) => element("button", { type: "button", onclick: () => use(examples.find((example) => example.name === name).text) },
      element("strong", {}, name), " ", element("span", { className: "soft" }, why)))),
    state.targets.length > 0 && element("p", { className: "soft" }, `It writes ${languages(state.targets).length} languages, and files for Postman, Terraform and others: ${state.targets.length} targets.`),
    element("div", { className: "chips", role: "group", ariaLabel: "Languages" }, byUse(state.targets).map((target) =>
      element("button", { type: "button", className: "chip", onclick: () => { keep.setTarget(target.name); pick(target); } }, languageName(target.language)))),
  ].filter(Boolean);
}

// byUse returns the languages, the most wanted first.
const byUse = (targets) => languages([...targets.filter(({ rank }) => rank > 0).sort((a, b) => a.rank - b.rank), ...targets.filter(({ rank }) => !(rank > 0))]);

// copyShown copies what is in sight, and what comes next where that is under way.
async function copyShown() {
  wish = !shown() && command.value.trim() !== "" && !state.answer?.problem && !state.program?.problem;
  if (wish) return;
  const made = shown();
  tell($("copy"), !made ? "Nothing to copy" : await copy(made.text) ? "Copied" : "The browser did not allow it");
}

// use puts a text into the box; the box can undo that.
function use(text) {
  forgetChoice();
  unfold(text);
  shell.value = "auto";
  insert(text);
  changed(0);
}

// saveEdit puts the command after an edit into the box; the box can undo that.
function saveEdit(edit, one, whenRefused) {
  const asked = JSON.stringify(question());
  change(question(), one, edit, whenRefused, (text, read) => {
    if (asked !== JSON.stringify(question())) return; // the text is another by now
    unfold(text);
    insert(text);
    lent = shell.value !== read;
    shell.value = read;
    changed(0);
    back = placeOf(edit);
  });
}

// take puts a text that came from elsewhere into the box, and shows its answer.
function take(text) {
  use(text);
  seek = true;
}

// goTo shows another view.
function goTo(view) {
  update({ view });
  forget();
}

// again asks for the program anew, since it is to be written otherwise.
function writeAgain() {
  forget();
  askCode(question(), state.answer?.one ?? 0, hide.checked);
}

// pick shows the code of a target that the user chose.
function pick(target) {
  update({ target, named: true });
  tabs.choose("code");
  writeAgain();
}

// clicking returns an action that is a button of the page, or a menu.
const clicking = (label, id, keys) => ({ label, keys, run: () => { $(id).click(); $(id).focus(); } });

// actions are what the palette has besides the targets.
const actions = [
  { label: "Copy", keys: "Ctrl+Enter", run: () => copyShown() },
  clicking("Download", "save"),
  { label: "Clean up the command", run: () => opening("clean") },
  { label: "Export for another tool", run: () => opening("export") },
  { label: "Examples", run: () => opening("examples-menu") },
  clicking("Hide or show secrets", "hide"),
  clicking("Make a link", "link"),
  clicking("Open a file", "open"),
  ...["code", "request", "http", "json"].map((view, i) => ({ label: `View ${$(`tab-${view}`).textContent}`, keys: `Alt+${i + 1}`, run: () => { tabs.choose(view); $(`tab-${view}`).focus(); } })),
  { label: "Edit the command", run: () => { command.focus(); } },
];

function opening(id) {
  $(id).open = true;
  $(id).querySelector("summary").focus();
}

// choosing goes to the palette.
function choosing() {
  $("target")?.focus();
  $("target")?.select();
  $("target")?.dispatchEvent(new Event("palette"));
}

// keys are those that act anywhere on the page.
function keys(event) {
  const control = event.ctrlKey || event.metaKey;
  const view = event.altKey && !control && ["code", "request", "http", "json"][event.key - 1];
  if (control && event.key === "Enter") copyShown();
  else if (control && event.key.toLowerCase() === "k") choosing();
  else if (view) tabs.choose(view);
  else return;
  event.preventDefault();
}

function listen() {
  command.addEventListener("input", ({ inputType }) => {
    seek = inputType === "insertFromPaste";
    if (seek || inputType?.startsWith("history")) forgetChoice();
    if (lent && (seek || inputType?.startsWith("history") || command.value === "")) {
      shell.value = "auto"; // as it was before
      lent = false;
    }
    $("cleaned").textContent = "";
    changed(seek ? 0 : typingPause);
  });
  startClipboard(take, () => { unfold(); lent = true; });
  startFiles(take);
  startLinks(question);
  startMenus();
  startUses();
  document.addEventListener("keydown", keys);
  addEventListener("pagehide", () => {
    keep.write(command.value);
    keep.setListed(state.picked ? keptChoice() : "");
  });
  $("keep").checked = !keep.isOff();
  $("keep").addEventListener("change", () => { keep.turn($("keep").checked); keep.write(command.value); keep.setListed(""); });
  shell.addEventListener("change", () => changed(0));
  hide.checked = keep.hides();
  hide.addEventListener("change", () => {
    keep.setHides(hide.checked);
    if (hide.checked) clear();
    changed(0);
  });
  $("copy").addEventListener("click", copyShown);
  $("save").addEventListener("click", () => {
    const made = shown();
    if (made) save(made.text, made.file);
    else tell($("save"), "Nothing to save");
  });
  startRequests(() => changed(0));
  state.one = address.entry();
  state.picked = state.one > 0;
  keepChoice(keep.listed());
  startFold(() => changed(0));
  $("skip").addEventListener("click", (event) => {
    event.preventDefault();
    $(`panel-${state.view}`).focus();
  });
  $("examples").append(...examples.map(({ name, text }) => element("button", { type: "button", onclick: () => { use(text); close($("examples-menu")); } }, name)));
  startCleanup(question, () => state.answer?.again, () => hide.checked, (text, told) => {
    forgetChoice();
    unfold(text);
    insert(text);
    changed(0);
    $("cleaned").replaceChildren(told.short ? element("details", { className: "menu up" }, element("summary", {}, told.short), element("p", {}, told.full)) : "Nothing was left out.",
      " ", element("button", { type: "button", className: "quiet", onclick: () => { undo(); $("cleaned").replaceChildren(); } }, "Undo"));
  });
  const first = address.view();
  tabs.start(goTo, document.getElementById(`tab-${first}`) ? first : "code");
  state.view = tabs.selected();
  state.named = address.target() !== null;
  addEventListener("hashchange", () => {
    const { targets } = state;
    const asked = address.target() && targets.find(({ name }) => name === address.target());
    if (document.getElementById(`tab-${address.view()}`)) tabs.choose(address.view());
    if (asked) update({ target: asked, named: true });
    useShared();
  });
}

function useShared() {
  const link = address.linked();
  if (!link) return;
  command.value = link.command;
  shell.value = link.shell;
  changed(0, true);
}

draws(render);
startTheme();
listen();
if (hasEngine) {
  engine = client((reason) => {
    const told = element("p", { className: "notice", id: "no-engine" }, `The engine cannot start in this browser (${reason}). It needs WebAssembly and module workers, which browsers have since 2023.`);
    $("no-engine")?.remove();
    document.querySelector("main").before(told);
  }, () => {
    if (state.ready) return;
    if (!embed) setTimeout(keepOffline, 0); // after the first answer
    update({ ready: true });
  }, (loaded) => {
    if (!state.ready && loaded - state.loaded >= 0.02) update({ loaded });
  });
  const asked = address.options();
  startCode(() => address.target() ?? own, actions, writeAgain, pick, () => {
    fillExports(state.targets, (target) => state.answer && !state.answer.problem ? [JSON.stringify({ ...question(), target: target.name }), state.answer.one ?? 0, hide.checked] : null, tell);
    askCode(question(), state.answer?.one ?? 0, hide.checked);
  });
  switchTo(asked);
}
render();
if (!embed) command.focus({ preventScroll: true });
if (address.linked()) useShared();
else if (command.value ||= keep.read() ?? "") changed(0);
