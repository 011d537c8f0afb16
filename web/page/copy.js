// Copies text to the clipboard.
import { element } from "./dom.js";

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyOldWay(text);
  }
}

// copyOldWay works without the clipboard API, such as over plain HTTP.
function copyOldWay(text) {
  const focused = document.activeElement;
  const box = element("textarea", { value: text, className: "unseen", readOnly: true });
  document.body.append(box);
  box.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    box.remove();
    focused?.focus();
  }
}
