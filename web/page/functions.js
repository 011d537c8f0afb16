// The functions of the engine, which go through its memory: see
// internal/edge/exports/exports.go and cmd/uncoil-wasm/main.go.
//
//   convert(request), parse(request), code(request), diff(requests) → [status, body]
//   targets(), show(request, one, hide), showCode(request, one, hide),
//   edit(request, one, part, at, name, value, remove) → body
//
// A request is the JSON object that POST /api/convert takes, as text, and requests are that of
// /api/diff. Status
// and body are those of the service; show, showCode and edit return what Show,
// ShowCode and ShowEdit of package api return. A function throws when the
// program has ended, which happens when memory runs out.

// short is the size of a text for which the program always has room.
const short = 64 << 10;

export function functionsOf(go, { exports: program }) {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const room = program.reserve(0);
  let bytes = new Uint8Array(0);

  // memory is a new one after each time it has grown.
  function memory() {
    if (bytes.buffer !== program.mem.buffer) bytes = new Uint8Array(program.mem.buffer);
    return bytes;
  }

  // put passes parts of a text to the program.
  function put(...parts) {
    let place = program.reserve(parts.reduce((sum, part) => sum + part.length, 0));
    for (const part of parts) {
      memory().set(part, place);
      place += part.length;
    }
  }

  // write passes a text to the program and returns its size in bytes.
  function write(text) {
    // A unit of UTF-16 takes at most three bytes.
    if (text.length * 3 <= short) return encoder.encodeInto(text, memory().subarray(room, room + short)).written;
    const long = encoder.encode(text);
    put(long);
    return long.length;
  }

  function call(name, ...numbers) {
    const place = program[name](...numbers);
    if (go.exited) throw new Error("the engine has ended");
    const [status, start, size] = new Uint32Array(memory().buffer, place, 3);
    return [status, decoder.decode(memory().subarray(start, start + size))];
  }

  const shown = (...args) => call(...args)[1];
  return {
    convert: (request) => call("convert", write(request)),
    parse: (request) => call("parse", write(request)),
    code: (request) => call("code", write(request)),
    diff: (requests) => call("diff", write(requests)),
    targets: () => shown("targets"),
    show: (request, one, hide) => shown("show", write(request), one, hide),
    showCode: (request, one, hide) => shown("showCode", write(request), one, hide),
    edit(request, one, part, at, name, value, remove) {
      const texts = [request, part, name, value].map((text) => encoder.encode(text));
      put(...texts);
      return shown("edit", ...texts.map((text) => text.length), one, at, remove);
    },
  };
}
