// Explains the options of the command: the one under the pointer, or else the one at
// the caret. Its place in the box and its rows in the answer are marked together.
import { $, element } from "./dom.js";
import { toIndices } from "./places.js";
import { state } from "./state.js";

const command = $("command");
const box = $("marks");

let rest = -1; // the place of the caret when the answer came: who has not moved it asks for nothing
let pointed = null; // the number of the use under the pointer, or whose row is
let shown = null; // the use that is explained
let indices = null; // of the places of the uses, from bytes

// keysOf returns the names of the rows that a use set: "headers#0", "body", "method".
const keysOf = (use) => use.sets?.map(({ in: path, index }) => index === undefined ? path : `${path.split(".")[0]}#${index}`) ?? [];

// atCaret returns the number of the use at the caret, or null.
function atCaret() {
  const { uses } = state;
  if (document.activeElement !== command || !uses.length || command.value !== state.text || command.selectionStart === rest) return null;
  rest = -1;
  indices ??= toIndices(state.text, uses.flatMap(({ span, argument }) => [span.start, (argument ?? span).end]));
  const at = command.selectionStart;
  const found = uses.findLastIndex(({ span, argument }) => indices.get(span.start) <= at && at <= indices.get((argument ?? span).end));
  return found < 0 ? null : found;
}

// explain shows what is known of the use that is asked for.
function explain() {
  const number = pointed ?? atCaret();
  for (const lit of document.querySelectorAll(".lit")) lit.classList.remove("lit");
  const use = state.uses[number];
  if (use) {
    for (const node of box.querySelectorAll(`[data-use="${number}"]`)) node.classList.add("lit");
    for (const key of keysOf(use)) {
      for (const row of document.querySelectorAll(`[data-set="${CSS.escape(key)}"]`)) if (covers(use, Number(row.dataset.of))) row.classList.add("lit");
    }
  }
  if (use && use === shown) return;
  shown = use;
  $("explained").replaceChildren(...use ? words(use) : []);
}

const covers = ({ requests }, number) => Boolean(requests) && requests[0] <= number && number <= requests[1];

function words(use) {
  const sets = [...new Set(use.sets?.filter(({ in: path }) => !/^options\.|^url$/.test(path)).map(({ in: path }) => path.replace(/^headers\./, "").replace(/^removedHeaders\.(.*)/, "no $1").replace(/^body\.(.*)/, "the part $1").replace(/^(method|body)$/, "the $1").replace("auth", "authentication")) ?? [])];
  const effect = use.ignored ? `No effect on the request: ${use.ignored}.` : sets.length ? `Sets ${new Intl.ListFormat("en").format(sets)}.` : use.requests ? "" : "No request comes of it.";
  return [use.name && element("code", {}, use.name), use.name && " ", `${use.text}.`, effect && ` ${effect}`].filter(Boolean);
}

// point explains a use while the pointer or the focus is on what belongs to it.
function point(number) {
  if (pointed === number) return;
  pointed = number;
  explain();
}

// useOf returns the number of the use that set a row, or null.
function useOf(row) {
  const found = row ? state.uses.findIndex((use) => covers(use, Number(row.dataset.of)) && keysOf(use).includes(row.dataset.set)) : -1;
  return found < 0 ? null : found;
}

// The text in the box lies on top of its coloured copy, which is what has the uses.
function under(event) {
  const node = document.elementsFromPoint(event.clientX, event.clientY).find((node) => node.dataset?.use !== undefined && box.contains(node));
  return node ? Number(node.dataset.use) : null;
}

export function startUses() {
  let frame = 0;
  command.addEventListener("pointermove", (event) => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => point(under(event)));
  });
  command.addEventListener("pointerleave", () => { cancelAnimationFrame(frame); point(null); });
  document.addEventListener("selectionchange", explain);
  const rows = $("panel-request");
  for (const [event, leaves] of [["pointerover", false], ["focusin", false], ["pointerleave", true], ["focusout", true]]) {
    rows.addEventListener(event, ({ target }) => point(leaves ? null : useOf(target.closest("[data-set]"))));
  }
}

// newUses forgets the explanation, since the answer is another.
export function newUses() {
  pointed = null;
  indices = null;
  rest = command.selectionStart;
  explain();
}
