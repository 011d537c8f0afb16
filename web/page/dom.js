// Makes elements. Text is always added as text, so pasted text never becomes
// markup.

export const $ = (id) => document.getElementById(id);

// element returns a new element with properties, and with children that are nodes
// or text. Children that are null or false are left out.
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== false && child !== undefined));
  return made;
}

// breakable returns the nodes of a URL that wraps before the parts of its query.
export const breakable = (url) => url.split(/(?=[?&])/).flatMap((part) => [element("wbr"), part]).slice(1);
