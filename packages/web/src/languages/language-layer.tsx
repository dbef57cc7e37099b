import { lazy } from "solid-js";

const ActionMenu = lazy(async () => ({ default: (await import("./actions.js")).ActionMenu }));
const SymbolLayer = lazy(async () => ({ default: (await import("./symbols.js")).SymbolLayer }));

/** Mounted once: what lies over the page when somebody asks about the code. */
export function LanguageLayer() {
  return (
    <>
      <ActionMenu />
      <SymbolLayer />
    </>
  );
}
