// The engine of uncoil for JavaScript, without the engine: what all doors of the package
// share. It touches no network and nothing global, and keeps nothing between two calls.
import { functionsOf } from "./functions.js";
import { newGo } from "./go.js";

/** An error in a command or in the request object. */
export class UncoilError extends Error {
  constructor(problem) {
    // The place in the JSON text means nothing to a caller who has not written it.
    super(problem.code === "bad-request" ? problem.detail.replace(/ \(at byte \d+\)$/, "") : problem.detail);
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
  #module;
  #functions; // undefined after a failure, until the next call

  constructor(module, functions) {
    this.#module = module;
    this.#functions = functions;
  }

  convert(command, options) {
    return JSON.parse(this.convertText(command, options));
  }

  parse(command, options) {
    return JSON.parse(this.parseText(command, options));
  }

  convertText(command, options) {
    return this.#answer("convert", command, options);
  }

  parseText(command, options) {
    return this.#answer("parse", command, options);
  }

  code(command, target, options) {
    if (typeof target !== "string") throw new TypeError("the target must be a string");
    this.#needPrograms();
    return JSON.parse(this.#answer("code", command, { ...options, target }));
  }

  diff(a, b) {
    this.#needPrograms();
    return JSON.parse(this.#sent("diff", `{"a":${sideText(a)},"b":${sideText(b)}}`));
  }

  targets() {
    this.#needPrograms();
    return JSON.parse(this.#call("targets"));
  }

  #needPrograms() {
    const has = WebAssembly.Module.exports(this.#module).some(({ name }) => name === "code");
    if (!has) throw new Error("this engine writes no programs: load uncoil/uncoil.wasm");
  }

  #answer(name, command, options) {
    return this.#sent(name, requestText(command, options));
  }

  #sent(name, text) {
    const [status, body] = this.#call(name, text);
    if (status !== 200) throw new UncoilError(JSON.parse(body));
    return body;
  }

  #call(name, ...args) {
    try {
      this.#functions ??= started(this.#module);
      return this.#functions[name](...args);
    } catch (cause) {
      // It ran out of memory, most likely. What is left of it answers nothing.
      this.#functions = undefined;
      throw new Error("the engine failed at this command; the next call starts it anew", { cause });
    }
  }
}

// started runs the program, at once.
function started(module) {
  const go = newGo();
  return run(go, new WebAssembly.Instance(module, go.importObject));
}

function run(go, instance) {
  go.run(instance);
  return functionsOf(go, instance);
}

// requestText writes the object that the service takes.
function requestText(command, options = {}) {
  if (typeof command !== "string") throw new TypeError("the command must be a string");
  if (options === null || typeof options !== "object") throw new TypeError("the options must be an object");
  const unknown = Object.keys(options).find((name) => !optionNames.includes(name));
  if (unknown !== undefined) throw new TypeError(`there is no option ${unknown}; the options are ${optionNames.join(", ")}`);
  let { files, stdin, ...rest } = options;
  if (files instanceof Map) files = Object.fromEntries(files);
  const named = files && Object.fromEntries(Object.entries(files).map(([name, content]) => [name, contentOf(content)]));
  return JSON.stringify({ curl: command, files: named, stdin: contentOf(stdin), ...rest });
}

// sideText writes one side of a comparison: a command, or an object with the member curl and the
// options of its text.
function sideText(side) {
  if (typeof side === "string" || side === null || typeof side !== "object") return requestText(side);
  const { curl, ...options } = side;
  return requestText(curl, options);
}

// Generated from internal/edge/switches: names.
export const optionNames = ["files", "stdin", "env", "shell", "entry", "data", "warnings", "target", "style", "bare", "variables", "dropNoise", "moveSecrets", "function", "rawParameters", "decodeJson", "checkStatus", "indent", "longNames", "dropCookies", "placeholders", "commonJs", "csharp7"];
// End of names.

/** Joins arguments into a command of a shell that splits back into them. */
export function quoted(args) {
  return args.map((arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`)).join(" ");
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

/**
 * Makes the functions of a door. Inside is where it has its engine: read() returns the
 * bytes of the file at once, or a module, where the host has files or modules, and text()
 * promises the bytes that are inside of a script. A door without it has none.
 */
export function door(inside) {
  let loaded; // a promise of the engine
  let ready; // the engine itself

  function load(source) {
    if (source === undefined && loaded) return loaded;
    const starting = start(source, inside);
    if (source === undefined || !loaded) {
      loaded = starting;
      // What failed may be tried again.
      starting.then((engine) => { ready ??= engine; }, () => { if (loaded === starting) loaded = undefined; });
    }
    return starting;
  }

  function loadSync(source) {
    if (source === undefined && ready) return ready;
    source ??= fileOf(inside);
    const module = source instanceof WebAssembly.Module ? source : new WebAssembly.Module(source);
    const engine = new Engine(module, started(module));
    ready ??= engine;
    loaded ??= Promise.resolve(engine);
    return engine;
  }

  const answering = (name) => async (...args) => (await load())[name](...args);
  return {
    load, loadSync,
    convert: answering("convert"), parse: answering("parse"), code: answering("code"), diff: answering("diff"), targets: answering("targets"),
    convertText: answering("convertText"), parseText: answering("parseText"),
  };
}

async function start(source, inside) {
  const module = await compile(await source, inside);
  const go = newGo();
  return new Engine(module, run(go, await WebAssembly.instantiate(module, go.importObject)));
}

async function compile(source, inside) {
  source ??= inside?.read() ?? await textOf(inside);
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof URL || typeof source === "string") source = await fetch(source);
  if (typeof Response !== "undefined" && source instanceof Response) {
    if (!source.ok) throw new Error(`the engine cannot be loaded: status ${source.status}`);
    source = await source.arrayBuffer();
  }
  return WebAssembly.compile(source);
}

function textOf(inside) {
  if (inside) return inside.text();
  throw new Error("uncoil/slim has no engine: first  await load(wasm)  with uncoil/uncoil.wasm or uncoil-parse/parse.wasm");
}

// fileOf returns the engine, at once or not at all.
function fileOf(inside) {
  const bytes = inside?.read();
  if (bytes) return bytes;
  if (!inside) textOf();
  throw new Error("the file of the engine is not beside the script, or this host reads no files: use  await load()");
}
