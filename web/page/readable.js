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
// count, or the chosen one. Unless it is null, save receives an edit, the number
// of its request, and a function for the reason why it cannot be.
export function readable(requests, one, count, save) {
  const nodes = requests.map((request, i) =>
    element("article", { ariaLabel: requests.length > 1 ? `Request ${i + 1}` : "Request" },
      count > 1 && element("p", { className: "soft" }, `Request ${one || i + 1} of ${count}`),
      ...requestView(request, save && ((edit, whenRefused) => save(edit, one || i + 1, whenRefused)))));
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

function requestView(request, save) {
  return [
    methodAndURL(request, save),
    request.requestTarget !== undefined && facts("Request", [["target", request.requestTarget]]),
    (save || request.query?.length > 0) && listOf("Query", "query", "pair", request.query ?? [], save),
    headers(request, save),
    section("Body", ...body(request.body)),
    request.auth && facts("Authentication", Object.entries(request.auth)),
    Object.keys(request.options).length > 0 && facts("Options", Object.entries(request.options)),
    request.ignored?.length && section("No effect on the request", element("p", {}, element("code", {}, request.ignored.join(" ")))),
  ].filter(Boolean);
}

function methodAndURL({ method, url }, save) {
  const className = `method method-${method}`;
  const fields = element("div", { hidden: true });
  const open = (opened) => show(fields, opened, badge);
  const badge = save ? editButton(method, `${method}, change the method`, { part: "method", value: method }, open, save, { className })
    : element("span", { className }, method);
  return element("div", { className: "stack" }, element("h3", { className: "line" }, badge, " ", element("span", { className: "url" }, breakable(cellOf(url)))), fields);
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
function listOf(title, part, noun, list, save, columns = [], cells = () => []) {
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
    list.length > 0 && table(title, ["Name", "Value", ...columns, ...save ? [""] : []], rows),
    list.length === 0 && title === "Headers" && element("p", { className: "soft" }, "Only those that curl adds."),
    fields);
}

// table returns a table whose first column has the names of the rows.
function table(label, columns, rows) {
  return element("table", { ariaLabel: label },
    element("thead", {}, element("tr", {}, columns.map((column) => column ? element("th", { scope: "col" }, column) : element("td", { className: "act" })))),
    element("tbody", {}, rows.slice(0, mostRows).map(([name, ...cells]) =>
      element("tr", {}, element("th", { scope: "row" }, cellOf(name)), cells.map((cell) => element("td", {}, cellOf(cell)))))),
    rows.length > mostRows && element("caption", { className: "soft" }, `The first ${mostRows} of ${rows.length}`));
}

function facts(title, entries) {
  const text = (value) => Array.isArray(value) ? value.join(", ") : value === true ? "yes" : value === false ? "no" : String(value);
  return section(title, table(title, ["Name", "Value"], entries.map(([name, value]) => [name, text(value)])));
}

function headers({ headers: list, removedHeaders: removed }, save) {
  const made = listOf("Headers", "headers", "header", list, save, ...list.some(({ from }) => from) ? [["From"], ({ from }) => [element("code", {}, from ?? "")]] : []);
  if (removed?.length) made.append(element("p", {}, "Left out: ", element("code", {}, removed.join(", "))));
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
