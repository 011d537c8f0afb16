// The switch between light and dark. Without a choice the page follows the
// system; a choice is kept for later visits, like the target.
import { $ } from "./dom.js";
import * as keep from "./keep.js";

export function startTheme() {
  const choice = $("theme");
  const apply = () => { document.documentElement.dataset.theme = choice.value; };
  choice.value = keep.theme() ?? "";
  choice.addEventListener("change", () => { apply(); keep.setTheme(choice.value); });
  apply();
}
