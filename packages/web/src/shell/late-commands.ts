import { addCommands, type Command, commands } from "../commands.js";
import { partsArrived } from "./parts.js";

const LATE: readonly Omit<Command, "run">[] = [
  { id: "file.quickOpen", title: "File: Go to File…", keys: ["Mod+KeyP"] },
  { id: "view.search", title: "View: Search", keys: ["Mod+Shift+KeyF"] },
  { id: "view.problems", title: "View: Problems", keys: ["Mod+Shift+KeyM"] },
  { id: "terminal.toggle", title: "Terminal: Toggle Terminal", keys: ["Mod+Backquote"] },
];

/**
 * Commands of parts that may still be on their way. Their keys wait for them: they would be the
 * browser's otherwise, which prints. The parts replace these by their own.
 */
export function addLateCommands(): () => void {
  const missing = LATE.filter(({ id }) => commands().every((command) => command.id !== id));
  return addCommands(missing.map(waiting));
}

function waiting(late: Omit<Command, "run">): Command {
  const command: Command = {
    ...late,
    run: async () => {
      await partsArrived;
      const own = commands().find(({ id }) => id === late.id);
      if (own !== command) await own?.run();
    },
  };
  return command;
}
