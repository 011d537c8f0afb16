// Indents JSON text without parsing it, because parsing would round long
// numbers.
import { element } from "./dom.js";

const token = /"(?:[^"\\]|\\.)*"|[^\s"{}[\],:]+|[{}[\],:]/g;

// mostColoured is the length up to which each token gets an element.
const mostColoured = 50_000;

// pieces calls add with each token and the white space before it.
function pieces(json, add) {
  let before = "";
  let depth = 0;
  for (const [text] of json.matchAll(token)) {
    const opened = before === "{" || before === "[";
    const closes = text === "}" || text === "]";
    if (closes) depth--;
    const line = opened !== closes || before === ",";
    add((line && before !== "" ? "\n" + "  ".repeat(depth) : "") + (before === ":" ? " " : ""), text);
    if (text === "{" || text === "[") depth++;
    before = text;
  }
}

export function indent(json) {
  const out = [];
  pieces(json, (blanks, text) => out.push(blanks, text));
  return out.join("");
}

// coloured returns the indented text as nodes.
export function coloured(json) {
  if (json.length > mostColoured) return [indent(json)];
  const nodes = [];
  let plain = "";
  const flush = () => { if (plain) nodes.push(plain); plain = ""; };
  let last = null; // the last string, which a colon makes a name
  pieces(json, (blanks, text) => {
    plain += blanks;
    if (text === ":" && last) last.className = "json-name";
    last = null;
    if (/^[{}[\],:]$/.test(text)) {
      plain += text;
      return;
    }
    flush();
    const made = element("span", { className: text[0] === '"' ? "json-string" : "json-word" }, text);
    nodes.push(made);
    if (text[0] === '"') last = made;
  });
  flush();
  return nodes;
}
