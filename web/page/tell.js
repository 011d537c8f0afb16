import { $ } from "./dom.js";

// tell shows a text on a button for a moment.
export function tell(button, text) {
  button.dataset.label ??= button.textContent;
  button.dataset.name ??= button.ariaLabel ?? "";
  button.textContent = text;
  button.ariaLabel = null; // it would say something else
  $("status").textContent = text;
  clearTimeout(button.timer);
  button.timer = setTimeout(() => {
    button.textContent = button.dataset.label;
    button.ariaLabel = button.dataset.name || null;
  }, 1500);
}
