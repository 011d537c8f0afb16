// The picker of a target: a field to search in and a list in sections, by the
// pattern "combobox" of the ARIA Authoring Practices. Behind the targets it has the
// actions of the page, so that it is a palette, too.
import { element } from "./dom.js";
import { label, matching, proof, sorted } from "./targets.js";

// picker returns the nodes, and a function that shows a target as chosen.
// whenChosen is called with what the user picks. An action is {label, keys, run}.
export function picker(targets, actions, whenChosen) {
  const list = element("div", { id: "targets", role: "listbox", ariaLabel: "Languages, files, commands and actions", hidden: true });
  const field = element("input", {
    id: "target", role: "combobox", type: "text", autocomplete: "off", spellcheck: false, ariaExpanded: "false", ariaAutoComplete: "list",
    "aria-controls": "targets", placeholder: "Search: python, fetch, postman …", title: "Ctrl+K",
  });
  let chosen = null;
  let shown = []; // the options in the list
  let active = -1;

  const activate = (at) => {
    const from = active;
    shown[active]?.classList.remove("active");
    active = at;
    const option = shown[at];
    if (!option) return field.removeAttribute("aria-activedescendant");
    option.classList.add("active");
    option.scrollIntoView({ block: from < 0 ? "center" : "nearest" });
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
    const option = (id, text, more, choose, properties) => {
      const made = element("div", { role: "option", id, ariaSelected: "false", ...properties }, element("span", {}, text), element("span", { className: "soft" }, more));
      made.choose = choose;
      shown.push(made);
      return made;
    };
    const section = (title, options) => element("div", { role: "group", ariaLabel: title }, element("div", { className: "group", ariaHidden: "true" }, title), options);
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    const doing = actions.filter(({ label }) => words.every((word) => label.toLowerCase().split(" ").some((part) => part.startsWith(word))));
    const target = (target) => option(`target-${target.name}`, label(target), target.proven ? target.version : `${target.version}, ${target.proof}`, () => choose(target), { ariaSelected: String(target === chosen), title: proof(target) });
    const sections = sorted(found, search).map(([title, members]) => section(title, members.map(target)));
    if (doing.length) sections.push(section("Actions", doing.map(({ label, keys = "", run }, i) => option(`action-${i}`, label, keys, () => { close(); run(); }))));
    list.replaceChildren(...sections);
    if (shown.length === 0) list.append(element("div", { role: "option", ariaDisabled: "true", className: "soft" }, `No target matches “${search}”`));
    list.hidden = false;
    field.ariaExpanded = "true";
    active = -1;
    activate(search && !found.length ? 0 : search ? shown.findIndex(({ id }) => id === `target-${found[0]?.name}`) : shown.findIndex(({ ariaSelected }) => ariaSelected === "true"));
  };

  field.addEventListener("focus", () => field.select());
  field.addEventListener("palette", () => { if (list.hidden) open(""); });
  field.addEventListener("click", () => { if (list.hidden) open(""); });
  field.addEventListener("input", () => open(field.value));
  field.addEventListener("blur", close);
  // The list takes no focus, so that the field keeps it.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", ({ target }) => {
    target.closest("[role=option]")?.choose?.();
  });
  field.addEventListener("keydown", (event) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move) {
      event.preventDefault();
      if (list.hidden) open("");
      else activate((active + move + shown.length) % shown.length);
    } else if (event.key === "Enter" && !list.hidden && shown[active]) {
      event.preventDefault();
      shown[active].choose();
    } else if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      close();
    }
  });

  const nodes = element("div", { className: "picker" }, element("label", { htmlFor: "target", className: "unseen" }, "Write it as"), field, list);
  return { nodes, show(target) { chosen = target; close(); } };
}
