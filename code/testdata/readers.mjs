// Reads files as the tools do for which they are written, and prints those that
// are read in another way. Each line of standard input is JSON: a format, a
// command, the file for it, and its requests, whose URL is missing where a
// variable, or what looks like one, stands in it.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { dirname, isAbsolute, join } from "node:path";

const require = createRequire(process.env.UNCOIL_NODE_MODULES + "/");
const har = require("har-validator");
const { Collection } = require("postman-collection");
const { parseRequest } = require("@usebruno/filestore");
const { insomniaToBruno, openApiToBruno } = require("@usebruno/converters");
const { io, store } = require("httpyac");

Object.assign(io.fileProvider, {
  dirname, isAbsolute,
  joinPath: join,
  hasExtension: (name, ...extensions) => extensions.some((e) => name.endsWith("." + e)),
  exists: async () => false,
  readdir: async () => [],
});

const requestsOf = (items) => items.flatMap((item) => (item.items ? requestsOf(item.items) : [item.request]));

const readers = {
  async har(file) {
    const { log } = await har.har(JSON.parse(file));
    return log.entries.map((entry) => entry.request);
  },
  async postman(file) {
    const list = [];
    new Collection(JSON.parse(file)).forEachItem(({ request }) => list.push({ method: request.method, url: request.url.toString() }));
    return list;
  },
  bruno: async (file) => [parseRequest(file, { format: "bru" }).request],
  insomnia: async (file) => requestsOf((await insomniaToBruno(file)).items),
  async http(file) {
    const { httpRegions } = await new store.HttpFileStore().parse("/request.http", file, { workingDir: "/" });
    return httpRegions.flatMap(({ request }) => request ?? []);
  },
  // Requests for the same path are one, and its server is a variable.
  async openapi(file, { length }) {
    let read;
    try {
      read = requestsOf((await openApiToBruno(file)).items);
    } catch (e) {
      // The importer takes each character of an example for a pair of a form.
      if (/formUrlEncoded\[0\]\.name must be a `string`/.test(e.message)) return;
      throw e;
    }
    if (read.length < 1 || read.length > length) throw new Error(`it has ${read.length} requests of ${length}`);
  },
};

// spellings returns a URL decoded, and as URL parsers write it.
function spellings(url) {
  try {
    return [decodeURI(url), decodeURI(new URL(url).href)];
  } catch {
    return [url];
  }
}

// same reports whether two URLs differ only in what is percent-encoded, and in
// how the host is written.
function same(a, b) {
  return spellings(a).some((s) => spellings(b).includes(s));
}

const counts = {};
for await (const line of createInterface({ input: process.stdin })) {
  const { format, command, file, requests } = JSON.parse(line);
  counts[format] = (counts[format] ?? 0) + 1;
  try {
    const read = await readers[format](file, requests);
    if (!read) continue;
    if (read.length !== requests.length) throw new Error(`it has ${read.length} requests of ${requests.length}`);
    read.forEach(({ method, url }, i) => {
      const want = requests[i];
      if (method !== want.method) throw new Error(`the method is ${method}`);
      if (want.url && !same(url, want.url)) throw new Error(`the URL is ${url}`);
    });
  } catch (e) {
    console.log(`${format} is not read: ${e.message} ${JSON.stringify(e.errors ?? "")}\n${command}\n${file}`);
    process.exitCode = 1;
  }
}
console.error(Object.entries(counts).map(([format, n]) => `${n} ${format}`).join(", "));
