// Lockstep as an embedder runs it, from the built packages.
import { InMemoryEditor } from "@lockstep/editor";
import { fileUri } from "@lockstep/protocol";
import { serve } from "@lockstep/server";
import { LONGEST_STROLL } from "../channel.js";
import { host } from "./host.js";

await host(async ({ workspace, configDir, stateDir, keepalive }) => {
  const editor = new InMemoryEditor({ folders: [workspace] });
  editor.watch((sight) => {
    if (sight.kind === "shown") editor.accept(sight.proposal.id);
  });
  const options = keepalive ? {} : { keepalive: false as const };
  const server = await serve(editor, { configDir, stateDir, ...options });
  const [lockFile = ""] = server.lockFiles;
  return {
    port: server.port,
    lockFile,
    select: (column, width) => selectIn(editor, workspace, column, width),
    stop: () => server.stop(),
  };
});

/** All selections are in one line of one document, which is opened for the one at column 0. */
function selectIn(editor: InMemoryEditor, workspace: string, column: number, width: number): void {
  const uri = fileUri(`${workspace}/stroll-${width}.txt`);
  if (column === 0) editor.open(uri, "x".repeat(width + LONGEST_STROLL));
  editor.select(uri, {
    start: { line: 0, character: column },
    end: { line: 0, character: column + width },
  });
}
