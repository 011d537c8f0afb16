#!/usr/bin/env node
// The command line of the package: npx uncoil 'curl …'. What reads files is that of the
// program uncoil, which has the rest, too.
import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { parseArgs } from "node:util";
import { quoted } from "./core.mjs";
import { load, UncoilError } from "./index.mjs";
import { switches } from "./switches.mjs";

// offered tells which switches are flags here: the answer of convert has no warnings.
const offered = ({ name, flag }) => flag && name !== "warnings";

// helpOf returns the lines of a flag, with its text from the same column on.
function helpOf({ flag, argument = "", text, scope }) {
  const name = `  -${flag} ${argument}`.trimEnd();
  const room = name.length < 19 ? name.padEnd(20) : `${name}\n${" ".repeat(20)}`;
  return `${room}${scope === "programs" ? "code: " : ""}${text}\n`;
}

const help = () => `Usage:

  npx uncoil 'curl …'                the request: method, url, headers, data
  npx uncoil parse 'curl …'          everything about the requests
  npx uncoil code -to TARGET 'curl …'   a program, file or command that sends them
  npx uncoil TARGET 'curl …'         the same
  npx uncoil targets                 list the targets
  npx uncoil explain 'curl …'        what each option does, and did
  npx uncoil lint FILES              check the curl commands of documentation and scripts
  npx uncoil snippets FILES          keep programs in documentation in step with them
  npx uncoil fmt FILES               format the commands of scripts
  npx uncoil extract FILES           list the commands of documentation and scripts
  npx uncoil batch                   convert many commands: a line in, a line out
  npx uncoil lsp                     answer an editor
  npx uncoil version                 print the version

A command is one argument in quotes, or the name of a file that has it, or stands last
without quotes: what follows the word curl is then curl's. If it is missing or -, it is
read from standard input. Nothing is sent, and no other files are read but by lint,
snippets, fmt and extract; each of them explains itself with -h, as explain, batch and
lsp do. The services mcp and serve are in the program uncoil alone.

Flags, before or after the command, with one dash or two as in the program uncoil:

  -to TARGET        what code writes; a name of the list of targets
  -env NAME=VALUE   a shell variable, NAME alone for that of the environment; may be repeated
${switches.filter(offered).map(helpOf).join("")}  -fail-on doubt    exit with 1 when there is a doubt about the answer
  -q                no warnings on standard error
  -V                the version
  -h                this text

The exit code is 0, or 1 if the command could not be converted, or 2 for wrong usage.
`;

/** Wrong use of the program. */
class UsageError extends Error {}

const known = {
  to: { type: "string" },
  env: { type: "string", multiple: true },
  ...Object.fromEntries(switches.filter(offered).map(({ flag, argument }) => [flag, { type: argument ? "string" : "boolean" }])),
  "fail-on": { type: "string" },
  q: { type: "boolean", short: "q" },
  V: { type: "boolean", short: "V" },
  version: { type: "boolean" },
  help: { type: "boolean", short: "h" },
};

function flags(args) {
  // The program takes -to as well as --to, and leaves to curl what follows its name.
  const own = [];
  while (args.length > 0 && args[0] !== "curl") {
    const arg = args.shift();
    own.push(/^-[a-z]{2,}/.test(arg) ? "-" + arg : arg);
    const flag = known[own.at(-1).replace(/^--?/, "")];
    if (flag?.type === "string" && args.length > 0) own.push(args.shift());
  }
  try {
    const { values, positionals } = parseArgs({ args: own, allowPositionals: true, options: known });
    return { values, positionals, bare: args };
  } catch (error) {
    throw new UsageError(error.message);
  }
}

const shells = { bash: "posix", sh: "posix", zsh: "posix", dash: "posix", ksh: "posix", "cmd.exe": "cmd", pwsh: "powershell", "powershell.exe": "powershell" };

// report writes an error or a warning, with its place where it has one.
function report(command, { span, line, column, code, message, hint }) {
  const placed = span && span.end > span.start;
  let text = `${placed ? `${line}:${column}: ` : ""}${code}: ${message}\n`;
  if (placed) text += `${command.split("\n")[line - 1]}\n${" ".repeat(column - 1)}^\n`;
  if (hint) text += `hint: ${hint}\n`;
  process.stderr.write(visible(text));
}

// visible replaces what would let a terminal do more than show text.
function visible(text) {
  return text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}

function print(text) {
  process.stdout.write(process.stdout.isTTY ? visible(text) : text);
}

// The subcommands that are those of the program uncoil: the last three say that they are not
// for JavaScript.
const ofProgram = ["lint", "snippets", "fmt", "extract", "explain", "batch", "lsp", "completion", "mcp", "serve", "health"];

