// Changes the method, a header or a query pair of a request. The engine writes
// the command that sends the change.
import { codeEngine } from "./codeengine.js";
import { element } from "./dom.js";

// change asks for the command after an edit, {part, at, name, value, remove}, of
// one of the requests of a question. whenRefused receives the reason why there
// is none, and whenWritten the command and the shell to read it in.
export function change(question, one, { part, at = 0, name = "", value = "", remove = false }, whenRefused, whenWritten) {
  codeEngine(whenRefused).ask("edit", [JSON.stringify(question), one, part, at, name, value, remove], ({ problem, curl, shell }) => {
    if (problem) whenRefused(problem.detail);
    else whenWritten(curl, shell);
  });
}

// A place is the part of an edit and its at, as one word. Buttons have it, so
// that the focus can return to them.
export const placeOf = ({ part, at = 0 }) => `${part}.${at}`;

// editButton opens the fields for a part of a request: its name and value, or of
// a method the value. open receives the nodes, and shows null when it is done.
export function editButton(text, label, edit, open, save, properties = {}) {
  return element("button", { type: "button", className: "edit", ariaLabel: label, "data-place": placeOf(edit), ...properties, onclick: () => open(fields(edit, open, save)) }, text);
}

function fields(edit, open, save) {
  const isNew = edit.value === undefined;
  const input = (label, value = "") => element("input", { type: "text", ariaLabel: label, value, autocomplete: "off", spellcheck: false, placeholder: label });
  const name = edit.part === "method" ? null : input("Name", edit.name);
  const value = input(name ? "Value" : "Method", edit.value);
  if (!name) value.setAttribute("list", "methods");
  const reason = element("p", { className: "refused", role: "alert" });
  const send = (remove) => {
    reason.replaceChildren("The command is being written …");
    save({ part: edit.part, at: edit.at, name: name?.value, value: value.value, remove }, (why) => reason.replaceChildren(why));
  };
  const made = element("form", { className: "fields", onsubmit: (event) => { event.preventDefault(); send(false); } },
    name, value,
    element("button", { type: "submit", className: "main" }, isNew ? "Add" : "Save"),
    !isNew && name && element("button", { type: "button", onclick: () => send(true) }, "Remove"),
    element("button", { type: "button", onclick: () => open(null) }, "Cancel"),
    reason);
  made.addEventListener("keydown", (event) => { if (event.key === "Escape") open(null); });
  return { nodes: made, focus: () => (isNew && name ? name : value).focus() };
}
