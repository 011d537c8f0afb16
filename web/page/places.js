// The engine counts bytes of UTF-8, browsers count units of UTF-16.

// toIndices maps byte offsets, in any order, to indices into a string.
export function toIndices(text, offsets) {
  const sorted = [...new Set(offsets)].sort((a, b) => a - b);
  const found = new Map();
  let bytes = 0;
  let index = 0;
  for (const offset of sorted) {
    while (bytes < offset && index < text.length) {
      const code = text.codePointAt(index);
      bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
      index += code < 0x10000 ? 1 : 2;
    }
    found.set(offset, index);
  }
  return found;
}

// locate returns the range {start, end} of the text to mark for each problem. An
// empty span is marked at the next character, or at the last one.
export function locate(text, problems) {
  const placed = problems.filter((problem) => problem.span);
  const indices = toIndices(text, placed.flatMap(({ span }) => [span.start, span.end]));
  return placed.map((problem) => {
    let start = indices.get(problem.span.start);
    let end = indices.get(problem.span.end);
    if (end <= start) end = Math.min(text.length, start + 1);
    if (end <= start) start = Math.max(0, end - 1);
    return { start, end, problem };
  });
}

// cut joins two lists of ranges into one without overlaps. Of two ranges of one list
// that overlap, the first in the text counts; a range of marks adds its class as mark.
export function cut(ranges, marks) {
  const inOrder = (list) => {
    let at = 0;
    return [...list].sort((a, b) => a.start - b.start || b.end - a.end).filter(({ start, end }) => start >= at && (at = end, true));
  };
  const [first, second] = [inOrder(ranges), inOrder(marks)];
  const edges = [...new Set([...first, ...second].flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  const made = [];
  let i = 0, j = 0;
  for (let n = 0; n + 1 < edges.length; n++) {
    const [start, end] = [edges[n], edges[n + 1]];
    while (i < first.length && first[i].end <= start) i++;
    while (j < second.length && second[j].end <= start) j++;
    const range = first[i]?.start <= start ? first[i] : null;
    const mark = second[j]?.start <= start ? second[j].className : undefined;
    if (range || mark) made.push({ ...range, start, end, mark });
  }
  return made;
}

// moved returns the ranges of a text as they lie in its next version, without those
// in which something changed.
export function moved(ranges, before, after) {
  if (before === after) return ranges;
  const most = Math.min(before.length, after.length);
  let head = 0, tail = 0;
  while (head < most && before[head] === after[head]) head++;
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const by = after.length - before.length;
  return ranges.flatMap((range) => range.end <= head ? [range] : range.start >= before.length - tail ? [{ ...range, start: range.start + by, end: range.end + by }] : []);
}

// spellings returns the forms in which a command may contain a secret.
function spellings(secret) {
  const forms = new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), secret.replaceAll("'", "'\\''")]);
  try {
    forms.add(decodeURIComponent(secret.replaceAll("+", " ")));
  } catch { /* it is not percent-encoded */ }
  return [...forms].filter(Boolean);
}

// mostSearched limits the characters that are searched for secrets.
const mostSearched = 20_000_000;

// veil returns the text with its secrets as dots, character for character.
// The ranges are where, in bytes, the text holds secrets, used or not;
// secrets are what was hidden in the answer. When one of these cannot be found,
// or they are not known (null), all is dots.
export function veil(text, secrets, ranges = []) {
  if (secrets && secrets.length * text.length > mostSearched) secrets = null;
  const hidden = new Uint8Array(text.length);
  const indices = toIndices(text, ranges.flat());
  for (const [start, end] of ranges) hidden.fill(1, indices.get(start), indices.get(end));
  for (const secret of secrets ?? []) {
    let found = false;
    for (const form of spellings(secret)) {
      for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
        hidden.fill(1, at, at + form.length);
        found = true;
      }
    }
    if (!found) return veil(text, null);
  }
  let out = "";
  for (let i = 0; i < text.length; i++) {
    const blank = text[i] === "\n" || text[i] === " " || text[i] === "\t";
    out += (secrets === null || hidden[i]) && !blank ? "•" : text[i];
  }
  return out;
}
