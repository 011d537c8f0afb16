// A long text is folded to its facts: to lay out megabytes for each key takes a
// browser seconds.
import { $ } from "./dom.js";
import { longest } from "./editor.js";
import { state } from "./state.js";

const command = $("command");

let opened = null; // the text that was to be seen whole

export const isFolded = () => state.folded;

// fold folds a text that is long, unless it was opened.
export function fold() {
  state.folded = command.value.length > longest && command.value !== opened;
  if (command.value.length <= longest) opened = null;
  show();
}

// unfold shows the box, so that a text can be put into it.
export function unfold() {
  state.folded = false;
  show();
}

function show() {
  $("editor").hidden = state.folded;
  $("folded").hidden = !state.folded;
}

const kinds = { posix: "Commands", cmd: "Commands", powershell: "Commands", har: "HAR", http: "HTTP", fetch: "fetch" };

// showFacts says what is folded.
export function showFacts() {
  if (!state.folded) return;
  const { answer, description } = state;
  const size = new Intl.NumberFormat("en", { maximumFractionDigits: 1 }).format(command.value.length / 1e6);
  const count = answer?.count ? `${answer.count} ${answer.count === 1 ? "request" : "requests"}` : answer?.problem ? "an error" : "…";
  $("folded-facts").textContent = `${description ? kinds[description.shell] ?? description.shell : "Text"}, ${size} MB, ${count}`;
}

// startFold calls whenEdited after the user has opened the text.
export function startFold(whenEdited) {
  $("unfold").addEventListener("click", () => {
    opened = command.value;
    unfold();
    command.focus();
    whenEdited();
  });
}
