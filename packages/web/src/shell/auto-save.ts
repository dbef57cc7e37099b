import { call } from "../replica/link.js";
import { replica } from "../replica/state.js";
import { editsArrived } from "./unsent-edits.js";

/** Saves when the person leaves the window, where the setting says so. */
export function saveOnLeaving(): () => void {
  const onBlur = () => void saveDirty();
  window.addEventListener("blur", onBlur);
  return () => window.removeEventListener("blur", onBlur);
}

/** What cannot be saved stays as it is, and its tab says why. */
async function saveDirty(): Promise<void> {
  const state = replica();
  if (state?.settings.now.autoSave !== "onFocusChange") return;
  await editsArrived();
  if (Object.values(state.documents).some(({ dirty }) => dirty))
    await call("document.saveAll", {}).catch(() => {});
}
