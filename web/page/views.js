// The views of an answer: for each its nodes, its text to copy, and the name of a
// file for that.
import { element } from "./dom.js";
import { coloured, indent } from "./jsontext.js";
import { colouredMessage, messageText } from "./message.js";
import { pre } from "./pre.js";
import { plain, readable } from "./readable.js";

// typed are the kinds of text in which people write options.
const typed = ["posix", "cmd", "powershell"];

const withoutOptions = (request) => ({ ...request, headers: request.headers.map((header) => ({ ...header, from: undefined })) });

// requestView shows the description. What save is: see readable.
export function requestView(answer, description, save) {
  const requests = typed.includes(description.shell) ? description.requests : description.requests.map(withoutOptions);
  return { nodes: readable(requests, answer.own, answer.one, answer.count, save), text: plain(requests), file: "request.txt" };
}

// jsonView shows the four members: an object, or of several requests a list.
export function jsonView(answer, description) {
  const chosen = answer.each ?? [answer];
  const known = chosen.filter(({ converted }) => converted).map(({ converted }) => converted);
  const refused = chosen.find((each) => each.refused)?.refused;
  const text = chosen.length > 1 ? `[${known.join(",")}]` : known[0];
  return {
    nodes: [
      refused && element("p", { className: "note" }, chosen.length > 1 ? `Not in the list: ${refused.detail}` : refused.detail),
      refused && chosen.length === 1 && element("p", { className: "soft" }, "The tabs Request and HTTP show what there is."),
      known.length > 0 && pre(coloured(text), "answer-text"),
      more(answer, description),
    ].flat().filter(Boolean),
    text: known.length ? indent(text) : null, file: "request.json",
  };
}

// httpView shows the messages.
export function httpView(answer, description) {
  const { messages } = answer;
  return {
    nodes: [
      ...messages.flatMap((message, i) => [
        messages.length > 1 && element("p", { className: "soft" }, `Request ${i + 1} of ${answer.count}`),
        message.base64 && element("p", { className: "soft" }, "Bytes that are not text are shown as �."),
        message.missing && element("p", { className: "note" }, "A note in brackets marks content of files that the page does not have."),
        pre(colouredMessage(messageText(message)), "answer-text"),
      ].flat()),
      more(answer, description),
      element("p", { className: "soft" }, "HTTP/1.1 as curl 8.22 sends it. The boundary of a form differs each time."),
    ].filter(Boolean),
    text: messages.map((message) => message.text ?? messageText(message)).join("\r\n"), file: "request.http",
  };
}

const more = (answer, description) => !answer.one && answer.count > description.requests.length
  && element("p", { className: "soft" }, `${answer.count - description.requests.length} more are not shown; choose one above.`);
