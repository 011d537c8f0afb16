// Links to the command and to what is in sight.
import * as address from "./address.js";
import { rewrite } from "./cleanup.js";
import { switched } from "./code.js";
import { copy } from "./copy.js";
import { $ } from "./dom.js";
import { state } from "./state.js";
import { tell } from "./tell.js";

const command = $("command");
const hide = $("hide");

// sight is what of the page an address can name.
const sight = () => ({ view: state.view, target: state.named ? state.target?.name : null, options: switched() });

// forget takes the link away, because the text is another.
export function forget() {
  $("linked").hidden = true;
  if (!document.body.dataset.embed) address.show(sight());
}

// startLinks makes a link at the button's click. question returns the request object.
export function startLinks(question) {
  $("link").addEventListener("click", () => makeLink(question()));
}

// makeLink makes a link to the command. While secrets are hidden, variables stand in
// it in their place.
function makeLink(question) {
  if (command.value.trim() === "") return tell($("link"), "Nothing to link");
  if (!hide.checked) return showLink(command.value, $("shell").value);
  if (!state.answer?.again) return tell($("link"), "Fix the error first");
  const text = command.value;
  rewrite({ ...question, target: state.answer.again, moveSecrets: true }, (why) => tell($("link"), why), ({ code }) => {
    if (text === command.value) showLink(code.trimEnd(), "auto");
  });
}

async function showLink(text, read) {
  const made = address.linkTo(text, read, { ...sight(), target: state.target?.name });
  if (made === null) return tell($("link"), "Too long for a link");
  history.replaceState(null, "", made);
  $("address").value = made;
  $("linked-what").textContent = hide.checked ? "This address contains the command, with variables for its secrets." : "This address contains the whole command, its secrets too.";
  $("linked").hidden = false;
  tell($("link"), await copy(made) ? "Copied" : "The link is below");
}
