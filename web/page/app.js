// The page: sends the text to the engine while the user types, and shows the
// answer. Pasted text stays in memory; a link with it is made only on request.
import { linked, linkTo, unlink } from "./address.js";
import { showCode } from "./code.js";
import { copy } from "./copy.js";
import { $, element } from "./dom.js";
import { draw, select } from "./editor.js";
import { Engine } from "./engine.js";
import { examples } from "./examples.js";
import { save } from "./save.js";
import * as tabs from "./tabs.js";
import { httpView, jsonView, requestView } from "./views.js";

// The delays in milliseconds from a key to the request, and from an answer to its
// announcement.
const typingPause = 60;
const readingPause = 800;

const command = $("command");
const shell = $("shell");
const hide = $("hide");
const shellNames = { posix: "bash, zsh, sh", cmd: "cmd.exe", powershell: "PowerShell", har: "HAR", http: "HTTP", fetch: "fetch" };
const { engine: folder, service } = document.body.dataset;

let engine = null;
let answer = null; // to the present text, or null
let description = null; // the answer's, read
let shown = null; // {text, file} of the visible view, or null
let timer = 0;
let statusTimer = 0;

// changed asks for an answer, after a pause.
function changed(pause, fromLink = false) {
  answer = shown = null;
  $("answer").ariaBusy = String(engine !== null);
  draw([], { hide: hide.checked });
  if (!fromLink) forget();
  clearTimeout(timer);
  timer = setTimeout(ask, pause);
}

function ask() {
  if (command.value.trim() === "") {
    showNothing();
    return;
  }
  const text = command.value;
  engine?.ask("show", [JSON.stringify(question()), hide.checked], (received, took) => {
    if (text !== command.value) return; // a later request is in flight
    performance.clearMeasures();
    performance.measure("uncoil-engine", { start: performance.now() - took, duration: took });
    const began = performance.now();
    show(received);
    performance.measure("uncoil-page", { start: began });
  });
}

// question returns the request object for the present text.
const question = () => ({ curl: command.value, shell: shell.value });

function showNothing() {
  answer = description = shown = null;
  listRequests();
  $("answer").ariaBusy = "false";
  draw([]);
  listProblems([]);
  $("detected").value = "";
  command.ariaInvalid = "false";
  for (const name of Object.keys(views)) {
    if (name !== "code") $(`panel-${name}`).replaceChildren(...nothing());
  }
  showTab();
  announce("");
}

const nothing = () => [element("p", { className: "soft" }, "Paste a command, or choose an example, and its request appears here.")];

function show(received) {
  answer = received;
  description = answer.parsed ? JSON.parse(answer.parsed) : null;
  const problems = answer.problem ? [{ ...answer.problem, error: true, message: answer.problem.detail }]
    : description.warnings.sort((a, b) => a.span.start - b.span.start);
  draw(problems, { hide: hide.checked, secrets: answer.problem ? null : answer.secrets, hidden: answer.hidden });
  listProblems(problems);
  command.ariaInvalid = String(Boolean(answer.problem));
  $("detected").value = description && shell.value === "auto" ? `detected: ${shellNames[description.shell]}` : "";
  listRequests();
  showTab();
  $("answer").ariaBusy = "false";
  announce(summary(problems));
}

function summary(problems) {
  if (answer.problem) return `Error: ${answer.problem.detail}`;
  const [{ method, url }] = description.requests;
  const first = answer.count > 1 ? `${answer.count} requests, the first is ` : "";
  const warnings = ["", ", one warning"][problems.length] ?? `, ${problems.length} warnings`;
  return `${first}${method} ${url}${warnings}`;
}

// announce makes screen readers announce the outcome once typing stops.
function announce(text) {
  clearTimeout(statusTimer);
  statusTimer = setTimeout(() => { if ($("status").textContent !== text) $("status").textContent = text; }, readingPause);
}

function listProblems(problems) {
  $("problems").replaceChildren(...problems.map((problem) => element("li", { className: problem.error ? "error" : "warning" },
    element("strong", {}, problem.error ? "Error" : "Warning"),
    problem.span && element("button", { type: "button", className: "place", title: "Show the position", onclick: () => select(problem), ariaLabel: `${problem.line}:${problem.column}, show the position` }, `${problem.line}:${problem.column}`),
    element("span", {}, problem.message),
    problem.hint && element("span", { className: "hint" }, problem.hint),
    service && problem.error && element("a", { href: `problems/${problem.code}` }, "What this means"))));
}

