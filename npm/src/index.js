// The engine of uncoil for JavaScript. It touches no file, no network and
// nothing global, and keeps nothing between two calls.
import { newGo } from "./go.js";

/** What is wrong with a command, or with the request that holds it. */
export class UncoilError extends Error {
  constructor(problem) {
    super(problem.detail);
    this.name = "UncoilError";
    this.problem = problem;
    this.code = problem.code;
    this.line = problem.line;
    this.column = problem.column;
    this.hint = problem.hint;
  }
}

/** An engine that is ready. Its answers come at once. */
class Engine {
  #functions;

  constructor(functions) {
    this.#functions = functions;
  }

  convert(command, options) {
    return JSON.parse(this.convertText(command, options));
  }

  parse(command, options) {
    return JSON.parse(this.parseText(command, options));
  }

  convertText(command, options) {
    return answer(this.#functions.convert, command, options);
  }

  parseText(command, options) {
    return answer(this.#functions.parse, command, options);
  }
}

function answer(ask, command, options) {
  const [status, body] = ask(requestText(command, options));
  if (status !== 200) throw new UncoilError(JSON.parse(body));
  return body;
}

// requestText writes the object that the service takes.
function requestText(command, options = {}) {
  if (typeof command !== "string") throw new TypeError("the command must be a string");
  const { files, stdin, env, shell } = options;
  const named = files && Object.fromEntries(Object.entries(files).map(([name, content]) => [name, contentOf(content)]));
  return JSON.stringify({ curl: command, files: named, stdin: contentOf(stdin), env, shell });
}

// contentOf turns bytes into what JSON can hold.
function contentOf(content) {
  if (content instanceof ArrayBuffer) content = new Uint8Array(content);
  if (!ArrayBuffer.isView(content)) return content;
  const bytes = new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
  let text = "";
  // Not all at once: a function takes only so many arguments.
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return { base64: btoa(text) };
}

let loaded;

/** Loads the engine, once: from the package itself, or from what is given. */
export function load(source) {
  if (source === undefined && loaded) return loaded;
  const starting = start(source);
  if (source === undefined || !loaded) {
    loaded = starting;
    // What failed may be tried again.
    starting.catch(() => { if (loaded === starting) loaded = undefined; });
  }
  return starting;
}

async function start(source) {
  const { go, functions } = newGo();
  const instance = await instantiate(source, go.importObject);
  go.run(instance);
  return new Engine(functions());
}

async function instantiate(source, imports) {
  source = await source;
  if (source === undefined) {
    const { engine } = await import("./engine.js");
    source = await engine();
  }
  if (source instanceof WebAssembly.Module) return WebAssembly.instantiate(source, imports);
  if (source instanceof URL || typeof source === "string") source = await fetch(source);
  if (typeof Response !== "undefined" && source instanceof Response) {
    if (!source.ok) throw new Error(`the engine cannot be loaded: status ${source.status}`);
    source = await source.arrayBuffer();
  }
  return (await WebAssembly.instantiate(source, imports)).instance;
}

export const convert = async (command, options) => (await load()).convert(command, options);
export const parse = async (command, options) => (await load()).parse(command, options);
export const convertText = async (command, options) => (await load()).convertText(command, options);
export const parseText = async (command, options) => (await load()).parseText(command, options);
