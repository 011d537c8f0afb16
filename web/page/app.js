// The page: sends the text to the engine while the user types, and shows the
// answer. Pasted text stays in memory; a link with it is made only on request.
import { linked, linkTo, setTarget, target, unlink } from "./address.js";
import { showCode } from "./code.js";
import { copy } from "./copy.js";
import { $, element } from "./dom.js";
import { change, placeOf } from "./edit.js";
import { draw, insert, seen, undo } from "./editor.js";
import { Engine } from "./engine.js";
import { examples } from "./examples.js";
import { inputs, offer } from "./inputs.js";
import * as keep from "./keep.js";
import { keepOffline } from "./offline.js";
import { hintFor, inOrder, listProblems } from "./problems.js";
import { save } from "./save.js";
import * as tabs from "./tabs.js";
import { startTheme } from "./theme.js";
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
let ready = false; // whether it has started
let answer = null; // to the present text, or null
let description = null; // the answer's, read
let shown = null; // {text, file} of the visible view, or null
let seek = false; // whether the answer is to be brought into sight
let lent = false; // whether the shell is to be detected in what is pasted next
let back = null; // the place of the last edit, where the focus returns
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
  const request = JSON.stringify(question());
  const one = chosen();
  engine?.ask("show", [request, one, hide.checked], (received, took) => {
    if (text !== command.value || request !== JSON.stringify(question()) || one !== chosen()) return; // a later request is in flight
    performance.clearMeasures();
    performance.measure("uncoil-engine", { start: performance.now() - took, duration: took });
    const began = performance.now();
    show(received);
    performance.measure("uncoil-page", { start: began });
  });
}

// question returns the request object for the present text.
const question = () => ({ curl: command.value, shell: shell.value, ...inputs() });

// chosen returns the number of the chosen one of several requests, or 0 for all.
const chosen = () => Math.max(0, $("which").selectedIndex);

function showNothing() {
  answer = description = shown = null;
  listRequests();
  $("answer").ariaBusy = "false";
  draw([]);
  listProblems([]);
  offer({ requests: [], warnings: [] }, "");
  $("detected").value = "";
  command.ariaInvalid = "false";
  for (const name of Object.keys(views)) {
    if (name !== "code") $(`panel-${name}`).replaceChildren(...nothing());
  }
  showTab();
  announce("");
}

const nothing = () => [element("p", { className: "soft" }, engine && !ready ? "The engine is loading …" : "Paste a command, or choose an example, and its request appears here.")];

function show(received) {
  answer = received;
  description = answer.parsed ? JSON.parse(answer.parsed) : null;
  const problems = answer.problem ? [{ ...answer.problem, error: true, message: answer.problem.detail }] : inOrder(description.warnings);
  $("inputs").classList.toggle("veiled-fields", hide.checked);
  draw(problems, { hide: hide.checked, secrets: answer.problem ? null : answer.secrets, hidden: answer.hidden });
  listProblems(problems, service);
  offer(description ?? { requests: [], warnings: problems }, command.value, () => changed(typingPause));
  command.ariaInvalid = String(Boolean(answer.problem));
  $("detected").value = description && shell.value === "auto" ? `detected: ${shellNames[description.shell]}` : "";
  listRequests();
  showTab();
  $("answer").ariaBusy = "false";
  if (seek && $("answer").getBoundingClientRect().top > innerHeight * 0.6) $("answer").scrollIntoView({ block: "start" });
  seek = false;
  if (back) (document.querySelector(`[data-place="${back}"]`) ?? $(`panel-${tabs.selected()}`)).focus({ preventScroll: true });
  back = null;
  announce(summary(problems));
}

function summary(problems) {
  if (answer.problem) return `Error: ${answer.problem.detail}`;
  const [{ method, url }] = description.requests;
  const first = answer.one ? `request ${answer.one} of ${answer.count}: ` : answer.count > 1 ? `${answer.count} requests, the first is ` : "";
  const warnings = ["", ", one warning"][problems.length] ?? `, ${problems.length} warnings`;
  return `${first}${method} ${url}${warnings}`;
}

// announce makes screen readers announce the outcome once typing stops.
function announce(text) {
  clearTimeout(statusTimer);
  statusTimer = setTimeout(() => { if ($("status").textContent !== text) $("status").textContent = text; }, readingPause);
}

// listRequests offers the requests of a text that has several.
function listRequests() {
  const several = answer?.count > 1;
  $("which").parentElement.hidden = !several;
  if (!several) return $("which").replaceChildren();
  const options = [`All ${answer.count} requests`, ...answer.list.map((line, i) => `${i + 1}: ${line.length > 66 ? line.slice(0, 65) + "…" : line}`)];
  $("which").replaceChildren(...options.map((text) => element("option", {}, text)));
  $("which").selectedIndex = answer.one;
}

// choose asks for the chosen one of several requests.
function choose() {
  answer = shown = null;
  $("answer").ariaBusy = "true";
  ask();
}

const drawn = {}; // by the name of a view: the answer that it shows, and what is copied of it
const views = { request: requestView, code: null, json: jsonView, http: httpView };

// changeTab shows another view. The target is in the address while its code is in
// sight.
function changeTab(name) {
  if (name !== "code") setTarget(null);
  showTab();
}

