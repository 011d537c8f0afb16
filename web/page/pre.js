// Shows preformatted text. The layout of a very long text would delay each key,
// so only its beginning is shown; copying copies all of it.
import { element } from "./dom.js";

const mostShown = 100_000;

// pre returns the nodes for a text, which is one string or several nodes.
export function pre(children, className = "") {
  const [text] = children;
  if (children.length !== 1 || typeof text !== "string" || text.length <= mostShown) {
    return [element("pre", { className }, ...children)];
  }
  return [
    element("pre", { className }, text.slice(0, mostShown)),
    element("p", { className: "soft" }, `… and ${text.length - mostShown} more characters, which are copied too.`),
  ];
}
