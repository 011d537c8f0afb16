// The choice of one of several requests. Beside the answer it is a line; where a long
// text is folded, it is a list in the place of the box.
import { $, element } from "./dom.js";
import { isFolded } from "./fold.js";
import { state } from "./state.js";

const command = $("command");
const which = $("which");
const filter = $("filter");

// many is how many requests a text has that are looked for by words.
const many = 10;

// longest is how many characters of a request the line shows.
const longest = 66;

// chosen returns the number of the chosen request, or 0 for all.
export const chosen = () => Number(which.value || 0);

// startRequests calls whenChosen after each choice.
export function startRequests(whenChosen) {
  which.addEventListener("change", whenChosen);
  filter.addEventListener("input", listRequests);
}

// listRequests offers the requests of a text that has several, those that have the
// words of the filter.
export function listRequests() {
  const { answer } = state;
  const folded = isFolded();
  if (!answer && command.value.trim() !== "") return; // the next one will tell
  const several = answer?.count > 1;
  const place = $(folded ? "folded-requests" : "requests");
  place.append($("choice"));
  $("requests").hidden = !several || folded;
  $("folded-requests").hidden = !several || !folded;
  filter.hidden = !(answer?.count > many);
  which.size = folded ? 12 : 1;
  if (!several) {
    filter.value = "";
    return which.replaceChildren();
  }
  const lines = folded ? withResponses(answer.list) : answer.list;
  const words = filter.hidden ? [] : filter.value.toLowerCase().split(/\s+/);
  const found = lines.map((line, i) => ({ line, number: i + 1 })).filter(({ line, number }) => number === answer.one || words.every((word) => line.toLowerCase().includes(word)));
  const all = found.length === answer.count ? `All ${answer.count} requests` : `All ${answer.count} requests (${found.length} listed)`;
  const short = (line) => line.length > longest && !folded ? line.slice(0, longest - 1) + "…" : line;
  which.replaceChildren(element("option", { value: "0" }, all), ...found.map(({ line, number }) => element("option", { value: String(number), title: folded ? line : "" }, `${number}: ${short(line)}`)));
  which.value = String(answer.one ?? 0);
}

let responses = { text: null, lines: [] };

// withResponses returns the lines of the list with what a recording has of the
// responses: "GET 200 json https://h.test/". Entries of other protocols are in no list.
function withResponses(list) {
  if (state.description?.shell !== "har") return list;
  if (responses.text !== command.value) responses = { text: command.value, lines: readResponses(list, command.value) };
  return responses.lines;
}

function readResponses(list, text) {
  let entries;
  try {
    entries = JSON.parse(text).log.entries;
  } catch {
    return list; // the engine reads more than browsers do
  }
  let at = 0;
  return list.map((line) => {
    const begins = line.replace(/…$/, "");
    const is = ({ request }) => `${request?.method} ${request?.url}`.startsWith(begins);
    let found = at;
    while (found < entries.length && !is(entries[found])) found++;
    if (found === entries.length) return line;
    at = found + 1;
    const { status, content } = entries[found].response ?? {};
    const type = content?.mimeType?.split(";")[0].split("/").pop();
    const [method, ...url] = line.split(" ");
    return [method, status || "–", type || "–", ...url].join(" ");
  });
}
