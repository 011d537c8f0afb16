// Keeps the text for a reload, in this tab and until it is closed, unless that is
// switched off, and the target of the code for the next visit. Where the browser
// allows no storage, and in a frame of another page, nothing is kept.
const text = "uncoil-text";
const off = "uncoil-off";

function storage(name) {
  if (document.body.dataset.embed) return null;
  try {
    return window[name];
  } catch {
    return null;
  }
}

const tab = storage("sessionStorage");
const visits = storage("localStorage");

// put stores a value where there is room for it.
function put(into, name, value) {
  try {
    into?.setItem(name, value);
  } catch {
    into.removeItem(name);
  }
}

const get = (from, name) => from?.getItem(name) ?? null;

// read returns the text that was kept, or null.
export const read = () => get(tab, text);

export const isOff = () => get(tab, off) !== null;

export function write(value) {
  if (value && !isOff()) put(tab, text, value);
  else tab?.removeItem(text);
}

const list = "uncoil-list";

// listed returns how the list of requests was filtered, or null.
export const listed = () => get(tab, list);

// setListed keeps that, beside a text.
export function setListed(value) {
  if (value && !isOff()) put(tab, list, value);
  else tab?.removeItem(list);
}

export function turn(on) {
  if (on) tab?.removeItem(off);
  else put(tab, off, "");
}

const look = "uncoil-theme";

// theme returns the choice of light or dark, or null.
export const theme = () => get(visits, look);

export const setTheme = (value) => put(visits, look, value);

const to = "uncoil-target";

// target returns the name of the target that the user chose last, or null.
export const target = () => get(visits, to);

// setTarget keeps it, and those before it.
export function setTarget(name) {
  const before = [target(), ...recent()].filter((one) => one && one !== name);
  put(visits, to, name);
  if (before.length) put(visits, earlier, [...new Set(before)].slice(0, mostRecent).join());
}

const earlier = "uncoil-recent";
const mostRecent = 6;

// recent returns the names of the targets that were chosen before, the latest first.
export const recent = () => get(visits, earlier)?.split(",").filter(Boolean) ?? [];

const hidden = "uncoil-hidden";

// hides reports whether secrets are hidden in this tab.
export const hides = () => get(tab, hidden) !== null;

export function setHides(on) {
  if (on) put(tab, hidden, "yes");
  else tab?.removeItem(hidden);
}
