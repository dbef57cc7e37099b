import { setView } from "../replica/view.js";

export const PERMISSIONS_ID = "settings-permissions";

/** Shows the settings where they list what is allowed. */
export function showPermissions(): void {
  setView({ kind: "settings" });
  requestAnimationFrame(() => {
    const section = document.getElementById(PERMISSIONS_ID);
    section?.scrollIntoView({ block: "start" });
    section?.focus({ preventScroll: true });
  });
}
