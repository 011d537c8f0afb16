// Fields for what a command takes from outside: variables, files and standard
// input. What is given there stays in this page.
import { $, element } from "./dom.js";

const given = new Map(); // by the key of a field: its value, text or {base64}
const nodes = new Map(); // by key

const keyOf = (kind, name) => JSON.stringify([kind, name]);

// inputs returns the members of a request object.
export function inputs() {
  const env = {}, files = {};
  let stdin;
  for (const [key, value] of given) {
    if (value === "") continue;
    const [kind, name] = JSON.parse(key);
    if (kind === "env") env[name] = value;
    else if (kind === "files") files[name] = value;
    else stdin = value;
  }
  return { env, files, stdin };
}

// unnamed are the keys of what no text names: curl looks there by itself.
const unnamed = new Set([keyOf("stdin", "")]);

// offer shows the fields that an answer needs, {requests, warnings} with an error
// among the latter, and those that were filled in before and that the text still
// names, or never did.
export function offer({ requests, warnings }, text, whenChanged) {
  const keys = new Set([...given].filter(([key, value]) => value !== "" && (unnamed.has(key) || text.includes(JSON.parse(key)[1]))).map(([key]) => key));
  for (const { variables, body } of requests) {
    for (const { name } of variables ?? []) if (name) keys.add(keyOf("env", name));
    for (const name of filesOf(body?.parts)) keys.add(name === "-" ? keyOf("stdin", "") : keyOf("files", name));
  }
  for (const { code, files, variable } of warnings) {
    if (variable) keys.add(keyOf("env", variable));
    for (const name of files ?? []) {
      keys.add(keyOf("files", name));
      if (!text.includes(name)) unnamed.add(keyOf("files", name));
    }
    if (code === "stdin-not-supplied") keys.add(keyOf("stdin", ""));
  }
  for (const key of given.keys()) if (!keys.has(key)) given.delete(key);
  if ([...nodes.keys()].join() === [...keys].join()) return;
  for (const key of nodes.keys()) {
    if (keys.has(key)) continue;
    nodes.get(key).remove();
    nodes.delete(key);
  }
  for (const key of keys) {
    if (nodes.has(key)) continue;
    const made = field(key, whenChanged);
    nodes.set(key, made);
    $("inputs").append(made);
  }
  $("inputs").hidden = nodes.size === 0;
}

// filesOf returns the names of the files of a form whose content is not known.
const filesOf = (parts) => parts?.flatMap((part) => part.parts ? filesOf(part.parts) : part.file !== undefined && part.content === undefined && part.base64 === undefined ? [part.file] : []) ?? [];

function field(key, whenChanged) {
  const [kind, name] = JSON.parse(key);
  const change = (value) => { given.set(key, value); whenChanged(); };
  if (kind === "env") {
    return element("label", { className: "field" }, element("code", {}, `$${name}`),
      element("input", { type: "text", autocomplete: "off", spellcheck: false, oninput: ({ target }) => change(target.value) }));
  }
  const what = kind === "stdin" ? "Standard input" : `File ${name}`;
  const text = element("textarea", { rows: 2, spellcheck: false, ariaLabel: what, oninput: ({ target }) => change(target.value) });
  const chosen = element("input", { type: "file", ariaLabel: `${what}, from your disk` });
  chosen.addEventListener("change", async () => {
    const [file] = chosen.files;
    if (!file) return;
    const value = contentOf(new Uint8Array(await file.arrayBuffer()));
    text.value = typeof value === "string" ? value : "";
    text.placeholder = typeof value === "string" ? "" : `${file.size} bytes that are not text`;
    change(value);
  });
  return element("div", { className: "field" }, element("code", {}, kind === "stdin" ? "standard input" : name), text, chosen);
}

// contentOf returns text, or bytes as a request object has them.
function contentOf(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    let text = "";
    for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
    return { base64: btoa(text) };
  }
}
