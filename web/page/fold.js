// A long text is folded to its facts: to lay out megabytes for each key takes a
// browser seconds. Of a recording nobody reads the text, so that it is folded earlier.
import { $ } from "./dom.js";
import { longest } from "./editor.js";
import { isRecording } from "./recording.js";
import { state } from "./state.js";

const command = $("command");

// longestRecording is the length up to which a recording is shown as it is.
const longestRecording = 20_000;

const isLong = (text) => text.length > longest || text.length > longestRecording && isRecording(text);

let opened = null; // the text that was to be seen whole

export const isFolded = () => state.folded;

// fold folds a text that is long, unless it was opened.
export function fold() {
  const long = isLong(command.value);
  state.folded = long && command.value !== opened;
  if (!long) opened = null;
  show();
}

// unfold shows the box, so that a text can be put into it, unless that one is folded, too: then the
// browser need not lay it out for a moment.
export function unfold(text = "") {
  state.folded = isLong(text);
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
  const { length } = command.value;
  const [unit, size] = length < 1e5 ? ["kB", length / 1e3] : ["MB", length / 1e6];
  const count = answer?.count ? `${answer.count} ${answer.count === 1 ? "request" : "requests"}` : answer?.problem ? "an error" : "…";
  $("folded-facts").textContent = `${description ? kinds[description.shell] ?? description.shell : "Text"}, ${new Intl.NumberFormat("en", { maximumFractionDigits: 1 }).format(size)} ${unit}, ${count}`;
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
