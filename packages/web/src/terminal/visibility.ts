import { createSignal } from "solid-js";

const KEY = "lockstep.terminal";
const [visible, setVisible] = createSignal(sessionStorage.getItem(KEY) === "shown");

/** Whether this window shows its terminals; stays so over a reload. */
export const terminalVisible = visible;

export function setTerminalVisible(shown: boolean): void {
  sessionStorage.setItem(KEY, shown ? "shown" : "hidden");
  setVisible(shown);
}
