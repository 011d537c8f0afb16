// Recordings of a browser (HAR files) are large because of what the responses hold, which no
// request needs: a box with 200 MB of text stops the page. It is left out while the file is read.

// small is the size in bytes up to which a file is taken as it is.
const small = 1 << 20;

// begins is how a HAR file begins.
const begins = /^\ufeff?\s*\{\s*"log"\s*:/;

export const isRecording = (text) => begins.test(text);

// local are the URLs that a browser opens without a server: the engine leaves these entries out.
const local = /^(data|blob|about|chrome-extension|moz-extension|safari-web-extension):/i;

// parts are what a page is made of, as Chromium and Firefox name them and as media types begin.
const parts = /^(image|stylesheet|script|font|media|manifest|ping|texttrack)$/;
const partTypes = /^(image|font|audio|video)\/|^text\/(css|javascript)|^application\/(x-)?(javascript|font|wasm)|ecmascript/;

let read = { text: null, facts: null };

// factsOf returns what a recording has of each of its requests beside what the engine tells:
// {status, type}, whether an API may have been asked (api), and whether it was, as far as one can see
// (called). It is null where browsers cannot read the text; the engine reads more.
export function factsOf(text) {
  if (read.text === text) return read.facts;
  let facts = null;
  try {
    facts = JSON.parse(text).log.entries.filter(({ request }) => !local.test(request.url)).map(factOf);
  } catch { /* see above */ }
  read = { text, facts };
  return facts;
}

function factOf({ request, response, _resourceType: resource }) {
  const media = response?.content?.mimeType?.split(";")[0].trim().toLowerCase() ?? "";
  const api = resource ? !parts.test(resource) : !partTypes.test(media) || request.method !== "GET";
  return { status: response?.status ?? 0, type: media.split("/").pop(), api, called: api && (/^(xhr|fetch)$/.test(resource ?? "") || /json|xml|graphql|protobuf|event-stream/.test(media) && !/xhtml|svg/.test(media) || request.method !== "GET") };
}

// readFile returns the text of a file, and of how many responses the content was left out.
export async function readFile(file) {
  if (file.size <= small || !isRecording(await file.slice(0, 4096).text())) return { text: await file.text(), left: 0 };
  const skimmer = new Skimmer();
  for (const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) return { text: skimmer.text(), left: skimmer.left };
    skimmer.push(value);
  }
}

// marks are what JSON has between strings, numbers and words.
const marks = /["{}[\],:]/g;

// A Skimmer copies JSON text that comes in pieces, but for the strings at
// response.content.text. It checks nothing: what is no JSON is copied.
export class Skimmer {
  left = 0; // strings that were left out

  #copied = [];
  #open = []; // the objects and arrays around, with the name of the member that each is
  #name = ""; // of the last member
  #naming = false; // the next string is a name
  #within = ""; // the kind of string that is read: "name", "value", "left out" or none
  #escaped = false; // the next character belongs to a backslash

  push(piece) {
    let from = 0; // what of the piece is not copied yet
    for (let at = 0; at < piece.length;) {
      if (!this.#within) {
        marks.lastIndex = at;
        at = marks.exec(piece)?.index ?? piece.length;
        if (at < piece.length && this.#mark(piece[at++])) {
          this.#copied.push(piece.slice(from, at));
          from = at;
        }
        continue;
      }
      const end = this.#closing(piece, at);
      if (this.#within === "name" && this.#name.length < 16) this.#name += piece.slice(at, end);
      at = end;
      if (at === piece.length) break;
      if (this.#within === "left out") from = at;
      this.#within = "";
      at++;
    }
    if (this.#within !== "left out") this.#copied.push(piece.slice(from));
  }

  text() { return this.#copied.join(""); }

  // closing returns where the quote stands that ends the string which is read at an offset, or
  // the length of the piece.
  #closing(piece, start) {
    if (this.#escaped) start++;
    this.#escaped = false;
    for (let at = start; ; at++) {
      at = piece.indexOf('"', at);
      const end = at < 0 ? piece.length : at;
      let backslashes = 0;
      while (end - backslashes > start && piece[end - backslashes - 1] === "\\") backslashes++;
      if (at < 0) this.#escaped = backslashes % 2 === 1;
      if (at < 0 || backslashes % 2 === 0) return end;
    }
  }

  // mark reads a character outside of strings, and reports whether a string that is left out
  // begins with it.
  #mark(c) {
    switch (c) {
      case "{": case "[":
        this.#open.push({ name: this.#name, object: c === "{" });
        this.#naming = c === "{";
        break;
      case "}": case "]":
        this.#open.pop();
        this.#naming = false;
        break;
      case ",":
        this.#naming = this.#open.at(-1)?.object;
        break;
      case ":":
        this.#naming = false;
        break;
      default:
        this.#within = this.#naming ? "name" : this.#isContent() ? "left out" : "value";
        if (this.#naming) this.#name = "";
        if (this.#within === "left out") this.left++;
    }
    return this.#within === "left out";
  }

  #isContent() {
    return this.#name === "text" && this.#open.at(-1)?.object && this.#open.at(-1).name === "content" && this.#open.at(-2)?.name === "response";
  }
}
