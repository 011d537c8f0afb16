// The tabs follow the ARIA Authoring Practices: the arrow keys, Home and End move
// between them, and Tab moves into the panel.
import { $ } from "./dom.js";

const list = $("tabs");
const tabs = [...list.querySelectorAll("[role=tab]")];
const panel = (tab) => $(tab.getAttribute("aria-controls"));

export const selected = () => tabs.find((tab) => tab.ariaSelected === "true").id.slice("tab-".length);

let change; // shows a tab and tells so

function show(chosen) {
  for (const tab of tabs) {
    tab.ariaSelected = String(tab === chosen);
    tab.tabIndex = tab === chosen ? 0 : -1;
    panel(tab).hidden = tab !== chosen;
  }
}

// choose shows the tab of a name.
export const choose = (name) => { if (selected() !== name) change($(`tab-${name}`)); };

// start shows the tab first, and calls whenChanged with the name of each later one.
export function start(whenChanged, first) {
  show($(`tab-${first}`));
  change = (tab) => { show(tab); whenChanged(selected()); };
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
