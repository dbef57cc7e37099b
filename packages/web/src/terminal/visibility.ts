import { shownPanel, showPanel } from "../shell/panel-state.js";

/** Whether this window shows its terminals; stays so over a reload. */
export const terminalVisible = (): boolean => shownPanel() === "terminal";

export const setTerminalVisible = (shown: boolean): void => showPanel(shown ? "terminal" : null);