// textOf returns the text that an argument is, or that of the file whose name it is: a command
// has white space.
function textOf(argument) {
  const isFile = !/\s/.test(argument) && statSync(argument, { throwIfNoEntry: false })?.isFile();
  return isFile ? readFileSync(argument, "utf8").replace(/^\ufeff/, "") : argument;
}

async function main(args) {
  if (ofProgram.includes(args[0])) return createRequire(import.meta.url)("./files.cjs").run(args);
  const { values, positionals, bare } = flags(args);
  const names = ["convert", "parse", "code", "targets", "version", "help"];
  let name = names.includes(positionals[0]) ? positionals.shift() : "convert";
  const terminal = positionals.length + bare.length === 0 && process.stdin.isTTY;
  if (values.help || name === "help" || (terminal && name === "convert")) return print(help());
  if (name === "version" || values.V || values.version) {
    return print(`${JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version}\n`);
  }
  const engine = await load();
  if (name === "convert" && positionals.length + bare.length > 0 && isTarget(engine, positionals[0])) {
    name = "code";
    values.to ??= positionals.shift();
  }
  if (name === "targets") {
    return print(engine.targets().map((t) => `${t.name.padEnd(24)}${t.kind.padEnd(9)}${t.client} ${t.version}\n`).join(""));
  }
  if (name === "code" && !values.to) throw new UsageError("code needs -to TARGET");
  if (positionals.length > 1 || (positionals.length > 0 && bare.length > 0)) {
    throw new UsageError("there are several arguments; put quotes around the command, or begin it with the word curl");
  }
  if (values["fail-on"] !== undefined && values["fail-on"] !== "doubt") throw new UsageError("-fail-on must be doubt");
  const [given = "-"] = positionals;
  const command = bare.length > 0 ? quoted(bare) : given === "-" ? readFileSync(0, "utf8") : textOf(given);
  if (bare.length > 0) values.shell = "posix";
  const options = { env: Object.fromEntries((values.env ?? []).map(pair)), ...optionsOf(values, "reading") };
  try {
    answer(engine, name, command, options, values);
  } catch (error) {
    if (!(error instanceof UncoilError)) throw error;
    report(command, { ...error.problem, message: error.message });
    // As in the program uncoil, a flag that has a wrong value is wrong usage.
    process.exitCode = ["bad-request", "unknown-target"].includes(error.code) ? 2 : 1;
  }
}

// isTarget reports whether a word is the name of a target.
function isTarget(engine, word = "") {
  return /^[a-z][a-z0-9-]*$/i.test(word) && engine.targets().some(({ name, aliases }) => [name, ...aliases].includes(word.toLowerCase()));
}

function pair(text) {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  const value = process.env[text];
  if (at === 0 || !value) throw new UsageError("-env must be NAME=VALUE, or NAME for the value in the environment");
  return [text, value];
}

// spellings return the value of an option for what the command line takes beside it.
const spellings = {
  shell: (text) => shells[text.toLowerCase()] ?? text,
  // One level of indentation: so many spaces, or tab.
  indent: (text) => (text === "tab" ? "\t" : /^[0-8]$/.test(text) ? " ".repeat(Number(text)) : text),
};

// optionsOf returns the options that the flags of a scope set.
function optionsOf(values, scope) {
  const options = {};
  for (const { name, flag, word, number, ...one } of switches) {
    const value = values[flag];
    if (one.scope !== scope || value === undefined) continue;
    options[name] = word ?? (number ? Number(value) : spellings[name]?.(value) ?? value);
  }
  return options;
}

function answer(engine, name, command, options, values) {
  let warnings;
  if (name === "code") {
    const program = engine.code(command, values.to, { ...options, ...optionsOf(values, "programs") });
    print(program.code);
    warnings = program.warnings;
  } else {
    print(`${name === "parse" ? engine.parseText(command, options) : engine.convertText(command, { ...options, ...optionsOf(values, "converting") })}\n`);
    warnings = engine.parse(command, options).warnings;
  }
  if (values["fail-on"] && warnings.some((warning) => warning.level === "doubt")) process.exitCode = 1;
  if (values.q) return;
  // The full description holds all warnings already.
  for (const warning of name === "parse" ? [] : warnings) {
    if (warning.level === "doubt" || name === "code") report(command, warning);
  }
}

main(process.argv.slice(2)).catch((error) => {
  const wrong = error instanceof UsageError;
  process.stderr.write(visible(`uncoil: ${error.message}\n${wrong ? "run npx uncoil --help for help\n" : ""}`));
  process.exitCode = wrong ? 2 : 1;
});
