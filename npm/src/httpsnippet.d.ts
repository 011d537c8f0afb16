import type { CodeOptions } from "./index.js";

type Pair = { name: string; value: string };

/** A request of a HAR file. */
export interface HarRequest {
  method: string;
  url: string;
  httpVersion?: string;
  queryString?: Pair[];
  headers?: Pair[];
  cookies?: Pair[];
  postData?: { mimeType?: string; text?: string; params?: { name: string; value?: string; fileName?: string; contentType?: string }[] };
  [other: string]: unknown;
}

/** A HAR file. */
export interface HarEntry {
  log: { entries: { request: Partial<HarRequest> }[]; [other: string]: unknown };
}

/** A request with what clients that are added may want of it. */
export interface Request extends HarRequest {
  fullUrl: string;
  queryObj: Record<string, string | string[]>;
  headersObj: Record<string, string>;
  cookiesObj: Record<string, string>;
  allHeaders: Record<string, string>;
  uriObj: Record<string, unknown>;
}

export type TargetId = string;
export type ClientId = string;
export type Extension = `.${string}` | null;

export interface ClientInfo {
  key: ClientId;
  title: string;
  link: string;
  description: string;
}

export interface TargetInfo {
  key: TargetId;
  title: string;
  extname: Extension;
  default: ClientId;
}

export interface AvailableTarget extends TargetInfo {
  clients: ClientInfo[];
}

/** Options of httpsnippet that uncoil has, too, beside its own. */
export interface SnippetOptions extends Omit<CodeOptions, "indent" | "shell"> {
  /** false joins the lines of a command. */
  indent?: string | false;
  /** Short names of options in commands. */
  short?: boolean;
  insecureSkipVerify?: boolean;
  verify?: boolean;
  /** In seconds. */
  timeout?: number | string;
  maxRedirects?: number;
  /** false is bare. */
  showBoilerplate?: boolean;
  /** Is checkStatus. */
  checkErrors?: boolean;
}

export type Converter<T = Record<string, unknown>> = (request: Request, options?: T) => string;

export interface Client<T = any> {
  info: ClientInfo;
  convert: Converter<T>;
}

export interface Target {
  info: TargetInfo;
  clientsById: Record<ClientId, Client>;
}

export class HTTPSnippet {
  constructor(source: Partial<HarRequest> | HarEntry);
  readonly requests: Partial<HarRequest>[];
  /** The program of a client; an array where there are several requests; false where there is no such target. */
  convert(target: TargetId, client?: ClientId, options?: SnippetOptions | Record<string, unknown>): string | string[] | false;
  convert(target: TargetId, options: SnippetOptions | Record<string, unknown>): string | string[] | false;
}

export const targets: Record<TargetId, Target>;
export function availableTargets(): AvailableTarget[];
export function extname(target: TargetId): string;
export function isHarEntry(value: unknown): value is HarEntry;
export function isTarget(target: Target): target is Target;
export function isClient(client: Client): client is Client;
export function addTarget(target: Target): void;
export function addTargetClient(target: TargetId, client: Client): void;

/** Loads the engine where no file can be read at once; elsewhere nothing needs it. */
export { load } from "./index.js";
