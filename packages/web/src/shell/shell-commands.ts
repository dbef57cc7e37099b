import { addCommands } from "../commands.js";
import { fileCommands } from "./file-commands.js";
import { addLateCommands } from "./late-commands.js";
import { tabCommands } from "./tab-commands.js";
import { turnCommands } from "./turn-commands.js";
import { viewCommands } from "./view-commands.js";

/** What the shell itself can do, until disposed. */
export function addShellCommands(): () => void {
  const removals = [
    addCommands([...fileCommands, ...tabCommands, ...viewCommands, ...turnCommands]),
    addLateCommands(),
  ];
  return () => {
    for (const remove of removals) remove();
  };
}
