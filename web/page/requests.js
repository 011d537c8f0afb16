// The list of the requests of a text that has several, as a grid by the ARIA Authoring
// Practices. Where a long text is folded it stands in the place of the box, else it is
// a few rows beside the answer.
import { $, element } from "./dom.js";
import { isFolded } from "./fold.js";
import { factsOf } from "./recording.js";
import { state } from "./state.js";

const command = $("command");
const filter = $("filter");
const grid = $("which");
const kinds = $("kinds");

// many is how many requests a text has that are looked for by words.
const many = 10;

// tail is how many characters of a path are seen where its middle is cut.
const tail = 18;

let kind = "api"; // which of the entries of a recording are listed: a key of filters
let rows = []; // of the list: {number, method, status, type, path, host, words}
let drawn = ""; // what the list was drawn from
let last = { text: null, one: 0 }; // the choice in a text, for when it comes back
let changed = () => {};

// filters are what of a recording can be listed. Who looks for a request looks for none
// of the images and scripts of a page.
const filters = {
  api: ["API", ({ fact }) => fact.api],
  all: ["All", () => true],
  errors: ["Errors", ({ fact }) => fact.status === 0 || fact.status >= 400],
};

// chosen returns the number of the chosen request, or 0 for all.
export const chosen = () => state.one;

// forgetChoice is for a text that takes the place of another.
export function forgetChoice() {
  Object.assign(state, { one: 0, picked: false });
  filter.value = "";
  kind = "api";
}

// keptChoice returns how the list is filtered, and keepChoice takes that back.
export const keptChoice = () => JSON.stringify({ filter: filter.value, kind });
export function keepChoice(kept) {
  try {
    const was = JSON.parse(kept);
    filter.value = was.filter;
    if (Object.hasOwn(filters, was.kind)) kind = was.kind;
  } catch { /* nothing was kept */ }
}

// picks chooses the request that a recording begins with, its first of an API, unless
// somebody has chosen. It reports whether that is another one than the answer is about.
export function picks({ count, parsed }) {
  if (state.picked || !(count > 1) || JSON.parse(parsed).shell !== "har") return false;
  const facts = factsOf(command.value) ?? [];
  const first = facts.length === count ? Math.max(facts.findIndex(({ called }) => called), 0) || Math.max(facts.findIndex(({ api }) => api), 0) : 0;
  state.one = last.text === command.value ? last.one : first + 1;
  state.picked = true;
  return state.one !== 0;
}

// startRequests calls whenChosen after each choice.
export function startRequests(whenChosen) {
  changed = whenChosen;
  filter.addEventListener("input", listRequests);
  filter.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") step(grid.querySelector("[data-number]:not([data-number='0'])"));
    else if (event.key === "Enter") choose(grid.querySelector("[data-number]:not([data-number='0'])"));
    else return;
    event.preventDefault();
  });
  grid.addEventListener("click", ({ target }) => choose(target.closest("[data-number]")));
  grid.addEventListener("keydown", (event) => {
    const row = event.target.closest("[data-number]");
    const all = [...grid.querySelectorAll("[data-number]")];
    const at = all.indexOf(row);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: Math.min(at + 10, all.length - 1), PageUp: Math.max(at - 10, 0), Home: 0, End: all.length - 1 }[event.key];
    if (to === -1 && !$("listing").hidden) filter.focus();
    else if (to !== undefined) step(all[to]);
    else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey || event.key === " ") choose(row);
    else return;
    event.preventDefault();
  });
}

// step moves the focus to a row: one of them has it in the order of the page.
function step(row) {
  if (!row) return;
  for (const other of grid.querySelectorAll("[tabindex='0']")) other.tabIndex = -1;
  row.tabIndex = 0;
  row.focus();
}

function choose(row) {
  if (!row) return;
  Object.assign(state, { one: Number(row.dataset.number), picked: true });
  last = { text: command.value, one: state.one };
  mark();
  changed();
}

