// Shows the full description to people.
import { breakable, element } from "./dom.js";
import { editButton } from "./edit.js";
import { coloured } from "./jsontext.js";
import { pre } from "./pre.js";

// The most rows of a table, and the most characters of a cell, that are shown.
const mostRows = 500;
const mostInCell = 5_000;

const cellOf = (content) => typeof content === "string" && content.length > mostInCell ? content.slice(0, mostInCell) + "…" : content;

// readable returns the nodes for the requests of a description: all of them, of
// count, or the chosen one. own are the lines that curl adds to each. Unless it is null,
// save receives an edit, the number of its request, and a function for the reason why it
// cannot be. A row has the number of its request in data-of, and in data-set what an
// option would set to make it: see uses.js.
export function readable(requests, own, one, count, save) {
  const nodes = requests.map((request, i) =>
    element("article", { ariaLabel: requests.length > 1 ? `Request ${i + 1}` : "Request" },
      count > 1 && element("p", { className: "soft" }, `Request ${one || i + 1} of ${count}`),
      ...requestView(request, own[i] ?? [], save && ((edit, whenRefused) => save(edit, one || i + 1, whenRefused)))));
  nodes.forEach((node, i) => { for (const row of node.querySelectorAll("[data-set]")) row.dataset.of = one || i + 1; });
  if (!one && count > requests.length) {
    nodes.push(element("p", { className: "soft" }, `${count - requests.length} more are not shown; choose one above.`));
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

function requestView(request, own, save) {
  return [
    methodAndURL(request, save),
    request.requestTarget !== undefined && facts("Request", [["target", request.requestTarget]]),
    (save || request.query?.length > 0) && listOf("Query", "query", "pair", request.query ?? [], save),
    headers(request, own, save),
    mark(section("Body", ...body(request.body)), "body"),
    request.auth && mark(facts("Authentication", Object.entries(request.auth)), "auth"),
    Object.keys(request.options).length > 0 && facts("Options", Object.entries(request.options), (name) => `options.${name}`),
    request.ignored?.length && section("No effect on the request", element("p", {}, element("code", {}, request.ignored.join(" ")))),
  ].filter(Boolean);
}

// mark says what an option would set to make a node.
function mark(node, set) {
  node.dataset.set = set;
  return node;
}

function methodAndURL({ method, url }, save) {
  const className = `method method-${method}`;
  const fields = element("div", { hidden: true });
  const open = (opened) => show(fields, opened, badge);
  const badge = save ? editButton(method, `${method}, change the method`, { part: "method", value: method }, open, save, { className })
    : element("span", { className }, method);
  return element("div", { className: "stack" }, element("h3", { className: "line" }, mark(badge, "method"), " ", mark(element("span", { className: "url" }, breakable(cellOf(url))), "url")), fields);
}

// show puts the fields of an edit into their place, and null takes them away.
function show(place, opened, button) {
  place.hidden = !opened;
  place.replaceChildren(...opened ? [opened.nodes] : []);
  (opened ?? button).focus();
}

function section(title, ...children) {
  return element("section", {}, typeof title === "string" ? element("h4", {}, title) : title, ...children);
}

// listOf returns the section of headers or of query pairs, whose rows can be
// edited. cells returns what a row has besides its name and its value.
function listOf(title, part, noun, list, save, columns = [], cells = () => [], own = []) {
  const fields = element("div", { hidden: true });
  const add = save && editButton("Add", `Add a ${noun}`, { part, at: list.length }, (opened) => show(fields, opened, add), save);
  const rows = list.map((row, at) => [row.name, row.value, ...cells(row), ...save ? [edit(row, at)] : []]);
  function edit({ name, value }, at) {
    if (value === undefined) return ""; // bytes that are not text
    const button = editButton("Edit", `Edit the ${noun} ${name}`, { part, at, name, value }, (opened) => {
      const row = button.closest("tr");
      row.hidden = Boolean(opened);
      if (!opened) row.nextSibling.remove();
      else row.after(element("tr", {}, element("td", { colSpan: row.cells.length }, opened.nodes)));
      (opened ?? button).focus();
    }, save);
    return button;
  }
  return section(element("div", { className: "line" }, element("h4", {}, title), add),
    (rows.length > 0 || own.length > 0) && table(title, ["Name", "Value", ...columns, ...save ? [""] : []], rows, (i) => `${part}#${i}`, own),
    fields);
}

// table returns a table whose first column has the names of the rows. setOf returns what
// an option would set to make a row, by its number; own are rows that are there anyway.
function table(label, columns, rows, setOf, own = []) {
  const row = ([name, ...cells], properties) => element("tr", properties, element("th", { scope: "row" }, cellOf(name)), cells.map((cell) => element("td", {}, cellOf(cell))));
  return element("table", { ariaLabel: label },
    element("thead", {}, element("tr", {}, columns.map((column) => column ? element("th", { scope: "col" }, column) : element("td", { className: "act" })))),
    element("tbody", {}, rows.slice(0, mostRows).map((cells, i) => row(cells, setOf ? { "data-set": setOf(i, cells) } : {})),
      own.map((cells) => row([...cells, ...Array(Math.max(0, columns.length - cells.length)).fill("")], { className: "own" }))),
    rows.length > mostRows && element("caption", { className: "soft" }, `The first ${mostRows} of ${rows.length}`));
}

function facts(title, entries, setOf) {
  const text = (value) => Array.isArray(value) ? value.join(", ") : value === true ? "yes" : value === false ? "no" : String(value);
  return section(title, table(title, ["Name", "Value"], entries.map(([name, value]) => [name, text(value)]), setOf && ((i) => setOf(entries[i][0]))));
}

// usual are the options whose name tells nothing about a header field.
const usual = ["-H", "--header"];

function headers({ headers: list, removedHeaders: removed }, lines, save) {
  const tells = list.some(({ from }) => from && !usual.includes(from));
  const own = lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2), ...tells ? ["curl"] : []]);
  const made = listOf("Headers", "headers", "header", list, save, ...tells ? [["From"], ({ from }) => [usual.includes(from) ? "" : element("code", {}, from ?? "")]] : [[], () => []], own);
  if (removed?.length) made.append(element("p", {}, "Removed: ", removed.flatMap((name, i) => [i > 0 && ", ", mark(element("code", {}, name), `removedHeaders.${name}`)])));
  return made;
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
      return [kind("Multipart form"), parts(content.parts, (i) => `body#${i}`)];
    default:
      return [kind("The page does not have all of it:"), element("ul", {}, (content.concat ?? [content]).map((piece) => element("li", {}, describe(piece))))];
  }
}

const exact = (content) => element("details", {}, element("summary", {}, "Exactly as sent"), ...pre([content.text ?? content.base64]));

// describe returns what a piece of a body is.
function describe(piece) {
  if (piece.kind === "text") return element("code", {}, piece.text ?? piece.base64);
  const what = piece.kind === "stdin" ? "standard input" : `the file ${piece.file}`;
  return what + [
    piece.name && `, after ${piece.name}=`,
    piece.strip && " (line breaks removed, as -d does)",
    piece.urlencode && ", percent-encoded",
    piece.offset && `, from byte ${piece.offset} on`,
  ].filter(Boolean).join("");
}

function parts(list, setOf) {
  return table("Parts", ["Name", "Value", "Type"], list.map((part) => [
    part.name,
    part.parts ? parts(part.parts)
      : part.file !== undefined && part.content === undefined ? `the ${part.inline ? "content of the " : ""}file ${part.file}` + (part.filename !== undefined && part.filename !== part.file ? `, sent as ${part.filename}` : "")
        : part.content ?? part.value ?? part.base64,
    part.contentType ?? "",
  ]), setOf);
}
