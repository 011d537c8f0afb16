// The tabs follow the ARIA Authoring Practices: the arrow keys, Home and End move
// between them, and Tab moves into the panel.
import { $ } from "./dom.js";

const list = $("tabs");
const tabs = [...list.querySelectorAll("[role=tab]")];
const panel = (tab) => $(tab.getAttribute("aria-controls"));

export const selected = () => tabs.find((tab) => tab.ariaSelected === "true").id.slice("tab-".length);

// start shows the first tab, and calls whenChanged after each change of tab.
export function start(whenChanged) {
  const show = (chosen) => {
    for (const tab of tabs) {
      tab.ariaSelected = String(tab === chosen);
      tab.tabIndex = tab === chosen ? 0 : -1;
      panel(tab).hidden = tab !== chosen;
    }
  };
  show(tabs[0]);
  const change = (tab) => { show(tab); whenChanged(); };
  list.addEventListener("click", ({ target }) => { if (tabs.includes(target)) change(target); });
  list.addEventListener("keydown", (event) => {
    const at = tabs.indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const tab = tabs.at(to % tabs.length);
    tab.focus();
    change(tab);
  });
}
