// What the page keeps in its address, after the #, which browsers do not send: the
// view, the target and how its program is written, and on request the command.
import { $ } from "./dom.js";

// longest is the longest URL that all browsers and mail programs accept.
const longest = 30_000;

// first is the view that the page begins with, and that no address names.
const first = "code";

const fields = () => new URLSearchParams(location.hash.slice(1));

function withHash(fields) {
  const url = new URL(location.href);
  url.hash = fields.toString();
  return url.href;
}

// seen returns what is in sight as fields: {view, target, options, one}.
function seen({ view, target, options, one }) {
  const made = new URLSearchParams();
  if (view !== first) made.set("view", view);
  if (target) made.set("to", target);
  if (options.length) made.set("opt", options.join());
  if (one) made.set("entry", one);
  return made;
}

// linkTo returns the URL of this page with a command and what is in sight, or null
// if it would be too long.
export function linkTo(command, shell, sight) {
  const made = new URLSearchParams({ curl: command });
  if (shell !== "auto") made.set("shell", shell);
  for (const [name, value] of seen(sight)) made.set(name, value);
  const url = withHash(made);
  return url.length > longest ? null : url;
}

// linked returns the command in the URL, or null.
export function linked() {
  const command = fields().get("curl");
  if (command === null) return null;
  const shell = fields().get("shell") ?? "auto";
  return { command, shell: [...$("shell").options].some(({ value }) => value === shell) ? shell : "auto" };
}

export const view = () => fields().get("view") ?? first;
export const target = () => fields().get("to");
export const entry = () => Math.max(0, Number.parseInt(fields().get("entry"), 10) || 0);
export const options = () => fields().get("opt")?.split(",") ?? [];

// show puts what is in sight into the URL, and takes a command out of it.
export function show(sight) {
  const made = `${seen(sight)}`;
  if (made === location.hash.slice(1)) return;
  history.replaceState(null, "", made ? withHash(new URLSearchParams(made)) : location.pathname + location.search);
}
