// Keeps the text for a reload, in this tab and until it is closed, unless that is
// switched off.
const text = "uncoil-text";
const off = "uncoil-off";

// read returns the text that was kept, or null.
export const read = () => sessionStorage.getItem(text);

export const isOff = () => sessionStorage.getItem(off) !== null;

export function write(value) {
  try {
    if (value && !isOff()) sessionStorage.setItem(text, value);
    else sessionStorage.removeItem(text);
  } catch {
    sessionStorage.removeItem(text); // it is too long
  }
}

export function turn(on) {
  if (on) sessionStorage.removeItem(off);
  else sessionStorage.setItem(off, "");
}

const look = "uncoil-theme";

// theme returns the choice of light or dark, or null.
export const theme = () => sessionStorage.getItem(look);

export const setTheme = (value) => sessionStorage.setItem(look, value);
