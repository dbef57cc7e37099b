import { ConnectionClosed } from "@lockstep/protocol";
import { createSignal } from "solid-js";
import { addCommands } from "../commands.js";
import { showProblem } from "../design/index.js";
import { call, onLink } from "../replica/link.js";
import { replica } from "../replica/state.js";

/** What the person wants and the workbench has not confirmed yet. */
const [wanted, setWanted] = createSignal<boolean | null>(null);

/** Whether agents are told what the person looks at, as the switch shows it. */
export const isSharing = (): boolean => wanted() ?? replica()?.sharing.on ?? false;

/** Also while the workbench is away: it hears of it when it is back. */
export async function setSharing(on: boolean): Promise<void> {
  setWanted(on);
  await send();
}

async function send(): Promise<void> {
  const on = wanted();
  if (on === null) return;
  try {
    await call("sharing.set", { on });
  } catch (problem) {
    if (problem instanceof ConnectionClosed) return;
    showProblem(problem);
  }
  if (wanted() === on) setWanted(null);
}
onLink(send);

addCommands([
  {
    id: "agents.toggleSharing",
    title: "Agents: Toggle Sharing",
    run: () => setSharing(!isSharing()),
  },
]);
