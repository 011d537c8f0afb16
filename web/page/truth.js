// The line under a program that says what it sends in comparison with curl, what of the text
// is not in it, and what stands in it for secrets. All notes of a program are behind it, so
// that they take no room of the code.
import { element } from "./dom.js";
import { hintFor } from "./problems.js";
import { proof } from "./targets.js";

// noted are the warnings of a program that are about it and not about the command.
const noted = ["cannot-express", "secret-moved", "placeholder-moved"];

// leftOut is how warnings about lines begin that are in no request: their code is that of all noise.
const leftOut = /^(these lines|this line is not part|the shell would not accept these lines)/;

// mostSaid is how many differences the line itself names.
const mostSaid = 3;

// words are what the kinds of differences are called: see docs/code.md.
const words = {
  "follows-redirects": () => "follows redirects",
  spelling: ({ of, fields }) => `spelling of ${{ url: "the URL", form: "the form" }[of] ?? fields?.join(", ") ?? "fields"}`,
  "json-blanks": () => "blanks in the JSON",
  "header-order": () => "order of the headers",
  "header-case": () => "letters of header names",
  "form-parts": () => "heads of the form's parts",
  compression: () => "compressions it takes",
  "decodes-text": () => "prints the response as text, not as bytes",
};

// wordsFor returns what a program does otherwise than curl.
export const wordsFor = (differs) => differs.flatMap((one) => one.kind === "unproven" ? [] : one.kind === "adds" ? one.fields ?? [] : [words[one.kind]?.(one) ?? one.kind]);

// some names the first of a list.
const some = (list) => `${list.slice(0, mostSaid).join(", ")}${list.length > mostSaid ? ` and ${list.length - mostSaid} more` : ""}`;

const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

// lost returns the warnings about lines of a text that are in no request, and how many lines that are.
export function lost(warnings, text) {
  const found = warnings.filter(({ message }) => leftOut.test(message));
  const bytes = new TextEncoder().encode(text);
  const lines = found.map(({ span }) => new TextDecoder().decode(bytes.subarray(span.start, span.end)).trimEnd().split("\n").length);
  return { found, lines: lines.reduce((sum, n) => sum + n, 0) };
}

// truth returns the line for a program of a target: code is its answer, warnings are those of
// the command, and exact turns on the style that sends what curl sends, where there is one.
export function truth({ code, target, warnings, text, exact }) {
  const { found, lines } = lost(warnings, text);
  const notes = code.warnings.filter((one) => noted.includes(one.code));
  const lacking = notes.filter((one) => one.code === "cannot-express");
  const variables = notes.filter((one) => one.code !== "cannot-express");
  const all = wordsFor(code.differs ?? []);
  const said = (code.differs ?? []).filter(({ kind }) => kind !== "decodes-text"); // that is no matter of the request
  const own = wordsFor(said.filter(({ kind }) => kind === "adds")); // fields of the client, which no style takes away
  const other = wordsFor(said.filter(({ kind }) => kind !== "adds"));
  const proven = target.proven && !code.differs?.some(({ kind }) => kind === "unproven");
  const parts = [
    lines > 0 && element("span", { className: "doubt" }, `⚠ ${count(lines, "line")} of your text ${lines === 1 ? "was" : "were"} left out`),
    lacking.length > 0 && element("span", { className: "doubt" }, `⚠ ${count(lacking.length, "thing")} it cannot express`),
    other.length > 0 ? element("span", {}, `Differs: ${some([...other, ...own])}`)
      : target.kind === "file" ? element("span", {}, "Written to describe the same request")
      : lacking.length === 0 && lines === 0 && element("span", { className: proven ? "same" : "" }, proven ? "✓ Same request as curl 8.22" : "Written to send the same request; not run", own.length > 0 && `, but ${some(own)}`),
    variables.length > 0 && element("span", {}, count(variables.length, "secret is a variable", "secrets are variables")),
  ].filter(Boolean).flatMap((part, i) => i ? [" · ", part] : [part]);
  const rows = [
    ...found.map(({ line, message, hint }) => element("li", {}, `Line ${line}: ${message}`, hint && ` (${hint})`)),
    ...[...lacking, ...variables].map((one) => element("li", {}, one.message, one.hint && ` (${hintFor(one)})`)),
    target.proven ? null : element("li", { id: "proof" }, proof(target)),
    all.length > 0 && element("li", {}, `Otherwise than curl: ${all.join(", ")}. The request means the same. curl adds its own User-Agent and Accept where a command gives none; programs have those of their client.`),
  ].filter(Boolean);
  const line = rows.length ? element("details", { className: "menu up", id: "truth" }, element("summary", {}, ...parts), element("ul", { ariaLabel: "About the code", tabIndex: 0 }, rows)) : element("p", { id: "truth" }, ...parts);
  return [line, exact && other.length > 0 && element("button", { type: "button", className: "quiet", onclick: exact, title: "Write it so that it sends what curl sends, as far as the client can" }, "Make it identical")].filter(Boolean);
}

// installs are the commands that install what a program needs, by the file in which a project names it.
const installs = { "requirements.txt": "pip install", "package.json": "npm install", "go.mod": "go get", Gemfile: "gem install", "Cargo.toml": "cargo add", "composer.json": "composer require" };

// runLine returns what to type before a program runs, or "" where nothing is needed.
export function runLine({ dependencies = [] }) {
  const command = installs[dependencies[0]?.file];
  if (!command || dependencies.some(({ file }) => installs[file] !== command)) return "";
  if (command !== "cargo add") return `${command} ${dependencies.map(({ name }) => name).join(" ")}`;
  const features = (line) => [.../features = \[(.*?)\]/.exec(line)?.[1].matchAll(/"([^"]+)"/g) ?? []].map(([, name]) => name).join();
  return dependencies.map(({ name, line }) => `cargo add ${name}${features(line) && ` --features ${features(line)}`}`).join(" && ");
}
