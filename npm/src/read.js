// Reads a file beside the script, where the host has files: Node from 20.16, Deno and
// Bun. Bundlers leave the file behind, so that the answer may be undefined. They must not
// see the name of a module of Node's; into import.meta.url, unlike the folder, they write
// where on their machine the script was.
export function read(name) {
  try {
    const path = `${import.meta.dirname}/${name}`;
    const { Deno, process } = globalThis;
    // Deno would ask its user.
    if (Deno && Deno.permissions.querySync({ name: "read", path }).state !== "granted") return undefined;
    return process.getBuiltinModule("node:fs").readFileSync(path);
  } catch {
    return undefined;
  }
}
