import { text, toolUse } from "./model-reply.js";
import type { Agent, Scene } from "./scene.js";
import type { WireFrame } from "./wire-frame.js";

/** What the model says when the proposal is through and its turn has gone on. */
export const DONE = "All done.";

/** A proposal that is before the person, in the editor and in the terminal. */
export interface Proposed {
  readonly id: string;
  readonly path: string;
  /** The CLI's call, which waits for its answer. */
  readonly openDiff: WireFrame;
}

/** Lets the model edit a file of these lines, the first of which becomes loud. */
export async function proposeEdit(scene: Scene, agent: Agent, file: string): Promise<Proposed> {
  const path = await scene.workspace.write(file, "one\ntwo\n");
  const input = { file_path: path, old_string: "one", new_string: "ONE" };
  agent.api.script(toolUse("Edit", input), text(DONE));
  await agent.claude.submit(`make ${file} loud`);
  return proposed(scene, agent, path);
}

/** Waits until the proposal for the file is before the person. */
export async function proposed(scene: Scene, { claude }: Agent, path: string): Promise<Proposed> {
  const openDiff = await scene.ide.wire.waitFor(
    (frame) => frame.calls("openDiff") && frame.message.params?.arguments?.old_file_path === path,
  );
  const id = await scene.ide.proposal(path);
  await claude.terminal.waitFor("Opened changes in Lockstep");
  return { id, path, openDiff };
}

/** Waits for what was answered to the CLI's call. */
export async function answerTo(scene: Scene, { openDiff }: Proposed) {
  return (await scene.ide.wire.waitFor((frame) => frame.answers(openDiff))).texts;
}

/** A screen without the question whether to make an edit. */
export function noQuestion(screen: string): boolean {
  return !screen.includes("Do you want to");
}
