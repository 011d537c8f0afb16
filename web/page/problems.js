// The list of errors and warnings under the box.
import { $, element } from "./dom.js";
import { replace, replaceAll, select } from "./editor.js";

const ranks = ["error", "doubt", "advice"];
const titles = { error: "Error", doubt: "Warning", advice: "Note" };

export const rank = (problem) => problem.error ? "error" : problem.level ?? "doubt";

// inOrder returns problems each once: errors, then doubts, then advice, and in
// the order of the text.
export function inOrder(problems) {
  const seen = new Set();
  const once = problems.filter(({ code, message, span }) => {
    const key = JSON.stringify([code, message, span]);
    return !seen.has(key) && seen.add(key);
  });
  return once.sort((a, b) => ranks.indexOf(rank(a)) - ranks.indexOf(rank(b)) || (a.span?.start ?? 0) - (b.span?.start ?? 0));
}

// hintFor returns a hint in words of the page instead of the API's members.
export function hintFor({ hint }) {
  return hint?.replace(/pass (it|its value|their values|its content|the part) in (?:env|files|stdin|a file)(?: as [^ ,]+)?/, "give $1 in the field below")
    .replace("ask for the full description (/api/parse), or pass one request at a time", "choose one of the requests")
    .replace("name one with entry, or ask for the full description (/api/parse)", "choose one of the requests")
    .replace(/^put uncoil before the command.*$/, "give it in the field below")
    .replace(/use auth of the full description(?: \(\/api\/parse\))?/, "see Authentication, in the view Request");
}

// listProblems shows problems, the notes folded. help says whether there are pages
// about errors.
export function listProblems(problems, help) {
  const notes = problems.filter((problem) => rank(problem) === "advice");
  const others = problems.filter((problem) => rank(problem) !== "advice");
  const fixes = problems.filter(({ fix }) => fix).map(({ fix }) => fix);
  const open = $("problems").querySelector("details")?.open ?? false;
  $("problems").replaceChildren(
    ...fixes.length > 1 ? [element("li", { className: "all" }, element("button", { type: "button", className: "fix", title: "Ctrl+Z takes it back", onclick: () => replaceAll(fixes) }, `Fix all ${fixes.length}`))] : [],
    ...others.map((problem) => row(problem, help)),
    ...notes.length ? [element("li", { className: "notes" }, element("details", { open }, element("summary", {}, notes.length === 1 ? "1 note" : `${notes.length} notes`), element("ul", {}, notes.map((note) => row(note, help)))))] : []);
}

function row(problem, help) {
  return element("li", { className: rank(problem) },
    element("strong", {}, titles[rank(problem)]),
    problem.span && element("button", { type: "button", className: "place", title: "Show the position", onclick: () => select(problem.span), ariaLabel: `${problem.line}:${problem.column}, show the position` }, `${problem.line}:${problem.column}`),
    element("span", {}, problem.message),
    problem.hint && element("span", { className: "hint" }, hintFor(problem)),
    problem.fix && element("button", { type: "button", className: "fix", title: "Ctrl+Z takes it back", ariaLabel: `Fix it: ${hintFor(problem) ?? problem.message}`, onclick: () => replace(problem.fix.span, problem.fix.text) }, "Fix it"),
    help && problem.error && problem.code && element("a", { href: `problems/${problem.code}`, target: "_blank", rel: "noopener" }, "What this means"));
}
