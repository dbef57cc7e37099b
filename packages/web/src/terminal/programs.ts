import { createSignal } from "solid-js";
import { call, onLink } from "../replica/link.js";

const [claude, setClaude] = createSignal(false);

/** Claude Code is on the PATH of the workbench, so that it can be opened from here. */
export const hasClaude = claude;

onLink(async () => {
  const programs = await call("terminal.programs", {}).catch(() => null);
  if (programs) setClaude(programs.claude);
});
