// What the page keeps in its address: after the #, which browsers do not send.
// That is the target of the code while it is shown, and on request the command.
import { $ } from "./dom.js";

// longest is the longest URL that all browsers and mail programs accept.
const longest = 30_000;

const fields = () => new URLSearchParams(location.hash.slice(1));

function withHash(fields) {
  const url = new URL(location.href);
  url.hash = fields.toString();
  return url.href;
}

// linkTo returns the URL of this page with a command, or null if it would be too
// long.
export function linkTo(command, shell) {
  const made = new URLSearchParams({ curl: command });
  if (shell !== "auto") made.set("shell", shell);
  if (target()) made.set("to", target());
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

// target returns the name of the target in the URL, or null.
export const target = () => fields().get("to");

// setTarget puts the name of a target into the URL, or takes it out if it is null.
export function setTarget(name) {
  if (target() === name) return;
  const made = fields();
  if (name) made.set("to", name);
  else made.delete("to");
  replace(made);
}

function replace(fields) {
  history.replaceState(null, "", `${fields}` ? withHash(fields) : location.pathname + location.search);
}

// unlink takes the command out of the URL.
export function unlink() {
  if (fields().has("curl")) replace(new URLSearchParams(target() ? { to: target() } : {}));
}
