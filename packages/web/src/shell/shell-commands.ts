import { addCommands } from "../commands.js";
import { fileCommands } from "./file-commands.js";
import { tabCommands } from "./tab-commands.js";
import { viewCommands } from "./view-commands.js";

/** What the shell itself can do, until disposed. */
export const addShellCommands = (): (() => void) =>
  addCommands([...fileCommands, ...tabCommands, ...viewCommands]);
