import type { components } from "./openapi.js";

type Schemas = components["schemas"];

/** One request: method, url, headers and data. */
export type Converted = Schemas["Converted"];
/** Everything about the requests of a command. */
export type Parsed = Schemas["Parsed"];
/** A program that sends the requests of a command. */
export type Program = Schemas["Program"];
/** A language with an HTTP client that programs are written for. */
export type Target = Schemas["Target"];
export type Request = Schemas["Request"];
export type Header = Schemas["Header"];
export type Param = Schemas["Param"];
export type Body = Schemas["Body"];
export type Part = Schemas["Part"];
export type Auth = Schemas["Auth"];
export type Span = Schemas["Span"];
export type Warning = Schemas["Warning"];
/** An error, as a problem document (RFC 9457). */
export type Problem = Schemas["Problem"];
/** The stable name of an error. Codes are never renamed; later versions may add some. */
export type ProblemCode = Schemas["ProblemCode"];
/** How a text is written: for a shell, or as a file. */
export type Shell = Schemas["Shell"];

/** Text, or bytes. */
export type Content = Schemas["Content"] | Uint8Array | ArrayBuffer;

/** The input of a command besides its text. */
export interface Options {
  /** The contents of files that the command names, by the name that it uses. */
  files?: Record<string, Content>;
  /** The standard input of the command. */
  stdin?: Content;
  /** Shell variables that the command uses. */
  env?: Record<string, string>;
  /** How the text is written; detected by default. */
  shell?: Shell;
  /** Which request of a HAR file, an .http file or a collection is wanted, counted from 1; all by default. */
  entry?: number;
  /** Adds the warnings to the answer of convert; parse always has them. */
  warnings?: boolean;
  /** "text" makes data of the answer of convert the exact body as a string, JSON and forms too. */
  data?: "text";
}

/** The switches of a program, as the member of the same name in a request object. */
type Switches = Omit<Schemas["CodeCommand"], keyof Schemas["Command"] | "target" | "targets">;

/** The input of a command, and how its program is written. */
export type CodeOptions = Omit<Options, "warnings" | "data"> & { [Name in keyof Switches]?: NonNullable<Switches[Name]> };

/** One side of a comparison: a text, or one with the input that goes with it. */
export type Side = string | ({ curl: string } & Omit<Options, "warnings" | "data">);

/** What differs between the requests of two texts. */
export type Comparison = Schemas["Comparison"];

/** A loaded engine. It answers synchronously, and throws an UncoilError for an error in a command. */
export interface Engine {
  /** The one request that curl would send, as four members. */
  convert(command: string, options?: Options): Converted;
  /** Everything about the requests that curl would send. */
  parse(command: string, options?: Options): Parsed;
  /** A program that sends them, for a target: a name or an alias of targets(). */
  code(command: string, target: string, options?: CodeOptions): Program;
  /** What differs between the requests of two texts. */
  diff(a: Side, b: Side): Comparison;
  /** The languages and clients that programs are written for. */
  targets(): Target[];
  /** As convert, as JSON text, in which long numbers keep their digits. */
  convertText(command: string, options?: Options): string;
  /** As parse, as JSON text, in which long numbers keep their digits. */
  parseText(command: string, options?: Options): string;
}

/**
 * Where the engine may come from: the address of uncoil.wasm as a string or URL, a Response with it,
 * its bytes in an ArrayBuffer or a view of one, or a WebAssembly.Module.
 */
export type Source = string | object; // not a union of names: some exist only with the DOM's types

/** Loads the engine, once: from the package itself, or from what is given. */
export function load(source?: Source | Promise<Source>): Promise<Engine>;

/**
 * Loads the engine at once, where files can be read at once (Node from 20.16, Deno, Bun), or from
 * bytes or a WebAssembly.Module. Elsewhere, and in a bundle, await load().
 */
export function loadSync(source?: object): Engine;

/** The one request that curl would send, as four members. */
export function convert(command: string, options?: Options): Promise<Converted>;
/** Everything about the requests that curl would send. */
export function parse(command: string, options?: Options): Promise<Parsed>;
/** A program that sends them, for a target: a name or an alias of targets(). */
export function code(command: string, target: string, options?: CodeOptions): Promise<Program>;
/** What differs between the requests of two texts. */
export function diff(a: Side, b: Side): Promise<Comparison>;
/** The languages and clients that programs are written for. */
export function targets(): Promise<Target[]>;
/** As convert, as JSON text, in which long numbers keep their digits. */
export function convertText(command: string, options?: Options): Promise<string>;
/** As parse, as JSON text, in which long numbers keep their digits. */
export function parseText(command: string, options?: Options): Promise<string>;

/** An error in a command or in the request object. */
export class UncoilError extends Error {
  constructor(problem: Problem);
  readonly name: "UncoilError";
  readonly problem: Problem;
  readonly code: ProblemCode;
  /** 1-based, in the command. */
  readonly line?: number;
  /** 1-based, in characters. */
  readonly column?: number;
  /** What to do about it. */
  readonly hint?: string;
}