// showTab fills the visible panel.
function showTab() {
  shown = null;
  const name = tabs.selected();
  if (name === "code" && engine) {
    const asked = description ? { request: question(), again: answer.again } : { request: null, why: answer ? problemView(answer.problem) : nothing() };
    showCode(asked, chosen(), hide.checked, (now) => { shown = now; });
  } else if (answer?.problem) {
    $(`panel-${name}`).replaceChildren(...problemView(answer.problem));
  } else if (drawn[name]?.of === answer && answer) {
    shown = drawn[name].shown; // with what is being edited there
  } else if (answer) {
    const { nodes, ...rest } = views[name](answer, description, hide.checked ? null : saveEdit);
    shown = rest.text === null ? null : rest;
    $(`panel-${name}`).replaceChildren(...nodes);
    drawn[name] = { of: answer, shown };
  }
}

function problemView(problem) {
  return [
    element("h3", {}, problem.title),
    element("p", {}, problem.detail),
    problem.hint && element("p", { className: "hint" }, hintFor(problem)),
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
  if (command.value.trim() === "") return tell($("link"), "Nothing to link");
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

// use puts a text into the box; the box can undo that.
function use(text) {
  shell.value = "auto";
  insert(text);
  changed(0);
}

// saveEdit puts the command after an edit into the box; the box can undo that.
function saveEdit(edit, one, whenRefused) {
  const asked = JSON.stringify(question());
  change(question(), one, edit, whenRefused, (text, read) => {
    if (asked !== JSON.stringify(question())) return; // the text is another by now
    insert(text);
    lent = shell.value !== read;
    shell.value = read;
    changed(0);
    back = placeOf(edit);
  });
}

// undone takes back the last change of the box from anywhere, except from another
// field.
function undone(event) {
  if (event.key !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.target.matches?.("input, textarea")) return;
  event.preventDefault();
  undo();
}

// pasting lets the box take what the user pastes by keyboard elsewhere than in a
// field: the browser does that at once, where a script would take seconds for
// thousands of lines.
function pasting(event) {
  if (event.key.toLowerCase() !== "v" || !(event.ctrlKey || event.metaKey) || event.altKey || event.target.matches?.("input, textarea")) return;
  command.focus({ preventScroll: true });
  command.select();
  lent = true;
}

// pasted takes what is pasted otherwise, such as by a menu.
function pasted(event) {
  if (event.target.matches?.("input, textarea")) return;
  const text = event.clipboardData.getData("text/plain");
  if (text === "") return;
  event.preventDefault();
  use(text);
  seek = true;
}

// copied keeps secrets that are hidden in the box from the clipboard.
function copied(event) {
  const { selectionStart: start, selectionEnd: end } = command;
  if (!hide.checked || start === end) return;
  event.preventDefault();
  event.clipboardData.setData("text/plain", seen().slice(start, end));
  if (event.type === "cut") insert("", start, end);
}

// load puts the text of a file into the box.
async function load(file) {
  use(await file.text());
  seek = true;
}

// startFiles takes files that are chosen, or dropped anywhere but on a field for
// another: the browser would leave the page for them.
function startFiles() {
  const chooser = $("file");
  $("open").addEventListener("click", () => chooser.click());
  chooser.addEventListener("change", async () => {
    if (chooser.files.length) await load(chooser.files[0]);
    chooser.value = ""; // so that the same can be chosen again
  });
  const files = (event) => event.dataTransfer.types.includes("Files") && !event.target.matches?.("input[type=file]");
  document.addEventListener("dragover", (event) => { if (files(event)) event.preventDefault(); });
  document.addEventListener("drop", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    if (event.dataTransfer.files.length) load(event.dataTransfer.files[0]);
  });
}

function listen() {
  command.addEventListener("input", ({ inputType }) => {
    seek = inputType === "insertFromPaste";
    if (lent && (seek || inputType?.startsWith("history") || command.value === "")) {
      shell.value = "auto"; // as it was before
      lent = false;
    }
    changed(seek ? 0 : typingPause);
  });
  command.addEventListener("copy", copied);
  command.addEventListener("cut", copied);
  startFiles();
  document.addEventListener("paste", pasted);
  document.addEventListener("keydown", undone);
  document.addEventListener("keydown", pasting);
  addEventListener("pagehide", () => keep.write(command.value));
  $("keep").checked = !keep.isOff();
  $("keep").addEventListener("change", () => { keep.turn($("keep").checked); keep.write(command.value); });
  shell.addEventListener("change", () => changed(0));
  hide.addEventListener("change", () => changed(0));
  $("copy").addEventListener("click", async () => {
    tell($("copy"), !shown ? "Nothing to copy" : await copy(shown.text) ? "Copied" : "The browser did not allow it");
  });
  $("save").addEventListener("click", () => {
    if (shown) save(shown.text, shown.file);
    else tell($("save"), "Nothing to save");
  });
  $("which").addEventListener("change", choose);
  $("link").addEventListener("click", makeLink);
  $("examples").append(...examples.map(({ name, text }) => element("button", { type: "button", onclick: () => use(text) }, name)));
  tabs.start(changeTab, target() ? "code" : "request");
  addEventListener("hashchange", () => {
    if (target()) tabs.choose("code");
    useShared();
  });
}

function useShared() {
  const link = linked();
  if (!link) return;
  command.value = link.command;
  shell.value = link.shell;
  changed(0, true);
}

startTheme();
listen();
if (folder) {
  engine = new Engine(new URL(`${folder}uncoil.wasm`, document.baseURI).href, (reason) => {
    const told = element("p", { className: "notice", id: "no-engine" }, `The engine cannot start in this browser (${reason}). It needs WebAssembly and module workers, which browsers have since 2023.`);
    $("no-engine")?.remove();
    document.querySelector("main").before(told);
  }, () => {
    ready = true;
    setTimeout(keepOffline, 0); // after the first answer
    if (command.value.trim() === "") showNothing();
  });
}
showNothing();
command.focus({ preventScroll: true });
if (linked()) useShared();
else if (command.value ||= keep.read() ?? "") changed(0);
