// The picker of a target: a field to search in and a list in sections, by the
// pattern "combobox" of the ARIA Authoring Practices.
import { element } from "./dom.js";
import { kinds, label, matching } from "./targets.js";

// picker returns the nodes, and a function that shows a target as chosen.
// whenChosen is called with what the user picks.
export function picker(targets, whenChosen) {
  const list = element("div", { id: "targets", role: "listbox", ariaLabel: "Languages, files and commands", hidden: true });
  const field = element("input", {
    id: "target", role: "combobox", type: "text", autocomplete: "off", spellcheck: false, ariaExpanded: "false", ariaAutoComplete: "list",
    "aria-controls": "targets", placeholder: "Search: python, fetch, postman …",
  });
  let chosen = null;
  let shown = []; // the options in the list
  let active = -1;

  const activate = (at) => {
    shown[active]?.classList.remove("active");
    active = at;
    const option = shown[at];
    if (!option) return field.removeAttribute("aria-activedescendant");
    option.classList.add("active");
    option.scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", option.id);
  };
  const close = () => {
    list.hidden = true;
    field.ariaExpanded = "false";
    activate(-1);
    field.value = chosen ? label(chosen) : "";
  };
  const choose = (target) => {
    chosen = target;
    close();
    whenChosen(target);
  };
  const open = (search) => {
    const found = matching(targets, search);
    shown = [];
    const option = (target) => {
      const made = element("div", { role: "option", id: `target-${target.name}`, ariaSelected: String(target === chosen) },
        element("span", {}, label(target)), element("span", { className: "soft" }, target.version));
      made.target = target;
      shown.push(made);
      return made;
    };
    const sections = Object.entries(kinds).map(([kind, title]) => {
      const members = found.filter((target) => target.kind === kind);
      return members.length > 0 && element("div", { role: "group", ariaLabel: title },
        element("div", { className: "group", ariaHidden: "true" }, title), members.map(option));
    });
    list.replaceChildren(...sections.filter(Boolean));
    if (found.length === 0) list.append(element("div", { role: "option", ariaDisabled: "true", className: "soft" }, `No target matches “${search}”`));
    list.hidden = false;
    field.ariaExpanded = "true";
    active = -1;
    activate(search ? shown.findIndex((made) => made.target === found[0]) : shown.findIndex((made) => made.target === chosen));
  };

  field.addEventListener("focus", () => field.select());
  field.addEventListener("click", () => { if (list.hidden) open(""); });
  field.addEventListener("input", () => open(field.value));
  field.addEventListener("blur", close);
  // The list takes no focus, so that the field keeps it.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", ({ target }) => {
    const option = target.closest("[role=option]");
    if (option?.target) choose(option.target);
  });
  field.addEventListener("keydown", (event) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move) {
      event.preventDefault();
      if (list.hidden) open("");
      else activate((active + move + shown.length) % shown.length);
    } else if (event.key === "Enter" && !list.hidden && shown[active]) {
      event.preventDefault();
      choose(shown[active].target);
    } else if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      close();
    }
  });

  const nodes = element("div", { className: "picker" }, element("label", { htmlFor: "target", className: "unseen" }, "Write it as"), field, list);
  return { nodes, show(target) { chosen = target; close(); } };
}
