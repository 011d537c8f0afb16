// The box to paste into. Its own text is transparent: what is seen is a copy behind it,
// with colours, with lines under the spans of problems, and with dots for secrets that
// are hidden.
import { $, element } from "./dom.js";
import { cut, locate, moved, toIndices, veil } from "./places.js";

// longest is the length up to which a text is copied for its marks.
export const longest = 200_000;

const command = $("command");
const marks = $("marks");
const editor = $("editor");

let drawn = {}; // how the text was hidden last
let parts = []; // what of it is drawn in a way of its own: {start, end, className, use}
let drawnText = ""; // the text that they are of

// seen returns the text as it is to be seen: with dots where secrets are hidden.
export const seen = ({ hide = false, secrets = null, hidden = [] } = drawn) => hide ? veil(command.value, secrets, hidden) : command.value;

// draw shows the current text with its problems and the uses of its options.
export function draw(problems, uses, veiling = {}) {
  drawn = veiling;
  drawnText = command.value;
  if (drawnText.length > longest) return plainly();
  const marks = locate(drawnText, problems).map(({ start, end, problem }) => ({ start, end, className: problem.error ? "error" : problem.level === "advice" ? "advised" : "warning" }));
  const places = uses.flatMap((use, i) => [{ span: use.span, className: use.name ? "option" : "url", use: i }, ...use.argument ? [{ span: use.argument, className: "argument", use: i }] : []]);
  parts = cut(locate(drawnText, places).map(({ start, end, problem: { className, use } }) => ({ start, end, className, use })), marks);
  show();
}

// redraw shows the text after a change, with the colours that it had before, until
// draw knows better.
export function redraw(veiling = {}) {
  drawn = veiling;
  const text = command.value;
  if (text.length > longest) return plainly();
  parts = moved(parts, drawnText, text);
  drawnText = text;
  show();
}

function plainly() {
  parts = [];
  editor.classList.toggle("veiled", Boolean(drawn.hide));
  editor.classList.add("long");
  marks.replaceChildren();
}

function show() {
  editor.classList.toggle("veiled", Boolean(drawn.hide));
  editor.classList.remove("long");
  const text = seen();
  const nodes = [];
  let at = 0;
  for (const { start, end, className, use, mark } of parts) {
    const node = element(mark ? "mark" : "span", { className: mark ? `${mark} ${className ?? ""}`.trim() : className }, text.slice(start, end));
    if (use !== undefined) node.dataset.use = use;
    nodes.push(text.slice(at, start), node);
    at = end;
  }
  // A line break at the very end would not make a line of its own.
  nodes.push(text.slice(at), "\u200b");
  marks.replaceChildren(...nodes.filter((node) => node !== ""));
}

// What is being composed by an input method stands in the box before it is text: then the box
// itself is seen, and not its copy.
for (const [event, on] of [["compositionstart", true], ["compositionend", false]]) command.addEventListener(event, () => editor.classList.toggle("composing", on));

// select selects a span.
export function select(span) {
  const [place] = locate(command.value, [{ span }]);
  if (!place) return;
  command.focus();
  command.setSelectionRange(place.start, place.end);
}

// replace puts a text in the place of a span, so that the box can undo it.
export function replace(span, text) {
  const indices = toIndices(command.value, [span.start, span.end]);
  insert(text, indices.get(span.start), indices.get(span.end));
}

// fixed returns the text with a fix, {span, text}.
export function fixed(text, { span, text: put }) {
  const indices = toIndices(text, [span.start, span.end]);
  return text.slice(0, indices.get(span.start)) + put + text.slice(indices.get(span.end));
}

// replaceAll puts several fixes, {span, text}, into the text at once. Of those that
// overlap, the first is put in; the next answer has the others again.
export function replaceAll(fixes) {
  const text = command.value;
  const indices = toIndices(text, fixes.flatMap(({ span }) => [span.start, span.end]));
  let made = "", at = 0;
  for (const { span, text: put } of [...fixes].sort((a, b) => a.span.start - b.span.start)) {
    if (indices.get(span.start) < at) continue;
    made += text.slice(at, indices.get(span.start)) + put;
    at = indices.get(span.end);
  }
  insert(made + text.slice(at));
}

// insert puts a text in the place of a range, or of all, so that the box can undo
// it.
export function insert(text, start = 0, end = command.value.length) {
  const lines = text.replace(/\r\n?/g, "\n"); // as the box has them
  const wanted = command.value.slice(0, start) + lines + command.value.slice(end);
  const before = command.value;
  command.focus({ preventScroll: true });
  // Only these commands of old add to the history of the box. For long texts, new or
  // replaced, they would take seconds.
  if (Math.max(lines.length, end - start) <= longestWritten) {
    command.setSelectionRange(start, end);
    if (write(lines) && command.value === wanted) return;
  }
  replaced.push({ before, after: wanted });
  if (replaced.length > mostReplaced) replaced.shift();
  command.value = wanted;
  command.setSelectionRange(start + lines.length, start + lines.length);
  command.dispatchEvent(new InputEvent("input"));
}

// longestWritten is the length up to which the browser itself puts a text into the box.
const longestWritten = 10_000;

// replaced are the changes that the history of the box does not have, the latest last.
const replaced = [];
const mostReplaced = 5;

// isReplaced reports whether the page itself has to take the last change back.
export const isReplaced = () => replaced.length > 0 && replaced.at(-1).after === command.value;

// write puts a text in the place of what is selected. As text, Chromium would lay
// out each line of it before the next: 4,000 lines would take a minute.
function write(text) {
  if (text === "") return document.execCommand("delete");
  return text.includes("\n") && document.execCommand("insertHTML", false, text.replaceAll("&", "&amp;").replaceAll("<", "&lt;"))
    || document.execCommand("insertText", false, text);
}

// undo takes back the last change of the box.
export function undo() {
  command.focus({ preventScroll: true });
  if (!isReplaced()) return document.execCommand("undo");
  command.value = replaced.pop().before;
  command.dispatchEvent(new InputEvent("input", { inputType: "historyUndo" }));
}
