// The page: sends the text to the engine while the user types, and shows the
// answer. Pasted text stays in memory; a link with it is made only on request.
import { copy } from "./copy.js";
import { $, element } from "./dom.js";
import { draw, select } from "./editor.js";
import { Engine } from "./engine.js";
import { examples } from "./examples.js";
import { coloured, indent } from "./jsontext.js";
import { pre } from "./pre.js";
import { readable } from "./readable.js";
import { address, shared } from "./share.js";
import * as tabs from "./tabs.js";

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
let timer = 0;
let statusTimer = 0;

// changed asks for an answer, after a pause.
function changed(pause, linked = false) {
  answer = null;
  $("answer").ariaBusy = String(engine !== null);
  draw([], { hide: hide.checked });
  if (!linked) unlink();
  clearTimeout(timer);
  timer = setTimeout(ask, pause);
}

function ask() {
  if (command.value.trim() === "") {
    showNothing();
    return;
  }
  const text = command.value;
  engine?.ask(JSON.stringify({ curl: text, shell: shell.value }), hide.checked, (received, took) => {
    if (text !== command.value) return; // a later request is in flight
    performance.clearMeasures();
    performance.measure("uncoil-engine", { start: performance.now() - took, duration: took });
    const began = performance.now();
    show(received);
    performance.measure("uncoil-page", { start: began });
  });
}

function showNothing() {
  answer = description = null;
  $("answer").ariaBusy = "false";
  draw([]);
  listProblems([]);
  $("detected").value = "";
  command.ariaInvalid = "false";
  for (const name of ["request", "json", "http"]) {
    $(`panel-${name}`).replaceChildren(element("p", { className: "soft" }, "Paste a command, or choose an example, and its request appears here."));
  }
  announce("");
}

function show(received) {
  answer = received;
  description = answer.parsed ? JSON.parse(answer.parsed) : null;
  const problems = answer.problem ? [{ ...answer.problem, error: true, message: answer.problem.detail }]
    : description.warnings.sort((a, b) => a.span.start - b.span.start);
  draw(problems, { hide: hide.checked, secrets: answer.problem ? null : answer.secrets, hidden: answer.hidden });
  listProblems(problems);
  command.ariaInvalid = String(Boolean(answer.problem));
  $("detected").value = description && shell.value === "auto" ? `detected: ${shellNames[description.shell]}` : "";
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

// showTab fills the visible panel.
function showTab() {
  if (!answer) return;
  const name = tabs.selected();
  $(`panel-${name}`).replaceChildren(...(answer.problem ? problemView(answer.problem) : views[name]()));
}

const views = {
  request: () => readable(description, answer.count),
  json: () => answer.refused
    ? [...problemView({ ...answer.refused, hint: null }), element("p", { className: "hint" }, "the tabs Request and HTTP show what there is")]
    : pre(coloured(answer.converted), "answer-text"),
  http: () => [
    ...answer.messages.flatMap((message, i) => [
      answer.count > 1 && element("p", { className: "soft" }, `Request ${i + 1} of ${answer.count}`),
      message?.base64 && element("p", { className: "soft" }, "Bytes that are not text are shown as �."),
      ...message ? pre([messageText(message)], "answer-text")
        : [element("p", {}, "Part of its content is unknown: it is in a file or in standard input.")],
    ]).filter(Boolean),
    element("p", { className: "soft" }, "As HTTP/1.1, with curl's own header fields. The boundary of a form differs each time."),
  ],
};

function problemView(problem) {
  return [
    element("h3", {}, problem.title),
    element("p", {}, problem.detail),
    problem.hint && element("p", { className: "hint" }, problem.hint),
  ].filter(Boolean);
}

function messageText({ text, base64 }) {
  if (text !== undefined) return text.replaceAll("\r\n", "\n");
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))).replaceAll("\r\n", "\n");
}

// copyText returns the text that the current tab copies, or null.
function copyText() {
  if (!answer || answer.problem) return null;
  switch (tabs.selected()) {
    case "request": return indent(answer.parsed);
    case "json": return answer.refused ? null : indent(answer.converted);
    case "http": {
      const known = answer.messages.filter(Boolean);
      return known.length ? known.map((message) => message.text ?? messageText(message)).join("\r\n") : null;
    }
  }
}

// tell shows a text on a button for a moment.
function tell(button, text) {
  button.dataset.label ??= button.textContent;
  button.textContent = text;
  $("status").textContent = text;
  clearTimeout(button.timer);
  button.timer = setTimeout(() => { button.textContent = button.dataset.label; }, 1500);
}

function unlink() {
  $("linked").hidden = true;
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
}

async function makeLink() {
  const made = hide.checked ? null : address(command.value, shell.value);
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
    const text = copyText();
    tell($("copy"), text === null ? "Nothing to copy" : await copy(text) ? "Copied" : "The browser did not allow it");
  });
  $("link").addEventListener("click", makeLink);
  $("examples").append(...examples.map(({ name, text }) => element("button", { type: "button", onclick: () => use(text) }, name)));
  tabs.start(showTab);
  addEventListener("hashchange", useShared);
}

function useShared() {
  const link = shared();
  if (!link) return;
  command.value = link.command;
  shell.value = link.shell;
  changed(0, true);
}

listen();
if (folder) {
  engine = new Engine(new URL(folder, document.baseURI).href, (reason) => {
    const told = element("p", { className: "notice", id: "no-engine" }, `The engine cannot start in this browser (${reason}). It needs WebAssembly and module workers, which browsers have since 2023.`);
    $("no-engine")?.remove();
    document.querySelector("main").before(told);
  });
}
showNothing();
// Browsers may keep the text when the page is reloaded.
if (shared()) useShared();
else if (command.value) changed(0);
