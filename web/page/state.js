// What the page knows. Everything that is drawn follows from it: whoever changes
// it calls update, and that draws the page once.
export const state = {
  ready: false, // whether the engine has started
  loaded: 0, // the part of it that has arrived, from 0 to 1
  view: "code",
  answer: null, // to the present text, or null
  one: 0, // the number of the request that is chosen, or 0 for all
  picked: false, // whether that was chosen in this text, by somebody or as its first
  folded: false, // whether a long text is folded
  text: "", // that the answer is for
  uses: [], // of the options in that text: see api.Show
  description: null, // the answer's, read; null of an error
  good: false, // whether the panels show an answer from before an error
  problems: [],
  targets: [], // once the engine has told
  target: null,
  named: false, // whether the address names it
  program: null, // of the target: {code} or {problem}, and of: the answer that it is for
};

let render = () => {};

// draws says who draws the page.
export const draws = (whoDraws) => { render = whoDraws; };

export function update(changes) {
  Object.assign(state, changes);
  render();
}
