// The engine that answers the page: in a worker, or the service that shows the page.
import { Engine } from "./engine.js";
import { Service } from "./service.js";

const { engine: folder, size, asks } = document.body.dataset;

// hasEngine reports whether there is one.
export const hasEngine = Boolean(folder || asks);

// client returns one: see Engine.
export const client = (whenFailed, whenStarted, whenLoaded) => folder
  ? new Engine(new URL(`${folder}uncoil.wasm`, document.baseURI).href, Number(size), whenFailed, whenStarted, whenLoaded)
  : new Service(whenFailed, whenStarted);