function mark() {
  for (const row of grid.querySelectorAll("[data-number]")) {
    const is = Number(row.dataset.number) === state.one;
    row.ariaSelected = String(is);
    row.tabIndex = is ? 0 : -1;
  }
  if (!grid.querySelector("[tabindex='0']")) grid.querySelector("[data-number]")?.setAttribute("tabindex", 0);
}

// listRequests offers the requests of a text that has several, those that have the
// words of the filter.
export function listRequests() {
  const { answer } = state;
  const folded = isFolded();
  if (!answer && command.value.trim() !== "") return; // the next one will tell
  const several = answer?.count > 1;
  const place = $(folded ? "folded-requests" : "requests");
  if ($("choice").parentElement !== place) place.append($("choice"));
  $("requests").hidden = !several || folded;
  $("folded-requests").hidden = !several || !folded;
  $("listing").hidden = !(answer?.count > many);
  if (!several) {
    drawn = "";
    rows = [];
    return grid.replaceChildren();
  }
  const recorded = state.description?.shell === "har" ? factsOf(command.value) : null;
  const facts = recorded?.length === answer.list.length ? recorded : null;
  kinds.hidden = !facts;
  const present = JSON.stringify([answer.list, facts, filter.value, kind]);
  if (present !== drawn) {
    rows = answer.list.map((line, i) => rowOf(line, i + 1, facts?.[i]));
    draw(facts);
    drawn = present;
  }
  mark();
}

function rowOf(line, number, fact) {
  const space = line.indexOf(" ");
  const [method, url] = [line.slice(0, space), line.slice(space + 1)];
  const [, host = "", path = url] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  const [status, type] = fact ? [fact.status || "–", fact.type || "–"] : ["", ""];
  return { number, method, status, type, path: path || "/", host, url, fact, words: `${method} ${status} ${type} ${url}`.toLowerCase() };
}

function draw(facts) {
  if (facts && !rows.some(filters[kind][1])) kind = "all";
  kinds.replaceChildren(...facts ? Object.entries(filters).map(([name, [label, has]]) => element("button", { type: "button", className: "chip", ariaPressed: String(kind === name),
    onclick: () => { kind = name; listRequests(); kinds.querySelector("[aria-pressed=true]").focus(); } }, `${label} ${rows.filter(has).length}`)) : []);
  const words = $("listing").hidden ? [] : filter.value.toLowerCase().split(/\s+/);
  const found = rows.filter((row) => (!facts || filters[kind][1](row)) && words.every((word) => row.words.includes(word)));
  $("found").textContent = `${found.length} shown`;
  grid.classList.toggle("recorded", Boolean(facts));
  grid.replaceChildren(
    element("div", { role: "row", className: "head" }, ["#", "Method", ...facts ? ["Status", "Type"] : [], "Path", "Host"].map((name) => element("span", { role: "columnheader" }, name))),
    element("div", { role: "row", tabIndex: -1, "data-number": "0", className: "all" }, cell("", `All ${rows.length} requests`)),
    ...found.map((row) => element("div", { role: "row", tabIndex: -1, "data-number": String(row.number), title: row.url },
      cell("number", row.number), cell(`verb method-${row.method}`, row.method),
      facts && cell(row.fact.status >= 400 ? "failed" : "", row.status), facts && cell("", row.type),
      cell("path", ...cut(row.path)), cell("host", row.host))));
}

const cell = (className, ...text) => element("span", { role: "gridcell", className }, ...text.map((one) => typeof one === "object" ? one : String(one)));

// cut returns the nodes of a path, whose middle and whose query give way where there is no room.
function cut(path) {
  const end = path.search(/[?#]|$/);
  const [way, query] = [path.slice(0, end), path.slice(end)];
  const from = way.length > tail + 6 ? way.length - tail : 0;
  return [from > 0 && element("span", { className: "begins" }, way.slice(0, from)), element("span", {}, way.slice(from)), query && element("span", { className: "query" }, query)].filter(Boolean);
}
