/** Codes and messages. */
export type Warnings = [string, string][];

/** The text of a command, or its arguments with the word curl. */
export type Command = string | string[];

type Write = (curlCommand: Command) => string;
type WriteWarn = (curlCommand: Command, warnings?: Warnings) => [string, Warnings];

/** An error in a command, or a program that uncoil does not write. */
export class CCError extends Error {}

/** The first request of a command. */
export interface JSONOutput {
  url: string;
  raw_url: string;
  method: string;
  cookies?: Record<string, string>;
  headers?: Record<string, string>;
  queries?: Record<string, string | string[]>;
  data?: unknown;
  files?: Record<string, string>;
  compressed?: boolean;
  insecure?: boolean;
  include?: boolean;
  auth?: { user: string; password: string };
  auth_type?: string;
  follow_redirects?: boolean;
  max_redirects?: number;
  proxy?: string;
  timeout?: number;
  connect_timeout?: number;
  output?: string;
}

/** Loads the engine where no file can be read at once; elsewhere nothing needs it. */
export { load } from "./index.js";

export const toJsonObject: (curlCommand: Command) => JSONOutput;
export const toJsonObjectWarn: (curlCommand: Command, warnings?: Warnings) => [JSONOutput, Warnings];
export const toJsonString: Write;
export const toJsonStringWarn: WriteWarn;
export const toAnsible: Write;
export const toAnsibleWarn: WriteWarn;
export const toC: Write;
export const toCWarn: WriteWarn;
export const toCFML: Write;
export const toCFMLWarn: WriteWarn;
export const toClojure: Write;
export const toClojureWarn: WriteWarn;
export const toCSharp: Write;
export const toCSharpWarn: WriteWarn;
export const toDart: Write;
export const toDartWarn: WriteWarn;
export const toElixir: Write;
export const toElixirWarn: WriteWarn;
export const toGo: Write;
export const toGoWarn: WriteWarn;
export const toHarString: Write;
export const toHarStringWarn: WriteWarn;
export const toHTTP: Write;
export const toHTTPWarn: WriteWarn;
export const toHttpie: Write;
export const toHttpieWarn: WriteWarn;
export const toJava: Write;
export const toJavaWarn: WriteWarn;
export const toJavaHttpUrlConnection: Write;
export const toJavaHttpUrlConnectionWarn: WriteWarn;
export const toJavaJsoup: Write;
export const toJavaJsoupWarn: WriteWarn;
export const toJavaOkHttp: Write;
export const toJavaOkHttpWarn: WriteWarn;
export const toJavaScript: Write;
export const toJavaScriptWarn: WriteWarn;
export const toBrowser: Write;
export const toBrowserWarn: WriteWarn;
export const toJavaScriptJquery: Write;
export const toJavaScriptJqueryWarn: WriteWarn;
export const toJavaScriptXHR: Write;
export const toJavaScriptXHRWarn: WriteWarn;
export const toJulia: Write;
export const toJuliaWarn: WriteWarn;
export const toKotlin: Write;
export const toKotlinWarn: WriteWarn;
export const toLua: Write;
export const toLuaWarn: WriteWarn;
export const toMATLAB: Write;
export const toMATLABWarn: WriteWarn;
export const toNode: Write;
export const toNodeWarn: WriteWarn;
export const toNodeFetch: Write;
export const toNodeFetchWarn: WriteWarn;
export const toNodeAxios: Write;
export const toNodeAxiosWarn: WriteWarn;
export const toNodeGot: Write;
export const toNodeGotWarn: WriteWarn;
export const toNodeHttp: Write;
export const toNodeHttpWarn: WriteWarn;
export const toNodeKy: Write;
export const toNodeKyWarn: WriteWarn;
export const toNodeRequest: Write;
export const toNodeRequestWarn: WriteWarn;
export const toNodeSuperAgent: Write;
export const toNodeSuperAgentWarn: WriteWarn;
export const toObjectiveC: Write;
export const toObjectiveCWarn: WriteWarn;
export const toOCaml: Write;
export const toOCamlWarn: WriteWarn;
export const toPerl: Write;
export const toPerlWarn: WriteWarn;
export const toPhp: Write;
export const toPhpWarn: WriteWarn;
export const toPhpGuzzle: Write;
export const toPhpGuzzleWarn: WriteWarn;
export const toPhpRequests: Write;
export const toPhpRequestsWarn: WriteWarn;
export const toPowershellRestMethod: Write;
export const toPowershellRestMethodWarn: WriteWarn;
export const toPowershellWebRequest: Write;
export const toPowershellWebRequestWarn: WriteWarn;
export const toPython: Write;
export const toPythonWarn: WriteWarn;
export const toPythonHttp: Write;
export const toPythonHttpWarn: WriteWarn;
export const toR: Write;
export const toRWarn: WriteWarn;
export const toRHttr2: Write;
export const toRHttr2Warn: WriteWarn;
export const toRuby: Write;
export const toRubyWarn: WriteWarn;
export const toRubyHttparty: Write;
export const toRubyHttpartyWarn: WriteWarn;
export const toRust: Write;
export const toRustWarn: WriteWarn;
export const toSwift: Write;
export const toSwiftWarn: WriteWarn;
export const toWget: Write;
export const toWgetWarn: WriteWarn;
