// Colours programs: comments, strings, numbers and the words that most languages
// reserve. One short grammar serves all targets, because a colour that is wrong
// now and then costs nothing here, and a highlighter with these languages has
// forty times its size.
import { element } from "./dom.js";

// mostColoured is the length up to which each token gets an element; what follows has no colours.
const mostColoured = 50_000;

const cLike = "c cpp csharp dart go groovy java javascript kotlin objc php rust scala swift".split(" ");
const hashed = "curlrc elixir fish julia perl php powershell python r ruby sh shell yaml".split(" ");
const shells = "sh shell fish cmd batch powershell curlrc yaml".split(" ");

const keywords = new Set(("abstract and as async await auto bool break case catch char class const continue def default defer "
  + "delete do double elif else elseif end ensure enum except export extends false final finally float fn for foreach from func function "
  + "if implements import impl in include include_once instanceof int interface is lambda let library local long match module mut my namespace new "
  + "nil None not null object or override package pass print private protected public pub raise require require_once rescue return "
  + "self Self set static string struct super switch then this throw throws trait True False true try type typeof undefined unless "
  + "use using val var void when where while with yield echo puts println").split(" "));

// grammar returns the expression whose groups are a comment, a string, a number
// and a word.
function grammar(language) {
  const comments = [];
  if (cLike.includes(language)) comments.push("//[^\\n]*", "/\\*[\\s\\S]*?\\*/");
  if (hashed.includes(language)) comments.push("(?<![\\w$&'\"({\\\\])#[^\\n]*");
  if (["c", "cpp", "objc"].includes(language)) comments.push("#(?=include|import|define)");
  if (language === "lua") comments.push("--[^\\n]*");
  if (language === "clojure") comments.push(";[^\\n]*");
  if (language === "cmd" || language === "batch") comments.push("^(?:rem |::)[^\\n]*");
  const strings = [];
  if (language === "python") strings.push('"""[\\s\\S]*?"""');
  strings.push('"(?:[^"\\\\]|\\\\[\\s\\S])*"');
  if (shells.includes(language)) strings.push("'[^']*'");
  else if (["rust", "c", "cpp", "java", "csharp", "kotlin", "scala", "go"].includes(language)) strings.push("'(?:[^'\\\\\\n]|\\\\.)'");
  else if (language !== "clojure") strings.push("'(?:[^'\\\\]|\\\\[\\s\\S])*'");
  if (["javascript", "typescript", "go"].includes(language)) strings.push("`(?:[^`\\\\]|\\\\[\\s\\S])*`");
  return new RegExp(`(${comments.join("|") || "(?!)"})|(${strings.join("|")})|(\\b\\d[\\w.]*)|([A-Za-z_]\\w*)`, "gm");
}

// colouredCode returns a program as nodes.
export function colouredCode(text, language) {
  const nodes = [];
  let at = 0;
  for (const found of text.slice(0, mostColoured).matchAll(grammar(language))) {
    const [whole, comment, string, number] = found;
    const name = comment ? "comment" : string ? "string" : number ? "number" : !shells.includes(language) && keywords.has(whole) && text[found.index - 1] !== "." ? "keyword" : null;
    if (!name) continue;
    nodes.push(text.slice(at, found.index), element("span", { className: `code-${name}` }, whole));
    at = found.index + whole.length;
  }
  nodes.push(text.slice(at));
  return nodes.filter((node) => node !== "");
}
