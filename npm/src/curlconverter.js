// The functions of curlconverter 4.12 by their names, over the engine of uncoil: they
// answer at once. The programs are those of uncoil; the object of toJsonObject has
// curlconverter's members.
import { quoted, UncoilError } from "./core.js";
import { load, loadSync } from "./index.js";
import { toObject } from "./curlconverter_object.js";

export { load };

/** An error in a command, or a program that uncoil does not write. */
export class CCError extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = "CCError";
  }
}

// ask calls the engine with a command: the text of one, or its arguments with the word curl.
function ask(command, use) {
  try {
    if (typeof command === "string") return use(loadSync(), command, {});
    if (!Array.isArray(command) || !command.every((one) => typeof one === "string")) throw new TypeError("the command must be a string or an array of strings");
    return use(loadSync(), quoted(command), { shell: "posix" });
  } catch (error) {
    if (!(error instanceof UncoilError || error instanceof TypeError)) throw error;
    throw new CCError(error.hint ? `${error.message}\n${error.hint}` : error.message, { cause: error });
  }
}

const added = (warnings, list) => {
  for (const { code, message } of list) warnings.push([code, message]);
  return warnings;
};

// program returns the pair of functions of a target.
function program(target) {
  const warn = (command, warnings = []) => {
    const { code, warnings: list } = ask(command, (engine, text, options) => engine.code(text, target, options));
    return [code, added(warnings, list)];
  };
  return [(command) => warn(command)[0], warn];
}

// missing returns the pair of functions of a program that uncoil does not write.
function missing(what, nearest) {
  const refuse = () => {
    throw new CCError(`uncoil writes no program for ${what}; the nearest is ${nearest}`);
  };
  return [refuse, refuse];
}

export const [toAnsible, toAnsibleWarn] = program("ansible");
export const [toC, toCWarn] = program("c");
export const [toCFML, toCFMLWarn] = missing("ColdFusion", "toJava");
export const [toClojure, toClojureWarn] = program("clojure");
export const [toCSharp, toCSharpWarn] = program("csharp");
export const [toDart, toDartWarn] = program("dart");
export const [toElixir, toElixirWarn] = program("elixir-req");
export const [toGo, toGoWarn] = program("go");
export const [toHarString, toHarStringWarn] = program("har");
export const [toHTTP, toHTTPWarn] = program("raw-http");
export const [toHttpie, toHttpieWarn] = program("httpie");
export const [toJava, toJavaWarn] = program("java");
export const [toJavaHttpUrlConnection, toJavaHttpUrlConnectionWarn] = program("java-httpurlconnection");
export const [toJavaJsoup, toJavaJsoupWarn] = missing("jsoup", "toJava");
export const [toJavaOkHttp, toJavaOkHttpWarn] = program("java-okhttp");
export const [toJavaScript, toJavaScriptWarn] = program("browser-fetch");
export const [toBrowser, toBrowserWarn] = [toJavaScript, toJavaScriptWarn];
export const [toJavaScriptJquery, toJavaScriptJqueryWarn] = program("javascript-jquery");
export const [toJavaScriptXHR, toJavaScriptXHRWarn] = program("javascript-xhr");
export const [toJulia, toJuliaWarn] = program("julia");
export const [toKotlin, toKotlinWarn] = program("kotlin-okhttp4");
export const [toLua, toLuaWarn] = program("lua");
export const [toMATLAB, toMATLABWarn] = missing("MATLAB", "toPython");
export const [toNode, toNodeWarn] = program("javascript-fetch");
export const [toNodeFetch, toNodeFetchWarn] = [toNode, toNodeWarn];
export const [toNodeAxios, toNodeAxiosWarn] = program("node-axios");
export const [toNodeGot, toNodeGotWarn] = program("node-got");
export const [toNodeHttp, toNodeHttpWarn] = program("node-http");
export const [toNodeKy, toNodeKyWarn] = program("node-ky");
export const [toNodeRequest, toNodeRequestWarn] = missing("the package request", "toNodeGot");
export const [toNodeSuperAgent, toNodeSuperAgentWarn] = program("node-superagent");
export const [toObjectiveC, toObjectiveCWarn] = program("objc");
export const [toOCaml, toOCamlWarn] = program("ocaml");
export const [toPerl, toPerlWarn] = program("perl");
export const [toPhp, toPhpWarn] = program("php");
export const [toPhpGuzzle, toPhpGuzzleWarn] = program("php-guzzle");
export const [toPhpRequests, toPhpRequestsWarn] = missing("Requests for PHP", "toPhpGuzzle");
export const [toPowershellRestMethod, toPowershellRestMethodWarn] = program("powershell-restmethod");
export const [toPowershellWebRequest, toPowershellWebRequestWarn] = program("powershell");
export const [toPython, toPythonWarn] = program("python-requests");
export const [toPythonHttp, toPythonHttpWarn] = program("python-http");
export const [toR, toRWarn] = program("r-httr");
export const [toRHttr2, toRHttr2Warn] = program("r");
export const [toRuby, toRubyWarn] = program("ruby");
export const [toRubyHttparty, toRubyHttpartyWarn] = program("ruby-httparty");
export const [toRust, toRustWarn] = program("rust");
export const [toSwift, toSwiftWarn] = program("swift");
export const [toWget, toWgetWarn] = program("wget");

export function toJsonObjectWarn(command, warnings = []) {
  const { requests, warnings: list } = ask(command, (engine, text, options) => engine.parse(text, options));
  added(warnings, list);
  if (requests.length > 1) warnings.push(["several-requests", `the command sends ${requests.length} requests, and the object is of the first`]);
  return [toObject(requests[0]), warnings];
}

export const toJsonObject = (command) => toJsonObjectWarn(command)[0];

export function toJsonStringWarn(command, warnings = []) {
  const [object] = toJsonObjectWarn(command, warnings);
  return [`${JSON.stringify(object, null, 4)}\n`, warnings];
}

export const toJsonString = (command) => toJsonStringWarn(command)[0];
