// Keeps the page for use without a network, and announces a new version.
import { $ } from "./dom.js";

// keepOffline installs the service worker. A new version changes nothing of an
// open page: it waits for a reload.
export async function keepOffline() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return; // without a secure context
  const announce = () => { $("new-version").hidden = false; };
  if (serviceWorker.controller) serviceWorker.addEventListener("controllerchange", announce); // another tab loaded it
  let registration;
  try {
    registration = await serviceWorker.register("offline.js", { updateViaCache: "none" });
  } catch {
    return; // the browser or the host does not let it
  }
  $("load-new").addEventListener("click", () => {
    if (!registration.waiting) return location.reload();
    serviceWorker.addEventListener("controllerchange", () => location.reload());
    registration.waiting.postMessage("take over");
  });
  const look = () => { if (registration.waiting && serviceWorker.controller) announce(); };
  look();
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", look));
}
