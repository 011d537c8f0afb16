// Shows the full description to people.
import { element } from "./dom.js";
import { coloured } from "./jsontext.js";
import { pre } from "./pre.js";

// The most rows of a table, and the most characters of a cell, that are shown.
const mostRows = 500;
const mostInCell = 5_000;

const cellOf = (content) => typeof content === "string" && content.length > mostInCell ? content.slice(0, mostInCell) + "…" : content;

// readable returns the nodes for the requests of a description: all of them, of
// count, or the chosen one.
export function readable(requests, one, count) {
  const nodes = requests.map((request, i) =>
    element("article", { ariaLabel: requests.length > 1 ? `Request ${i + 1}` : "Request" },
      count > 1 && element("p", { className: "soft" }, `Request ${one || i + 1} of ${count}`),
      ...requestView(request)));
  if (!one && count > requests.length) {
    nodes.push(element("p", { className: "soft" }, `${count - requests.length} more are not shown.`));
  }
  return nodes;
}

// plain returns the requests as text for people.
export function plain(requests) {
  return requests.map(({ method, url, headers, body }) => [
    `${method} ${url}`,
    ...headers.map(({ name, value }) => `${name}: ${value}`),
    ...body ? ["", plainBody(body)] : [],
  ].join("\n")).join("\n\n\n") + "\n";
}

function plainBody(body) {
  if (body.kind === "multipart") return body.parts.map((part) => `${part.name}: ${part.file === undefined ? part.content ?? part.value ?? part.base64 ?? "" : `the file ${part.file}`}`).join("\n");
  if (body.text === undefined && body.base64 === undefined) return (body.concat ?? [body]).map((piece) => piece.kind === "text" ? piece.text ?? piece.base64 : `[${describe(piece)}]`).join("");
  return body.text ?? body.base64;
}

function requestView(request) {
  return [
    element("h3", { className: "line" }, element("span", { className: `method method-${request.method}` }, request.method), " ",
      element("span", { className: "url" }, breakable(request.url))),
    request.requestTarget !== undefined && facts("Request", [["target", request.requestTarget]]),
    request.query?.length && pairs("Query", request.query),
    headers(request),
    section("Body", ...body(request.body)),
    request.auth && facts("Authentication", Object.entries(request.auth)),
    Object.keys(request.options).length > 0 && facts("Options", Object.entries(request.options)),
    request.ignored?.length && section("No effect on the request", element("p", {}, element("code", {}, request.ignored.join(" ")))),
  ].filter(Boolean);
}

// breakable lets a URL wrap before each part of its query.
const breakable = (url) => url.length > mostInCell ? cellOf(url) : url.split(/(?=[?&])/).flatMap((part) => [element("wbr"), part]).slice(1);

function section(title, ...children) {
  return element("section", {}, element("h4", {}, title), ...children);
}

// table returns a table whose first column has the names of the rows.
function table(label, columns, rows) {
  return element("table", { ariaLabel: label },
    element("thead", {}, element("tr", {}, columns.map((column) => element("th", { scope: "col" }, column)))),
    element("tbody", {}, rows.slice(0, mostRows).map(([name, ...cells]) =>
      element("tr", {}, element("th", { scope: "row" }, cellOf(name)), cells.map((cell) => element("td", {}, cellOf(cell)))))),
    rows.length > mostRows && element("caption", { className: "soft" }, `The first ${mostRows} of ${rows.length}`));
}

function pairs(title, list) {
  return section(title, table(title, ["Name", "Value"], list.map(({ name, value }) => [name, value])));
}

function facts(title, entries) {
  const text = (value) => Array.isArray(value) ? value.join(", ") : value === true ? "yes" : value === false ? "no" : String(value);
  return section(title, table(title, ["Name", "Value"], entries.map(([name, value]) => [name, text(value)])));
}

function headers(request) {
  const { headers: list, removedHeaders: removed } = request;
  return section("Headers",
    list.length ? table("Headers", ["Name", "Value", "From"], list.map(({ name, value, from }) => [name, value, element("code", {}, from ?? "")]))
      : element("p", { className: "soft" }, "Only those that curl adds."),
    removed?.length && element("p", {}, "Left out: ", element("code", {}, removed.join(", "))));
}

function body(content) {
  if (!content) return [element("p", { className: "soft" }, "None.")];
  const kind = (text) => element("p", { className: "soft" }, text);
  switch (content.kind) {
    case "json":
      return [kind("JSON"), ...pre(coloured(content.text)), exact(content)];
    case "form":
      return [kind("Form data"), content.fields?.length && table("Form data", ["Name", "Value"], content.fields.map(({ name, value }) => [name, value])), exact(content)];
    case "text":
      return [kind("Text"), ...pre([content.text])];
    case "binary":
      return [kind("Bytes that are not text, in base64"), ...pre([content.base64])];
    case "multipart":
      return [kind("Multipart form"), parts(content.parts)];
    default:
      return [kind("Part of it is unknown:"), element("ul", {}, (content.concat ?? [content]).map((piece) => element("li", {}, describe(piece))))];
  }
}

const exact = (content) => element("details", {}, element("summary", {}, "Exactly as sent"), ...pre([content.text ?? content.base64]));

// describe returns what a piece of a body is.
function describe(piece) {
  if (piece.kind === "text") return element("code", {}, piece.text ?? piece.base64);
  const what = piece.kind === "stdin" ? "standard input" : `the file ${piece.file}`;
  return what + [
    piece.name && `, after ${piece.name}=`,
    piece.strip && ", without its line breaks",
    piece.urlencode && ", percent-encoded",
    piece.offset && `, from byte ${piece.offset} on`,
  ].filter(Boolean).join("");
}

function parts(list) {
  return table("Parts", ["Name", "Value", "Type"], list.map((part) => [
    part.name,
    part.parts ? parts(part.parts)
      : part.file !== undefined && part.content === undefined ? `the ${part.inline ? "content of the " : ""}file ${part.file}` + (part.filename !== undefined && part.filename !== part.file ? `, sent as ${part.filename}` : "")
        : part.content ?? part.value ?? part.base64,
    part.contentType ?? "",
  ]));
}
