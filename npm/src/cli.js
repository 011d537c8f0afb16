#!/usr/bin/env node
// The command line of the package: npx uncoil 'curl …'. It has what needs no
// file; the program uncoil has the rest.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { load, UncoilError } from "./index.mjs";

const help = `Usage:

  npx uncoil 'curl …'                the request: method, url, headers, data
  npx uncoil parse 'curl …'          everything about the requests
  npx uncoil code --to TARGET 'curl …'  a program, file or command that sends them
  npx uncoil targets                 list the targets
  npx uncoil version                 print the version

A command is one argument, so it needs quotes. If it is missing or -, it is read
from standard input. Nothing is sent, and no file is read.

Flags:

  --to TARGET          what code writes; a name of the list of targets
  --shell SHELL        how the command is quoted: auto, posix, cmd or powershell
  --env NAME=VALUE     the value of a shell variable; may be repeated
  --data text          data as the exact body, a string also where it is JSON
  --bare               code without imports and without printing the response
  --keep-variables     code with shell variables as typed
  -q, --quiet          no doubts on standard error
  -h, --help           this text
`;

/** Wrong use of the program. */
class UsageError extends Error {}

function flags(args) {
  try {
    // The program takes -to as well as --to.
    return parseArgs({
      args: args.map((arg) => (/^-[a-z]{2,}/.test(arg) ? "-" + arg : arg)),
      allowPositionals: true,
      options: {
        to: { type: "string" },
        shell: { type: "string" },
        env: { type: "string", multiple: true },
        data: { type: "string" },
        bare: { type: "boolean" },
        "keep-variables": { type: "boolean" },
        quiet: { type: "boolean", short: "q" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new UsageError(error.message);
  }
}

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

async function main(args) {
  const { values, positionals } = flags(args);
  const names = ["convert", "parse", "code", "targets", "version", "help"];
  const name = names.includes(positionals[0]) ? positionals.shift() : "convert";
  const terminal = positionals.length === 0 && process.stdin.isTTY;
  if (values.help || name === "help" || (terminal && name === "convert")) return print(help);
  if (name === "version") {
    return print(`${JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version}\n`);
  }
  const engine = await load();
  if (name === "targets") {
    return print(engine.targets().map((t) => `${t.name.padEnd(24)}${t.kind.padEnd(9)}${t.client} ${t.version}\n`).join(""));
  }
  if (name === "code" && !values.to) throw new UsageError("code needs --to TARGET");
  if (positionals.length > 1) throw new UsageError("there are several arguments; put quotes around the command");
  const [given = "-"] = positionals;
  const command = given === "-" ? readFileSync(0, "utf8") : given;
  const options = { shell: values.shell, data: values.data, env: Object.fromEntries((values.env ?? []).map(pair)) };
  try {
    answer(engine, name, command, options, values);
  } catch (error) {
    if (!(error instanceof UncoilError)) throw error;
    report(command, { ...error.problem, message: error.message });
    process.exitCode = 1;
  }
}

function pair(text) {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageError("--env must be NAME=VALUE");
  return [text.slice(0, at), text.slice(at + 1)];
}

function answer(engine, name, command, options, values) {
  let warnings;
  if (name === "code") {
    const program = engine.code(command, values.to, { ...options, bare: values.bare, variables: values["keep-variables"] ? "keep" : "env" });
    print(program.code);
    warnings = program.warnings;
  } else {
    print(`${name === "parse" ? engine.parseText(command, options) : engine.convertText(command, options)}\n`);
    warnings = engine.parse(command, options).warnings;
  }
  if (values.quiet) return;
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
