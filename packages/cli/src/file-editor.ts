import { type Editor, InMemoryEditor, toLf, withAbilities } from "@lockstep/editor";
import { filePath } from "@lockstep/protocol";
import { disk } from "@lockstep/server";

/** What is done with a proposal: left for the agent's own terminal, or decided at once. */
export type Decide = "ask" | "accept" | "reject";

/**
 * The editor behind `lockstep serve`: real files, and tabs and a selection that agents set by
 * opening files. Nobody sits in front of it, so it has no problems to tell and asks no questions.
 */
export function fileEditor(
  folder: string,
  decide: Decide,
): { editor: Editor; memory: InMemoryEditor } {
  const memory = new InMemoryEditor({
    folders: [folder],
    load: async (uri) => {
      const path = filePath(uri);
      const text = path === null ? null : await disk.read(path);
      return text === null ? null : toLf(text);
    },
  });
  memory.watch((sight) => {
    if (sight.kind !== "shown") return;
    if (decide === "accept") memory.accept(sight.proposal.id);
    if (decide === "reject") memory.reject(sight.proposal.id);
  });
  const editor = withAbilities(memory, (own) => ({
    ...own,
    diagnostics: undefined,
    confirm: undefined,
  }));
  return { editor, memory };
}
