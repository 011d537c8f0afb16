// What people call the targets, and which of them fit a search.

const names = { cpp: "C++", csharp: "C#", objc: "Objective-C", php: "PHP", javascript: "JavaScript", json: "JSON", yaml: "YAML", http: "HTTP",
  sh: "bash, zsh, sh", cmd: "cmd.exe", batch: "batch file", powershell: "PowerShell", curlrc: "file for -K" };

// kinds are the sections, in their order.
export const kinds = { code: "Code", file: "Files that other tools open", command: "Commands" };

const languageName = (language) => names[language] ?? language[0].toUpperCase() + language.slice(1);

export function label(target) {
  if (target.kind === "code") return `${languageName(target.language)} · ${target.client}`;
  return target.client === "curl" && target.kind === "command" ? `curl again · ${languageName(target.language)}` : target.client;
}

// matching returns the targets that have every word of a search in one of their
// names. First comes the one that is called so, then those of a language that is.
export function matching(targets, search) {
  const words = search.toLowerCase().split(/[\s·,]+/).filter(Boolean);
  const terms = (target) => [target.name, target.language, target.client, languageName(target.language), target.kind, label(target), ...target.aliases].map((term) => term.toLowerCase());
  const called = (target) => words.length !== 1 ? 0 : 2 * [target.name, ...target.aliases].includes(words[0]) + (target.language === words[0]);
  const found = targets.filter((target) => words.every((word) => terms(target).some((term) => term.includes(word))));
  return found.sort((a, b) => called(b) - called(a) || label(a).localeCompare(label(b)));
}

// named returns the target with a name or an alias.
export const named = (targets, name) => targets.find((target) => target.name === name || target.aliases.includes(name));
