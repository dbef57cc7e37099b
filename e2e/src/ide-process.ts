// The editor under test, in a process of its own so that a test can kill it. A person's gestures come
// in over the channel to the parent; what the person would see, and the wire, go back.
import { type Editor, InMemoryEditor } from "@lockstep/editor";
import { filePath, fileUri } from "@lockstep/protocol";
import { serve } from "@lockstep/server";
import type { Gesture, Order, Report, Settings } from "./ide-protocol.js";
import { load, ToyLinter } from "./toy-linter.js";

const settings = JSON.parse(process.argv[2] ?? "") as Settings;
const { project, configDir, stateDir, opened } = settings;
const memory = new InMemoryEditor({ folders: [project], load });
const linter = new ToyLinter(project);
let quitting = false;

memory.watch((sight) => {
  if (sight.kind === "agent") {
    const what = sight.event.kind;
    // By the time the agent writes a file, the linter has long looked at it.
    if (what === "turn") linter.look();
    return report({ kind: "sight", sight: { kind: "agent", what } });
  }
  const { id: proposal, uri } = sight.proposal;
  if (sight.kind === "shown")
    report({ kind: "sight", sight: { kind: "shown", proposal, path: filePath(uri) ?? uri } });
  else report({ kind: "sight", sight: { kind: "withdrawn", proposal, why: sight.why } });
});

const uri = fileUri(opened.path);
memory.open(uri, (await load(uri)) ?? "");
if (opened.range) memory.select(uri, opened.range);

const editor: Editor = {
  name: memory.name,
  folders: memory.folders,
  abilities: { ...memory.abilities, diagnostics: linter.diagnostics },
  subscribe: (listener) => memory.subscribe(listener),
  [Symbol.asyncDispose]: () => memory[Symbol.asyncDispose](),
};
const server = await serve(editor, {
  configDir,
  stateDir,
  trace: (frame) => report({ kind: "frame", frame }),
});

process.on("message", async ({ order, gesture }: Order) => {
  try {
    await perform(gesture);
    report({ kind: "done", order });
  } catch (error) {
    report({ kind: "done", order, failure: String(error) });
  }
});
// A test that has ended without a word leaves no editor behind.
process.on("disconnect", () => process.exit());
report({
  kind: "ready",
  ready: { port: server.port, lockFiles: server.lockFiles, environment: server.environment({}) },
});

async function perform(gesture: Gesture): Promise<void> {
  switch (gesture.kind) {
    case "select":
      return memory.select(fileUri(gesture.path), gesture.range);
    case "mention":
      return memory.mention(fileUri(gesture.path), gesture.lines);
    case "accept":
      if (gesture.text !== undefined) memory.draft(gesture.proposal, gesture.text);
      return memory.accept(gesture.proposal);
    case "reject":
    case "close-tab":
      return memory.reject(gesture.proposal);
    case "quit":
      await server.stop();
      quitting = true;
  }
}

function report(event: Report): void {
  process.send?.(event, () => {
    if (event.kind === "done" && quitting) process.disconnect();
  });
}
