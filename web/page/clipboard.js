// What is pasted anywhere on the page goes into the box, and secrets that are hidden
// there stay out of the clipboard.
import { $ } from "./dom.js";
import { insert, isReplaced, seen, undo } from "./editor.js";

const command = $("command");

const ofAnotherField = ({ target }) => target.matches?.("input, textarea");

// isCommand tells what goes into the box from what somebody looks for in a list.
const isCommand = (text) => text.trim().includes("\n") || /^\s*(curl\s|\{)/.test(text);

// startClipboard calls take with what is pasted outside of the box, and fills with
// nothing before the browser itself puts it there.
export function startClipboard(take, fills) {
  // The box takes what the user pastes by keyboard elsewhere than in a field: the
  // browser does that at once, where a script would take seconds for thousands of
  // lines.
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "v" || !(event.ctrlKey || event.metaKey) || event.altKey || ofAnotherField(event)) return;
    fills();
    command.focus({ preventScroll: true });
    command.select();
  });
  document.addEventListener("paste", (event) => { // by a menu
    const text = event.clipboardData.getData("text/plain");
    if (text === "" || ofAnotherField(event) && !(event.target === $("filter") && isCommand(text))) return;
    event.preventDefault();
    take(text);
  });
  document.addEventListener("keydown", undone);
  command.addEventListener("copy", copied);
  command.addEventListener("cut", copied);
}

// undone takes back the last change of the box from anywhere, except from another
// field.
function undone(event) {
  if (event.key !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
  if (event.target === command ? !isReplaced() : ofAnotherField(event)) return;
  event.preventDefault();
  undo();
}

// copied keeps secrets that are hidden in the box from the clipboard.
function copied(event) {
  const { selectionStart: start, selectionEnd: end } = command;
  if (!$("hide").checked || start === end) return;
  event.preventDefault();
  event.clipboardData.setData("text/plain", seen().slice(start, end));
  if (event.type === "cut") insert("", start, end);
}
