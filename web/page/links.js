// Links to the command and to what is in sight.
import * as address from "./address.js";
import { rewrite } from "./cleanup.js";
import { switched } from "./code.js";
import { copy } from "./copy.js";
import { $ } from "./dom.js";
import { chosen } from "./requests.js";
import { state } from "./state.js";
import { tell } from "./tell.js";

const command = $("command");
const hide = $("hide");

// sight is what of the page an address can name.
const sight = () => ({ view: state.view, target: state.named ? state.target?.name : null, options: switched(), one: state.answer?.count > 1 || state.picked ? state.one : 0 });

// forget takes the link away, because the text is another.
export function forget() {
  $("linked").hidden = true;
  $("address").value = "";
  if (!document.body.dataset.embed) address.show(sight());
}

// startLinks makes a link at the button's click. question returns the request object.
export function startLinks(question) {
  $("link").addEventListener("click", () => makeLink(question()));
}

// makeLink makes a link to the command, or to that of the request that is chosen of several.
// While secrets are hidden, variables stand in it in their place.
function makeLink(question) {
  if (command.value.trim() === "") return tell($("link"), "Nothing to link");
  const one = chosen();
  if (!hide.checked && !one) return showLink(command.value, $("shell").value);
  if (!state.answer?.again) return tell($("link"), "Fix the error first");
  const text = command.value;
  // What was filled in for variables and files stays in this tab, unless it is to be hidden.
  const asked = hide.checked ? question : { curl: text, shell: question.shell };
  rewrite({ ...asked, target: state.answer.again, moveSecrets: hide.checked }, (why) => tell($("link"), why), ({ code }) => {
    if (text === command.value && one === chosen()) showLink(code.trimEnd(), "auto");
  });
}

async function showLink(text, read) {
  const made = address.linkTo(text, read, { ...sight(), one: 0, target: state.target?.name });
  if (made === null) return tell($("link"), "Too long for a link");
  history.replaceState(null, "", made);
  $("address").value = made;
  $("linked-what").textContent = hide.checked ? "This address contains the command, with variables for its secrets." : "This address contains the whole command, its secrets too.";
  $("linked").hidden = false;
  tell($("link"), await copy(made) ? "Copied" : "The link is below");
}
