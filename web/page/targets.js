// What people call the targets, and which of them fit a search.

const names = { ocaml: "OCaml", cpp: "C++", csharp: "C#", objc: "Objective-C", php: "PHP", javascript: "JavaScript", typescript: "TypeScript", json: "JSON", yaml: "YAML", http: "HTTP",
  sh: "bash, zsh, sh", cmd: "cmd.exe", batch: "batch file", powershell: "PowerShell", curlrc: "file for -K" };

// tools are what people call the files of other tools, where the client does not
// say it.
const tools = { ansible: "Ansible", "github-actions": "GitHub Actions", http: "HTTP file (.http)", "mcp-tool": "MCP tool", "openai-tool": "OpenAI tool", "raw-http": "Raw HTTP message", terraform: "Terraform" };

// words are what people search for besides: names of a language and of programs.
const words = { javascript: "js ts typescript react vue browser", http: "vscode", csharp: "dotnet unity", powershell: "windows" };

// kinds are the sections of the list, in their order.
const kinds = { code: "Code", file: "Files for other tools", command: "Commands" };

// sorted returns the sections that targets are in, as pairs of title and targets, which keep
// their order. Where nobody searches, the most wanted come first, by their rank.
export function sorted(targets, search) {
  const wanted = search ? [] : targets.filter(({ rank }) => rank > 0).sort((a, b) => a.rank - b.rank);
  const others = Object.entries(kinds).map(([kind, title]) => [title, targets.filter((target) => target.kind === kind && !wanted.includes(target))]);
  return [["Most wanted", wanted], ...others].filter(([, some]) => some.length > 0);
}

// proof returns how a target whose programs are not run was tried, and why not more.
export const proof = ({ proven, proof, reason }) => proven ? "" : `${proof}: ${reason}`;

export const languageName = (language) => names[language] ?? language[0].toUpperCase() + language.slice(1);

export function label(target) {
  if (target.kind === "code") return `${languageName(target.language)} · ${target.client}`;
  if (tools[target.name]) return tools[target.name];
  return target.client === "curl" && target.kind === "command" ? `curl again · ${languageName(target.language)}` : target.client;
}

// matching returns the targets that have every word of a search at the beginning of
// a word in one of their names. First comes the one that is called so, then those of a language that is.
export function matching(targets, search) {
  const searched = search.toLowerCase().split(/[\s·,]+/).filter(Boolean);
  const terms = (target) => [target.name, target.language, target.client, languageName(target.language), target.kind, label(target), words[target.language] ?? "", ...target.aliases].map((term) => term.toLowerCase());
  const called = (target) => searched.length !== 1 ? 0 : 2 * [target.name, ...target.aliases].includes(searched[0]) + (target.language === searched[0]);
  const begins = (term, word) => term.startsWith(word) || term.split(/[^\p{L}\p{N}]+/u).some((part) => part.startsWith(word));
  const found = targets.filter((target) => searched.every((word) => terms(target).some((term) => begins(term, word))));
  return found.sort((a, b) => called(b) - called(a) || label(a).localeCompare(label(b)));
}

// named returns the target with a name or an alias.
export const named = (targets, name) => targets.find((target) => target.name === name || target.aliases.includes(name));

// languages returns one target for each language that programs are written in.
export const languages = (targets) => targets.filter(({ kind, language }, at) => kind === "code" && targets.findIndex((other) => other.language === language) === at);
