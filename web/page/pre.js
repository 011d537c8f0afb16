// Shows text as it is. What is very long would make each key wait for its
// layout, so only its beginning is shown; copying gives all of it.
import { element } from "./dom.js";

const mostShown = 100_000;

// pre returns the nodes for a text that is given as one string, or as nodes.
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
