// A request of uncoil as the object that curlconverter makes of a command.

/** Makes the object of a request of the full description. */
export function toObject({ method, url, query, headers, body, auth, options, variables = [] }) {
  const queries = query && pairsOf(/\?([^#]*)/.exec(url)?.[1], variables, true);
  const object = {
    url: (queries ? url.replace(/\?[^#]*/, "") : url).replace(/\/$/, ""),
    raw_url: url,
    method: method.toLowerCase(),
  };
  const cookies = cookiesOf(headers.find(({ name }) => lower(name) === "cookie")?.value);
  if (cookies) object.cookies = cookies;
  const shown = headers.filter(({ from }) => !computed.test(from));
  if (shown.length > 0) object.headers = Object.fromEntries(shown.map(({ name, value }) => [name, value]));
  if (queries) object.queries = queries;
  return Object.assign(object, contentOf(body, headers, variables), authOf(auth), optionsOf(options));
}

const lower = (text) => text.toLowerCase();

// The options that set fields which stand in other members: auth, files and data.
const computed = /^(-u|--user|url|-F|--form|--form-string)$/;

// cookiesOf returns the cookies of a header field.
function cookiesOf(value = "") {
  if (!value.includes("=")) return undefined;
  return Object.fromEntries(value.replace(/;\s*$/, "").split(";").map((pair) => {
    const [name, ...rest] = pair.trim().split("=");
    return [name, rest.join("=")];
  }));
}

// pairsOf decodes text whose pairs are written as encoding them would write them, so
// that whoever sends the object sends the same bytes. A name that is repeated has an
// array; where order matters, its values must stand together.
function pairsOf(text, variables, ordered) {
  if (!text) return undefined;
  const split = splitter(variables);
  const pairs = new Map();
  let last;
  for (const piece of text.split("&")) {
    const halves = piece.split("=").map((half) => decoded(split(half)));
    if (halves.length !== 2 || halves.includes(undefined)) return undefined;
    const [name, value] = halves;
    if (ordered && pairs.has(name) && name !== last) return undefined;
    if (!pairs.has(name)) pairs.set(name, []);
    pairs.get(name).push(value);
    last = name;
  }
  return Object.fromEntries([...pairs].map(([name, values]) => [name, values.length > 1 ? values : values[0]]));
}

// splitter returns what cuts a text at its variables, which have the odd places.
function splitter(variables) {
  if (variables.length === 0) return (text) => [text];
  const spellings = new Set(variables.map(({ expr }) => expr.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")));
  const expression = new RegExp(`(${[...spellings].join("|")})`);
  return (text) => text.split(expression);
}

// decoded decodes a text that is written as encoding it would write it; variables stay.
function decoded(parts) {
  try {
    const plain = parts.map((part, i) => (i % 2 === 1 ? part : decodeURIComponent(part.replaceAll("+", "%20"))));
    const same = parts.every((part, i) => i % 2 === 1 || encoded(plain[i]) === part.replaceAll("+", "%20"));
    return same ? plain.join("") : undefined;
  } catch {
    return undefined; // not UTF-8
  }
}

const encoded = (text) => encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

function contentOf(body, headers, variables) {
  if (!body) return {};
  if (body.kind === "multipart") return partsOf(body.parts);
  const text = textOf(body);
  const type = headers.find(({ name }) => lower(name) === "content-type")?.value.split(";")[0].trim();
  if (type === "application/json") {
    try {
      return { data: JSON.parse(text) };
    } catch {
      return { data: text };
    }
  }
  const pairs = type === "application/x-www-form-urlencoded" && pairsOf(text, variables);
  return { data: pairs || text };
}

// textOf writes a content as text, and a file as an argument of -d names it.
function textOf({ kind, concat, text, base64, file, name }) {
  if (kind === "concat") return concat.map(textOf).join("");
  if (kind === "stdin") file = "-";
  return text ?? base64 ?? `${typeof name === "string" ? `${name}=` : ""}@${file}`;
}

function partsOf(parts) {
  const of = (wanted, value) => {
    const some = parts.filter((part) => (part.file !== undefined) === wanted);
    return some.length > 0 ? Object.fromEntries(some.map((part) => [part.name, value(part)])) : undefined;
  };
  const files = of(true, ({ file }) => file);
  const data = of(false, ({ value, base64 }) => value ?? base64);
  return { ...(files && { files }), ...(data && { data }) };
}

function authOf(auth) {
  if (auth?.username === undefined) return {};
  return { auth: { user: auth.username, password: auth.password ?? "" }, auth_type: auth.scheme };
}

// Members of curlconverter's, and the options of uncoil that they are.
const renamed = { include: "showHeaders", follow_redirects: "followRedirects", max_redirects: "maxRedirects", proxy: "proxy", timeout: "maxTime", connect_timeout: "connectTimeout", output: "output" };

function optionsOf(options) {
  const object = {};
  if (options.compressed) object.compressed = true;
  if (options.insecure) object.insecure = false; // which its users know
  for (const [name, own] of Object.entries(renamed)) {
    if (options[own] !== undefined) object[name] = options[own];
  }
  if (!options.followRedirects) delete object.max_redirects; // which has no effect
  return object;
}
