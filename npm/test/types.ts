// Compiled, not run: the types fit openapi.yaml and what the README shows.
import engineModule from "uncoil/uncoil.wasm";
import parserModule from "uncoil-parse/parse.wasm";
import * as parser from "uncoil-parse";
import { CCError, toJsonObject, toPython, toPythonWarn, type JSONOutput, type Warnings } from "uncoil/curlconverter";
import { addTargetClient, availableTargets, HTTPSnippet, type Client, type HarRequest } from "uncoil/httpsnippet";
import * as slim from "uncoil/slim";
import remarkUncoil, { type RemarkOptions } from "uncoil/remark";
import { code, convert, diff, load, loadSync, parse, targets, UncoilError, type CodeOptions, type Converted, type Options, type Parsed, type Problem } from "uncoil";

// Options has what the service's request object has, and nothing else.
import type { components } from "./node_modules/uncoil/dist/openapi.d.cts";
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
const sameMembers: Same<keyof Options, Exclude<keyof components["schemas"]["Command"], "curl">> = true;
const sameCodeMembers: Same<keyof CodeOptions, Exclude<keyof components["schemas"]["CodeCommand"], "curl" | "target" | "targets" | "warnings" | "data">> = true;
const sameShells: Same<NonNullable<Options["shell"]>, components["schemas"]["Shell"]> = true;

export async function use(): Promise<void> {
  const { method, url, headers, data }: Converted = await convert("curl https://example.com", { shell: "posix", files: { a: new Uint8Array(1), b: "text", c: { base64: "" } }, stdin: "x", env: { A: "b" } });
  const text: string = method + url + headers["Accept"];
  const parsed: Parsed = await parse(text);
  const from: string | undefined = parsed.requests[0]?.headers[0]?.from;
  const kind: "json" | "form" | "text" | "binary" | "multipart" | "file" | "stdin" | "concat" | undefined = parsed.requests[0]?.body?.kind;
  const program: string = (await code(text, "python", { variables: "keep", bare: true, indent: "  ", env: { A: "b" } })).code;
  const verdict: "identical" | "equivalent" | "different" = (await diff("curl h.test", { curl: "curl h.test", entry: 1 })).verdict;
  const proven: boolean | undefined = (await targets())[0]?.proven;
  if (proven) throw new Error(program);
  await load(engineModule);
  const engine = await load(Promise.resolve(new ArrayBuffer(8)));
  try {
    engine.convert(text).data;
  } catch (error) {
    if (error instanceof UncoilError) {
      const problem: Problem = error.problem;
      const line: number | undefined = error.line;
      if (error.code === "unknown-option") throw new Error([problem.hint, line, from, kind, data, sameMembers, sameCodeMembers, sameShells].join());
      // @ts-expect-error there is no such code
      if (error.code === "unknown-opton") return;
    }
  }
  const options: RemarkOptions = { to: ["python"], tabs: { group: "Tabs", item: "Tab", from: "ui" }, source: false, style: "exact" };
  await remarkUncoil(options)({}, {});
  // @ts-expect-error there are no such tabs
  remarkUncoil({ tabs: "sphinx" });
  // @ts-expect-error there is no such shell
  await convert(text, { shell: "tcsh" });
  // @ts-expect-error a number is no source
  await load(7);
  const object: JSONOutput = toJsonObject(["curl", "h.test"]);
  const [converted, list]: [string, Warnings] = toPythonWarn(toPython(object.url), [["a", "b"]]);
  if (list.length > 7) throw new CCError(converted);
  const request: HarRequest = { method: "GET", url: object.url };
  const snippet: string | string[] | false = new HTTPSnippet(request).convert("node", "fetch", { indent: "\t" });
  if (snippet === false) throw new Error(availableTargets()[0]?.clients[0]?.title);
  const client: Client<{ x: number }> = { info: { key: "k", title: "t", link: "l", description: "d" }, convert: ({ fullUrl }, options) => `${fullUrl}${options?.x.toFixed()}` };
  addTargetClient("node", client);
  (await slim.load(parserModule)).code(text, "python").code.trim();
  // @ts-expect-error the door without an engine is given one
  await slim.load();
  parser.loadSync().convert(text).url.trim();
  // @ts-expect-error it writes no programs
  parser.loadSync().code;
  // @ts-expect-error nor has it such a function
  parser.code;
  loadSync(new Uint8Array(8)).convert(text).method.toUpperCase();
  // @ts-expect-error the command is a string
  await convert(7);
}
