import { report } from "../fault-report.js";
import { stateOf } from "../workspace.js";
import { findOrClaim, type RunningEditor } from "./running-editor.js";
import { RunningFile } from "./running-file.js";
import { type EditorOptions, type StartedEditor, startEditor } from "./start-editor.js";

/**
 * Runs the editor on a folder until `until`, found by other processes meanwhile. Answers the one that
 * was there before, if there was one, and then starts none.
 */
export async function holdEditor(
  options: Omit<EditorOptions, "stateDir">,
  until: Promise<void>,
  ready: (editor: StartedEditor) => Promise<void>,
): Promise<RunningEditor | null> {
  const stateDir = await stateOf(options.folder);
  const file = new RunningFile(stateDir);
  const running = await findOrClaim(file);
  if (running) return running;
  try {
    const editor = await startEditor({ ...options, stateDir });
    try {
      await file.announce(editor.ready);
      await ready(editor);
      await until;
    } finally {
      // From now on another start waits until this one is over, instead of asking it. On a full disk
      // it asks in vain: that must not keep the editor from stopping in order.
      await file.announce(null).catch(report);
      await editor.stop();
    }
  } finally {
    await file.release();
  }
  return null;
}
