// A second worker with the engine, so that a long program does not keep the answer
// waiting. It starts when it is first needed.
import { Engine } from "./engine.js";

let engine = null;
let whenFailed = null;

// codeEngine returns the engine. failed receives the reason if it cannot start.
export function codeEngine(failed) {
  whenFailed = failed;
  engine ??= new Engine(new URL(`${document.body.dataset.engine}uncoil.wasm`, document.baseURI).href, (reason) => whenFailed(`The engine cannot start (${reason}).`));
  return engine;
}