// listRequests offers the requests of a text that has several.
function listRequests() {
  const several = answer?.count > 1;
  $("which").parentElement.hidden = !several;
  if (!several) return $("which").replaceChildren();
  const options = [`All ${answer.count} requests`, ...description.requests.map(({ method, url }, i) => `${i + 1}: ${method} ${url.length > 60 ? url.slice(0, 59) + "…" : url}`)];
  const before = $("which").selectedIndex;
  $("which").replaceChildren(...options.map((text) => element("option", {}, text)));
  $("which").selectedIndex = before > 0 && before < options.length ? before : 0;
}

const views = { request: requestView, code: null, json: jsonView, http: httpView };

// showTab fills the visible panel.
function showTab() {
  shown = null;
  const name = tabs.selected();
  const one = Math.max(0, $("which").selectedIndex);
  if (name === "code" && engine) {
    const asked = description ? { request: question() } : { request: null, why: answer ? problemView(answer.problem) : nothing() };
    showCode(new URL(folder, document.baseURI).href, asked, one, hide.checked, (now) => { shown = now; });
  } else if (answer?.problem) {
    $(`panel-${name}`).replaceChildren(...problemView(answer.problem));
  } else if (answer) {
    const { nodes, ...rest } = views[name](answer, description, one);
    shown = rest.text === null ? null : rest;
    $(`panel-${name}`).replaceChildren(...nodes);
  }
}

function problemView(problem) {
  return [
    element("h3", {}, problem.title),
    element("p", {}, problem.detail),
    problem.hint && element("p", { className: "hint" }, problem.hint),
  ].filter(Boolean);
}

// tell shows a text on a button for a moment.
function tell(button, text) {
  button.dataset.label ??= button.textContent;
  button.textContent = text;
  $("status").textContent = text;
  clearTimeout(button.timer);
  button.timer = setTimeout(() => { button.textContent = button.dataset.label; }, 1500);
}

// forget takes the link away, because the text is another.
function forget() {
  $("linked").hidden = true;
  unlink();
}

async function makeLink() {
  const made = hide.checked ? null : linkTo(command.value, shell.value);
  if (made === null) {
    tell($("link"), hide.checked ? "Show secrets to make a link" : "Too long for a link");
    return;
  }
  history.replaceState(null, "", made);
  $("address").value = made;
  $("linked").hidden = false;
  tell($("link"), await copy(made) ? "Copied" : "The link is below");
}

function use(text, chosenShell = "auto") {
  command.value = text;
  shell.value = chosenShell;
  changed(0);
}

function listen() {
  command.addEventListener("input", ({ inputType }) => changed(inputType === "insertFromPaste" ? 0 : typingPause));
  shell.addEventListener("change", () => changed(0));
  hide.addEventListener("change", () => changed(0));
  $("copy").addEventListener("click", async () => {
    tell($("copy"), !shown ? "Nothing to copy" : await copy(shown.text) ? "Copied" : "The browser did not allow it");
  });
  $("save").addEventListener("click", () => {
    if (shown) save(shown.text, shown.file);
    else tell($("save"), "Nothing to save");
  });
  $("which").addEventListener("change", showTab);
  $("link").addEventListener("click", makeLink);
  $("examples").append(...examples.map(({ name, text }) => element("button", { type: "button", onclick: () => use(text) }, name)));
  tabs.start(showTab);
  addEventListener("hashchange", useShared);
}

function useShared() {
  const link = linked();
  if (!link) return;
  command.value = link.command;
  shell.value = link.shell;
  changed(0, true);
}

listen();
if (folder) {
  engine = new Engine(new URL(`${folder}uncoil.wasm`, document.baseURI).href, (reason) => {
    const told = element("p", { className: "notice", id: "no-engine" }, `The engine cannot start in this browser (${reason}). It needs WebAssembly and module workers, which browsers have since 2023.`);
    $("no-engine")?.remove();
    document.querySelector("main").before(told);
  });
}
showNothing();
// Browsers may keep the text when the page is reloaded.
if (linked()) useShared();
else if (command.value) changed(0);
