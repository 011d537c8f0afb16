// A second worker with the engine, so that a long program does not keep the answer
// waiting. It starts when it is first needed.
import { client } from "./client.js";

let engine = null;
let whenFailed = null;

// codeEngine returns the engine. failed receives the reason if it cannot start.
export function codeEngine(failed) {
  whenFailed = failed;
  engine ??= client((reason) => whenFailed(`The engine cannot start (${reason}).`));
  return engine;
}
