import type { Command } from "../commands.js";
import { ask, showProblem } from "../design/index.js";
import { call } from "../replica/link.js";
import { setView } from "../replica/view.js";
import { activeDocument, hasDocument, withDocument } from "./active-document.js";
import { saveAll, saveDocument, saveDocumentAs } from "./save.js";

export const fileCommands: readonly Command[] = [
  {
    id: "file.new",
    title: "File: New File",
    keys: ["Mod+Alt+KeyN"],
    run: async () => {
      try {
        setView({ kind: "document", ...(await call("document.new", {})) });
      } catch (problem) {
        showProblem(problem);
      }
    },
  },
  {
    id: "file.save",
    title: "File: Save",
    keys: ["Mod+KeyS"],
    run: withDocument(({ uri }) => saveDocument(uri)),
  },
  {
    id: "file.saveAs",
    title: "File: Save As…",
    keys: ["Mod+Shift+KeyS"],
    when: hasDocument,
    run: withDocument(({ uri }) => saveDocumentAs(uri)),
  },
  { id: "file.saveAll", title: "File: Save All", keys: ["Mod+Alt+KeyS"], run: saveAll },
  {
    id: "file.revert",
    title: "File: Revert to Saved",
    when: () => activeDocument()?.info?.dirty ?? false,
    run: withDocument(async ({ uri, info }) => {
      const answer = await ask({
        title: `Revert ${info?.label ?? "the document"}?`,
        text: "It becomes what the file has. Undo brings your edits back.",
        choices: [{ answer: "revert", label: "Revert", kind: "primary" }],
      });
      if (answer) await call("document.revert", { uri }).catch(showProblem);
    }),
  },
];
