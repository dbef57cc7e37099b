import { createEffect, createSignal } from "solid-js";
import { replica } from "../replica/state.js";

const darkQuery = matchMedia("(prefers-color-scheme: dark)");
const [systemDark, setSystemDark] = createSignal(darkQuery.matches);
darkQuery.addEventListener("change", ({ matches }) => setSystemDark(matches));

/** What holds now: the setting, or what the system likes. */
export function theme(): "light" | "dark" {
  const wanted = replica()?.settings.now.theme ?? "system";
  if (wanted !== "system") return wanted;
  return systemDark() ? "dark" : "light";
}

/** Keeps the root's `data-theme` as it should be. */
export function followTheme(): void {
  createEffect(() => {
    document.documentElement.dataset.theme = theme();
  });
  createEffect(() => {
    const now = replica()?.settings.now;
    if (!now) return;
    const root = document.documentElement.style;
    root.setProperty("--code-size", `${now.fontSize}px`);
    if (now.fontFamily) root.setProperty("--font-code", `${now.fontFamily}, monospace`);
    else root.removeProperty("--font-code");
  });
}
