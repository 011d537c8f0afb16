// The functions of httpsnippet 3 by their names, over the engine of uncoil: requests of
// HAR files as programs, at once.
import { optionNames } from "./core.js";
import { load, loadSync } from "./index.js";
import { lacking, table } from "./httpsnippet_targets.js";
import { prepared } from "./httpsnippet_request.js";

export { load };

/** The targets, with what was added. */
export const targets = Object.fromEntries(table.map(([key, title, extname, clients]) => [key, {
  info: { key, title, extname, default: clients[0][0] },
  clientsById: Object.fromEntries(clients.map((client) => [client[0], clientOf(title, client)])),
}]));

function clientOf(language, [key, title, target, link]) {
  return { info: { key, title, link, description: `${language} with ${title}` }, convert: (request, options) => written(request, target, options) };
}

/** A HAR request, or all of a HAR file, that becomes programs. */
export class HTTPSnippet {
  constructor(source) {
    const requests = isHarEntry(source) ? source.log.entries.map((entry) => entry?.request) : [source];
    for (const request of requests) {
      if (typeof request?.url !== "string") throw Object.assign(new Error("a HAR request needs a url"), { name: "HARError" });
    }
    this.requests = requests.map((request) => ({ method: "GET", ...request }));
  }

  /** The program of a client of a target; an array where the HAR file has several requests; false where there is no such target. */
  convert(target, client, options) {
    if (typeof client === "object" && client !== null && options === undefined) [client, options] = [undefined, client];
    if (!Object.hasOwn(targets, target)) {
      if (!Object.hasOwn(lacking, target)) return false;
      throw new Error(`uncoil has no target ${target}; the nearest is ${lacking[target]}`);
    }
    const { info, clientsById } = targets[target];
    const key = client || info.default;
    if (!Object.hasOwn(clientsById, key)) {
      const nearest = lacking[`${target}.${key}`];
      const others = nearest ? `the nearest is ${nearest}` : `there are ${Object.keys(clientsById).join(", ")}`;
      throw new Error(`uncoil has no client ${key} of ${target}; ${others}`);
    }
    const custom = !builtIn.has(clientsById[key]);
    const programs = this.requests.map((request) => clientsById[key].convert(custom ? prepared(request) : request, options));
    return programs.length === 1 ? programs[0] : programs;
  }
}

const builtIn = new Set(Object.values(targets).flatMap(({ clientsById }) => Object.values(clientsById)));

// What options of httpsnippet are in a curl command.
const inCurl = {
  insecureSkipVerify: (on) => (on ? "--insecure" : ""),
  verify: (on) => (on === false ? "--insecure" : ""), // HTTPie's
  timeout: (seconds) => (Number(seconds) > 0 ? `--max-time ${Number(seconds)}` : ""),
  maxRedirects: (n) => (Number(n) >= 0 ? `--location --max-redirs ${Math.floor(Number(n))}` : ""),
};

// And what they are in programs of uncoil.
const inProgram = {
  indent: (text) => (typeof text === "string" ? { indent: text } : {}),
  short: (on) => ({ longNames: !on }),
  showBoilerplate: (on) => ({ bare: on === false }),
  checkErrors: (on) => ({ checkStatus: Boolean(on) }),
};

// written writes the program of a request.
function written(request, target, options = {}) {
  const own = {};
  const more = [];
  for (const [name, value] of Object.entries(options ?? {})) {
    if (value === undefined) continue;
    if (Object.hasOwn(inCurl, name)) more.push(inCurl[name](value));
    else if (Object.hasOwn(inProgram, name)) Object.assign(own, inProgram[name](value));
    else if (optionNames.includes(name)) own[name] = value;
    else if (value !== false) throw new TypeError(`uncoil has no option ${name} for this client`);
  }
  const code = program(JSON.stringify(request), more.filter(Boolean), target, own).replace(/\n$/, "");
  return options?.indent === false ? joined(code) : code;
}

// program writes a program. What a HAR request cannot say is added to the curl command
// of the request.
function program(text, more, target, options) {
  const engine = loadSync();
  if (more.length === 0) return engine.code(text, target, { ...options, shell: "har" }).code;
  const command = engine.code(text, "curl", { shell: "har", style: "exact" }).code.trimEnd();
  return engine.code(`${command} ${more.join(" ")}`, target, { ...options, shell: "posix" }).code;
}

// joined joins the lines of a command, but not those of texts in quotes.
function joined(code) {
  if (!/\\\n/.test(code) || code.includes("<<")) return code;
  return code.replace(/\$'(?:\\[^]|[^'\\])*'|'[^']*'|"(?:\\[^]|[^"\\])*"|\\\n\s*|\\[^]/g, (part) => (/^\\\n/.test(part) ? "" : part));
}

/** Whether a HAR file is given, and not a request. */
export function isHarEntry(value) {
  return typeof value === "object" && value !== null && Array.isArray(value.log?.entries);
}

/** The targets and their clients. */
export function availableTargets() {
  return Object.values(targets).map(({ info, clientsById }) => ({ ...info, clients: Object.values(clientsById).map((client) => client.info) }));
}

/** The extension of the files of a target, or an empty string. */
export function extname(target) {
  return (Object.hasOwn(targets, target) && targets[target].info.extname) || "";
}

/** Throws an error that says why a client is none, or returns true. */
export function isClient(client) {
  if (!client?.info?.key || !client.info.title) throw new Error("a client needs info with key and title");
  for (const name of ["description", "link"]) {
    if (!Object.hasOwn(client.info, name)) throw new Error(`the info of a client needs ${name}`);
  }
  if (typeof client.convert !== "function") throw new Error("a client needs a function convert");
  return true;
}

/** Throws an error that says why a target is none, or returns true. */
export function isTarget(target) {
  if (!target?.info?.key || !target.info.title || !Object.hasOwn(target.info, "extname")) throw new Error("a target needs info with key, title and extname");
  const { key, default: first } = target.info;
  if (Object.hasOwn(targets, key)) throw new Error(`there is a target ${key} already`);
  if (!target.clientsById || !Object.hasOwn(target.clientsById, first)) throw new Error(`the target ${key} needs its default client in clientsById`);
  return Object.values(target.clientsById).every(isClient);
}

/** Adds a target. */
export function addTarget(target) {
  if (isTarget(target)) targets[target.info.key] = target;
}

/** Adds a client to a target. */
export function addTargetClient(target, client) {
  if (!Object.hasOwn(targets, target)) throw new Error(`there is no target ${target}`);
  if (isClient(client) && Object.hasOwn(targets[target].clientsById, client.info.key)) throw new Error(`the target ${target} has a client ${client.info.key} already`);
  targets[target].clientsById[client.info.key] = client;
}
