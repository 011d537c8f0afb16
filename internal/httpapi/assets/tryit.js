
"use strict";
const $ = (id) => document.getElementById(id);

// element makes an element. Text only ever goes in as text.
function element(name, text, className) {
  const e = document.createElement(name);
  if (text !== undefined) e.textContent = text;
  if (className) e.className = className;
  return e;
}

// indent lays out JSON text as it is: reading it into numbers would round
// the long ones.
function indent(json) {
  let out = "", before = "", depth = 0;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[^\s"{}\[\],:]+|[{}\[\],:]/g)) {
    const opened = before === "{" || before === "[";
    const closes = token === "}" || token === "]";
    if (closes) depth--;
    if (opened !== closes || before === ",") out += "\n" + "  ".repeat(depth);
    out += token === ":" ? ": " : token;
    if (token === "{" || token === "[") depth++;
    before = token;
  }
  return out;
}

function requestView(request) {
  const view = document.createDocumentFragment();
  view.append(element("h2", request.method + " " + request.url));
  if (request.headers && request.headers.length) {
    const table = element("table");
    for (const header of request.headers) {
      const row = element("tr");
      row.append(element("td", header.name), element("td", header.value), element("td", header.from, "soft"));
      table.append(row);
    }
    view.append(table);
  }
  if (request.body) {
    view.append(element("p", "Body: " + request.body.kind, "soft"));
    if (request.body.text !== undefined) view.append(element("pre", request.body.text));
  }
  return view;
}

function problemView(problem, command) {
  const view = document.createDocumentFragment();
  view.append(element("h2", problem.title, "bad"), element("p", problem.detail));
  if (problem.line) {
    const line = command.split("\n")[problem.line - 1] || "";
    view.append(element("pre", line + "\n" + " ".repeat(problem.column - 1) + "^"));
  }
  if (problem.hint) view.append(element("p", "Hint: " + problem.hint));
  const link = element("a", problem.code);
  link.href = problem.type.replace(/^\//, "");
  view.append(link);
  return view;
}

async function show() {
  const command = $("command").value.replace(/\r\n/g, "\n");
  const answer = $("answer");
  let response, text;
  try {
    response = await fetch("api/parse", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ curl: command, shell: $("shell").value }),
    });
    text = await response.text();
  } catch {
    answer.replaceChildren(element("p", "The service does not answer.", "bad"));
    return;
  }
  const result = JSON.parse(text);
  if (!response.ok) {
    answer.replaceChildren(problemView(result, command));
    return;
  }
  const warnings = (result.warnings || []).map((w) => element("p", w.line + ":" + w.column + ": " + w.message));
  answer.replaceChildren(...warnings, ...result.requests.map(requestView),
    element("h2", "Everything"), element("pre", indent(text)));
}

$("form").addEventListener("submit", (event) => { event.preventDefault(); show(); });
$("command").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); show(); }
});
