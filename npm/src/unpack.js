// Takes an engine out of its text: base64 of gzip. A function call for each of a million
// characters takes a second in Node, and a stream takes longer than zlib. Bundlers replace
// neither name behind globalThis.
export async function unpack(text) {
  const zlib = globalThis.process?.getBuiltinModule?.("node:zlib");
  if (zlib) return zlib.gunzipSync(decoded(text));
  return new Response(new Blob([decoded(text)]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

function decoded(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  if (globalThis.Buffer) return globalThis.Buffer.from(text, "base64");
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < characters.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}
