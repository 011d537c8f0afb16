// Menus are details elements: each opens by itself, and closes when the focus or a
// click goes elsewhere, or by Escape.
export function startMenus() {
  const menus = [...document.querySelectorAll("details.menu")];
  const closeOthers = (within) => { for (const menu of menus) if (menu.open && !menu.contains(within)) menu.open = false; };
  document.addEventListener("click", ({ target }) => closeOthers(target));
  document.addEventListener("focusin", ({ target }) => closeOthers(target));
  for (const menu of menus) {
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      event.stopPropagation();
      close(menu);
      menu.querySelector("summary").focus();
    });
  }
}

export const close = (menu) => { menu.open = false; };
