import type { Engine as Whole, Source } from "./all.js";

export { convert, convertText, parse, parseText, UncoilError } from "./all.js";
export type { Auth, Body, Content, Converted, Header, Options, Param, Parsed, Part, Problem, ProblemCode, Request, Shell, Source, Span, Warning } from "./all.js";

/** A loaded engine. It answers synchronously, and throws an UncoilError for an error in a command. */
export type Engine = Omit<Whole, "code" | "targets">;

/** Loads the engine, once: from the package itself, or from what is given. */
export function load(source?: Source | Promise<Source>): Promise<Engine>;

/**
 * Loads the engine at once, where files can be read at once (Node from 20.16, Deno, Bun), or from
 * bytes or a WebAssembly.Module. Elsewhere, and in a bundle, await load().
 */
export function loadSync(source?: object): Engine;
