// The engine with the targets. It is larger than the one with which the page
// answers, and loaded when it is first needed.
import { Engine } from "./engine.js";

let engine = null;
let whenFailed = null;

// codeEngine returns the engine. failed receives the reason if it cannot start.
export function codeEngine(failed) {
  whenFailed = failed;
  engine ??= new Engine(new URL(`${document.body.dataset.engine}uncoil-code.wasm`, document.baseURI).href, (reason) => whenFailed(`The engine for code cannot start (${reason}).`));
  return engine;
}
