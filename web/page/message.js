// HTTP messages as text.
import { breakable, element } from "./dom.js";

// mostColoured is the length of a head up to which each field gets an element.
const mostColoured = 50_000;

export function messageText({ text, base64 }) {
  const decoded = text ?? new TextDecoder().decode(Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)));
  return decoded.replaceAll("\r\n", "\n");
}

// colouredMessage returns a message as nodes: the method and the names of the
// fields have colours.
export function colouredMessage(text) {
  const end = text.indexOf("\n\n");
  if (end < 0 || end > mostColoured) return [text];
  const [first, ...fields] = text.slice(0, end).split("\n");
  const space = first.indexOf(" ");
  return [
    element("span", { className: "code-keyword" }, first.slice(0, space)), ...breakable(first.slice(space)),
    ...fields.flatMap((field) => {
      const colon = field.indexOf(":");
      return colon < 0 ? ["\n" + field] : ["\n", element("span", { className: "json-name" }, field.slice(0, colon)), field.slice(colon)];
    }),
    text.slice(end),
  ];
}
