// The functions of httpsnippet, in the package that is installed in a folder.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

// The clients of httpsnippet 3, those that uncoil lacks with a mark.
const clients = `c.libcurl clojure.clj_http crystal.native csharp.httpclient csharp.restsharp go.native http.http1.1 !java.asynchttp java.nethttp java.okhttp
  java.unirest javascript.xhr javascript.axios javascript.fetch javascript.jquery kotlin.okhttp node.native !node.request !node.unirest node.axios node.fetch
  objc.nsurlsession ocaml.cohttp php.curl php.guzzle !php.http1 !php.http2 powershell.webrequest powershell.restmethod python.python3 python.requests r.httr
  ruby.native ruby.faraday rust.reqwest shell.curl shell.httpie shell.wget swift.nsurlsession`.split(/\s+/).map((text) => {
  const [, lacks, target, client] = /^(!?)([a-z]+)\.(.*)$/.exec(text);
  return { lacks: lacks !== "", target, client };
});

// Requests of HAR files, and the curl commands that send the same.
const requests = [
  [{ method: "GET", url: "https://h.test/x" }, "curl https://h.test/x"],
  [{ url: "https://h.test/x" }, "curl https://h.test/x"],
  [{ method: "DELETE", url: "https://h.test/?b=1", queryString: [{ name: "a", value: "1 2" }], headers: [{ name: "X-A", value: "'\"$b" }] }, "curl -X DELETE 'https://h.test/?b=1&a=1%202' -H 'X-A: '\\''\"$b'"],
  [{ method: "POST", url: "https://h.test", postData: { mimeType: "application/x-www-form-urlencoded", params: [{ name: "a", value: "ü&" }] } }, "curl https://h.test -d a=%C3%BC%26"],
  [{ method: "POST", url: "https://h.test", postData: { mimeType: "application/json", text: '{"a": [1]}' } }, "curl https://h.test -H 'Content-Type: application/json' -d '{\"a\": [1]}'"],
  [{ method: "POST", url: "https://h.test", postData: { mimeType: "text/plain", text: "a \\\n  b" } }, "curl https://h.test -H 'Content-Type: text/plain' --data-raw $'a \\\\\\n  b'"],
  [{ method: "POST", url: "https://h.test", cookies: [{ name: "a", value: "b" }], postData: { mimeType: "multipart/form-data", params: [{ name: "a", value: "b" }] } }, "curl https://h.test -b a=b -F a=b"],
];

// facts are what counts of a request.
const facts = ({ method, url, headers, body }) => ({
  method, url: new URL(url).href.replaceAll("+", "%20"), headers: headers.map(({ name, value }) => `${name.toLowerCase()}: ${value}`).sort(), content: body?.text ?? body?.parts,
});

