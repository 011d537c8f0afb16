// Files that are chosen, or dropped anywhere but on a field for another: the browser
// would leave the page for them.
import { $ } from "./dom.js";
import { readFile } from "./recording.js";
import { tell } from "./tell.js";

// startFiles calls take with the text of each file.
export function startFiles(take) {
  const load = async (files) => {
    if (!files.length) return;
    const { text, left } = await readFile(files[0]);
    if (text.includes("\0")) return tell($("open"), "This file is no text");
    take(text);
    if (files.length > 1) tell($("open"), `Only the first of ${files.length} files`);
    else if (left) tell($("open"), `Without the content of ${left} responses`);
  };
  const chooser = $("file");
  $("open").addEventListener("click", () => chooser.click());
  chooser.addEventListener("change", async () => {
    await load(chooser.files);
    chooser.value = ""; // so that the same can be chosen again
  });
  const has = (event) => event.dataTransfer.types.includes("Files") && !event.target.matches?.("input[type=file]");
  document.addEventListener("dragover", (event) => { if (has(event)) event.preventDefault(); });
  document.addEventListener("drop", (event) => {
    if (!has(event)) return;
    event.preventDefault();
    load(event.dataTransfer.files);
  });
}
