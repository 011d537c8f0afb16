// Makes elements. Text only ever goes in as text, so nothing that is pasted
// can become markup.

export const $ = (id) => document.getElementById(id);

// element makes an element with properties, and children that are nodes or
// text; what is null or false is left out.
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== false && child !== undefined));
  return made;
}
