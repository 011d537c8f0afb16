// Keeps the page for use without a network, and announces a new version.
import { $ } from "./dom.js";

// keepOffline installs the service worker. It changes nothing of this page: a new
// version waits until the user asks for it.
export async function keepOffline() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return; // without a secure context
  let registration;
  try {
    registration = await serviceWorker.register("offline.js", { updateViaCache: "none" });
  } catch {
    return; // the browser or the host does not let it
  }
  const announce = () => {
    if (!registration.waiting || !serviceWorker.controller) return;
    $("new-version").hidden = false;
    $("load-new").onclick = () => {
      serviceWorker.addEventListener("controllerchange", () => location.reload());
      registration.waiting.postMessage("take over");
    };
  };
  announce();
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", announce));
}