/** Tests uncoil/httpsnippet. */
export async function httpsnippetTests(t, dir) {
  const dist = (name) => pathToFileURL(join(dir, "node_modules/uncoil/dist", name));
  const modern = await import(dist("httpsnippet.mjs"));
  const common = createRequire(join(dir, "x.cjs"))("uncoil/httpsnippet");
  const { loadSync } = await import(dist("index.mjs"));
  const { HTTPSnippet, addTarget, addTargetClient, availableTargets, extname, isHarEntry, targets } = modern;
  const get = { method: "GET", url: "http://h.test" };

  await t.test("all clients, or an error that names another", () => {
    assert.equal(clients.length, 39);
    for (const { lacks, target, client } of clients) {
      for (const { HTTPSnippet: Snippet } of [modern, common]) {
        const convert = () => new Snippet(get).convert(target, client);
        if (lacks) assert.throws(convert, (error) => new Snippet(get).convert(target, /the nearest is (\w+)$/.exec(error.message)[1]).includes("h.test"));
        else assert.match(convert(), /h\.test/);
      }
    }
    for (const { key, title, clients: list, default: first } of availableTargets()) {
      assert.ok(title && list.some((one) => one.key === first && one.link.startsWith("https://") && one.description));
      for (const one of list) assert.ok(clients.some(({ target, client }) => target === key && (client === one.key || one.key === "httr2")), `${key}.${one.key}`);
      assert.equal(new HTTPSnippet(get).convert(key), new HTTPSnippet(get).convert(key, first));
    }
  });

  await t.test("programs send the request", () => {
    const parsed = (text) => facts(loadSync().parse(text, { shell: "posix" }).requests[0]);
    for (const [request, command] of requests) {
      for (const options of [undefined, { indent: false }, { short: false }, { timeout: 3 }]) {
        const code = new HTTPSnippet(request).convert("shell", "curl", options);
        assert.deepEqual(parsed(code), parsed(command), code);
      }
      for (const { target, client } of clients.filter(({ lacks }) => !lacks)) assert.ok(new HTTPSnippet(request).convert(target, client));
    }
    const several = new HTTPSnippet({ log: { entries: [{ request: get }, { request: { ...get, method: "PUT" } }] } }).convert("shell");
    assert.deepEqual(several, ["curl http://h.test", "curl http://h.test -X PUT"]);
  });

  await t.test("options", () => {
    const request = { url: "https://h.test", headers: [{ name: "A", value: "b \\\n".trim() }, { name: "B", value: "c".repeat(90) }] };
    const convert = (...args) => new HTTPSnippet(request).convert(...args);
    assert.match(convert("shell"), /\\\n/);
    assert.doesNotMatch(convert("shell", { indent: false }), /\n/);
    assert.match(convert("shell", "curl", { short: false }), /--header/);
    assert.match(convert("python", "requests", { indent: "\t", timeout: 3, insecureSkipVerify: true }), /\n\ttimeout=3,\n\tverify=False,/);
    assert.doesNotMatch(convert("go", "native", { showBoilerplate: false }), /package main/);
    assert.match(convert("shell", "curl", { maxRedirects: 2, short: false }), /--max-redirs 2/);
    assert.match(convert("python", "requests", { bare: true }), /^response = /);
    assert.match(convert("php", "curl", { closingTag: false, noTags: undefined }), /^<\?php/);
    assert.throws(() => convert("php", "curl", { shortTags: true }), { name: "TypeError", message: "uncoil has no option shortTags for this client" });
    assert.throws(() => convert("node", "nothing"), { message: "uncoil has no client nothing of node; there are native, axios, fetch" });
    assert.deepEqual([convert("constructor"), convert("nothing")], [false, false]);
    for (const wrong of [{}, null, 7, { method: "GET" }, { log: { entries: [null] } }]) assert.throws(() => new HTTPSnippet(wrong), { name: "HARError" });
    assert.equal(extname("python") + extname("http") + extname("nothing"), ".py");
    assert.deepEqual([isHarEntry(get), isHarEntry(null), isHarEntry({ log: { entries: [] } })], [false, false, true]);
  });

  await t.test("what is added", () => {
    const info = { key: "own", title: "Own", description: "mine", link: "https://h.test" };
    let seen;
    const client = { info, convert: (request, options) => { seen = request; return `${request.method} ${request.fullUrl} ${options?.x}`; } };
    addTarget({ info: { key: "mine", title: "Mine", extname: ".m", default: "own" }, clientsById: { own: client } });
    addTargetClient("node", client);
    const snippet = new HTTPSnippet({
      method: "POST", url: "http://h.test/p?b=2&a=2#f", queryString: [{ name: "a", value: "1" }], headers: [{ name: "A", value: "b" }], cookies: [{ name: "c", value: "d e" }],
      postData: { mimeType: "application/json", text: '{"x":1}' },
    });
    assert.equal(snippet.convert("mine"), "POST http://h.test/p?a=1&a=2&b=2#f undefined");
    assert.equal(snippet.convert("node", "own", { x: 7 }), "POST http://h.test/p?a=1&a=2&b=2#f 7");
    assert.deepEqual([seen.queryObj, seen.headersObj, seen.cookiesObj, seen.allHeaders], [{ a: ["1", "2"], b: "2" }, { A: "b" }, { c: "d e" }, { A: "b", cookie: "c=d%20e" }]);
    assert.deepEqual([seen.postData.jsonObj, seen.uriObj.path, seen.url], [{ x: 1 }, "/p?a=1&a=2&b=2", "http://h.test/p#f"]);
    assert.equal(targets.mine.info.title, "Mine");
    assert.throws(() => addTarget({ info: { key: "mine", title: "Mine", extname: ".m", default: "own" }, clientsById: { own: client } }), /there is a target mine already/);
    assert.throws(() => addTarget({ info: { key: "x", title: "X", extname: null, default: "y" }, clientsById: { own: client } }), /needs its default client/);
    assert.throws(() => addTargetClient("node", client), /has a client own already/);
    assert.throws(() => addTargetClient("nothing", client), /no target nothing/);
    assert.throws(() => addTargetClient("node", { info }), /function convert/);
  });
}
