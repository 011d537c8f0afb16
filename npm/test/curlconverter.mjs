// The functions of curlconverter, in the package that is installed in a folder.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

// What curlconverter 4.12 exports, each with Warn behind it too.
const names = `Ansible Browser C CFML CSharp Clojure Dart Elixir Go HTTP HarString Httpie Java JavaHttpUrlConnection JavaJsoup JavaOkHttp JavaScript
  JavaScriptJquery JavaScriptXHR JsonObject JsonString Julia Kotlin Lua MATLAB Node NodeAxios NodeFetch NodeGot NodeHttp NodeKy NodeRequest NodeSuperAgent
  OCaml ObjectiveC Perl Php PhpGuzzle PhpRequests PowershellRestMethod PowershellWebRequest Python PythonHttp R RHttr2 Ruby RubyHttparty Rust Swift Wget`.split(/\s+/);

const missing = ["CFML", "JavaJsoup", "MATLAB", "NodeRequest", "PhpRequests"];

const form = { "Content-Type": "application/x-www-form-urlencoded" };
const post = { url: "http://h.test", raw_url: "http://h.test", method: "post" };
const get = { ...post, method: "get" };

// Commands, and their objects.
const objects = [
  ["curl h.test/", { ...get, raw_url: "http://h.test/" }],
  ["curl -X PURGE 'h.test/x?a=1&a=2&b=%20+'", { url: "http://h.test/x", raw_url: "http://h.test/x?a=1&a=2&b=%20+", method: "purge", queries: { a: ["1", "2"], b: "  " } }],
  // An object would not give these bytes again.
  ["curl 'h.test?a=1&b=2&a=3'", { ...get, url: "http://h.test?a=1&b=2&a=3", raw_url: "http://h.test?a=1&b=2&a=3" }],
  ["curl 'h.test?a=x/y'", { ...get, url: "http://h.test?a=x/y", raw_url: "http://h.test?a=x/y" }],
  ["curl -d a=1 -d b=%C3%BC+x h.test", { ...post, headers: form, data: { a: "1", b: "ü x" } }],
  ["curl -d a=1 -d b=2 -d a=3 h.test", { ...post, headers: form, data: { a: ["1", "3"], b: "2" } }],
  ...["a=%c3%bc", "a=%FF", "a=b=c", "a", "a=1&", "a=(b)", "a=%41"].map((data) => [`curl -d '${data}' h.test`, { ...post, headers: form, data }]),
  ["curl -d \"a=$X b\" h.test", { ...post, headers: form, data: "a=$X b" }],
  ["curl -d \"a=$X\" h.test", { ...post, headers: form, data: { a: "$X" } }],
  ["curl -d __proto__=1 h.test", { ...post, headers: form, data: JSON.parse('{"__proto__": "1"}') }],
  ["curl -d @f -d a=b h.test", { ...post, headers: form, data: "@f&a=b" }],
  ["curl -d @- h.test", { ...post, headers: form, data: "@-" }],
  ["curl --data-urlencode a@f h.test", { ...post, headers: form, data: "a=@f" }],
  ["curl -T f h.test/f", { ...get, url: "http://h.test/f", raw_url: "http://h.test/f", method: "put", data: "@f" }],
  ["curl --json '{\"a\":[1]}' h.test", { ...post, headers: { "Content-Type": "application/json", Accept: "application/json" }, data: { a: [1] } }],
  ["curl -d '{\"a\":1}' h.test", { ...post, headers: form, data: '{"a":1}' }],
  ["curl -F a=b -F 'c=@d;type=x/y' -F 'e=<f' h.test", { ...post, files: { c: "d", e: "f" }, data: { a: "b" } }],
  ["curl -b 'a=b; c=d=e; f' h.test", { ...get, cookies: { a: "b", c: "d=e", f: "" }, headers: { Cookie: "a=b; c=d=e; f" } }],
  ["curl -u a:b --digest -H 'A: b' h.test", { ...get, headers: { A: "b" }, auth: { user: "a", password: "b" }, auth_type: "digest" }],
  ["curl --oauth2-bearer T h.test", { ...get, headers: { Authorization: "Bearer T" } }],
  ["curl https://u:p@h.test", { ...get, url: "https://h.test", raw_url: "https://h.test", auth: { user: "u", password: "p" }, auth_type: "basic" }],
  ["curl -kiL --compressed --max-redirs 3 -m 2.5 --connect-timeout 1 -x p:1 -o f h.test",
    { ...get, compressed: true, insecure: false, include: true, follow_redirects: true, max_redirects: 3, proxy: "p:1", timeout: 2.5, connect_timeout: 1, output: "f" }],
  ["curl --max-redirs 3 h.test", get],
];

