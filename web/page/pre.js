// Shows preformatted text. The layout of a very long text would delay each key,
// so only its beginning is shown; copying copies all of it.
import { element } from "./dom.js";

const mostShown = 100_000;

// pre returns the nodes for a text, which is one string or several nodes. Those of a text that is
// cut end with the string that is not coloured.
export function pre(children, className = "") {
  const last = children.at(-1);
  const before = children.slice(0, -1);
  const rest = typeof last === "string" ? mostShown - before.reduce((sum, child) => sum + (child.textContent ?? child).length, 0) : 0;
  if (typeof last !== "string" || last.length <= Math.max(rest, 0)) return [element("pre", { className }, ...children)];
  return [
    element("pre", { className }, ...before, last.slice(0, Math.max(rest, 0))),
    element("p", { className: "soft" }, `… and ${last.length - Math.max(rest, 0)} more characters, which are copied too.`),
  ];
}
