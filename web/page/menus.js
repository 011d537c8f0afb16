// Menus are details elements: each opens by itself, and closes when the focus or a
// click goes elsewhere, or by Escape.
export function startMenus() {
  const opened = () => document.querySelectorAll("details.menu[open]");
  const closeOthers = (within) => { for (const menu of opened()) if (!menu.contains(within)) menu.open = false; };
  document.addEventListener("click", ({ target }) => closeOthers(target));
  document.addEventListener("focusin", ({ target }) => closeOthers(target));
  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && event.target.closest?.("details.menu[open]");
    if (!menu) return;
    event.stopPropagation();
    close(menu);
    menu.querySelector("summary").focus();
  }, { capture: true });
}

export const close = (menu) => { menu.open = false; };