/** Tests uncoil/curlconverter. */
export async function curlconverterTests(t, dir) {
  const dist = (name) => pathToFileURL(join(dir, "node_modules/uncoil/dist", name));
  const modern = await import(dist("curlconverter.mjs"));
  const common = createRequire(join(dir, "x.cjs"))("uncoil/curlconverter");
  const { loadSync } = await import(dist("index.mjs"));

  await t.test("all names", () => {
    const all = ["CCError", "load", ...names.flatMap((name) => [`to${name}`, `to${name}Warn`])].sort();
    for (const functions of [modern, common]) assert.deepEqual(Object.keys(functions).sort(), all);
  });

  await t.test("programs are those of uncoil, by a text or by arguments", () => {
    const targets = new Map(loadSync().targets().map((target) => [loadSync().code("curl h.test/x -d 'a b'", target.name).code, target.client]));
    for (const { CCError, ...functions } of [modern, common]) {
      for (const name of names.filter((one) => !missing.includes(one) && !one.startsWith("Json"))) {
        const code = functions[`to${name}`]("curl h.test/x -d 'a b'");
        assert.ok(targets.has(code), name);
        assert.equal(functions[`to${name}`](["curl", "h.test/x", "-d", "a b"]), code, name);
        assert.deepEqual(functions[`to${name}Warn`]("curl h.test/x -d 'a b'")[0], code, name);
      }
      for (const name of missing) {
        for (const one of [`to${name}`, `to${name}Warn`]) {
          assert.throws(() => functions[one]("curl h.test"), (error) => {
            const nearest = /^uncoil writes no program for .*; the nearest is (to\w+)$/.exec(error.message)?.[1];
            return error instanceof CCError && functions[nearest]("curl h.test").length > 0;
          });
        }
      }
    }
    assert.ok(modern.toPython(["curl", "h.test", "-d", "'$A`b`\n"]).includes("data=\"'$A`b`\\n\""));
  });

  await t.test("the object", () => {
    for (const [command, object] of objects) {
      assert.deepEqual(modern.toJsonObject(command), object, command);
      assert.equal(common.toJsonString(command), `${JSON.stringify(object, null, 4)}\n`, command);
    }
  });

  await t.test("warnings and errors", () => {
    const { toJsonObjectWarn, toPythonWarn, toPython, CCError } = modern;
    const given = [["mine", "kept"]];
    const [, warnings] = toPythonWarn("curl -d '{\"a\":1}' h.test", given);
    assert.equal(warnings, given);
    assert.deepEqual([warnings[0], warnings.slice(1).map(([code]) => code)], [["mine", "kept"], ["json-sent-as-form"]]);
    assert.deepEqual(toJsonObjectWarn("curl h.test g.test")[1], [["several-requests", "the command sends 2 requests, and the object is of the first"]]);
    assert.throws(() => toPython("curl --hedaer x h.test"), (error) => error instanceof CCError && error.message === "curl has no option --hedaer\ndid you mean --header?" && error.cause.line === 1);
    for (const wrong of [undefined, 7, ["curl", 7]]) assert.throws(() => toPython(wrong), CCError);
  });
}
