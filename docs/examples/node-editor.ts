/** A whole editor on standard input: `open FILE`, `select FIRST LAST`, `yes`, `no`, `quit`. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { InMemoryEditor } from "@lockstep/editor";
import { filePath, fileUri, type Uri } from "@lockstep/protocol";
import { serve } from "@lockstep/server";

const editor = new InMemoryEditor({
  name: "Line editor",
  folders: [process.cwd()],
  load: (uri) => readFile(filePath(uri) ?? "", "utf8").catch(() => null),
});
editor.watch((sight) => {
  if (sight.kind === "shown")
    console.log(`${sight.proposal.label}\n${sight.proposal.text}\nyes or no?`);
  if (sight.kind === "agent") console.log(`${sight.event.agent.name}: ${sight.event.kind}`);
});
await using server = await serve(editor);
console.log(`Ready on port ${server.port}: claude --ide`);

let current: Uri | undefined;
for await (const line of createInterface({ input: process.stdin })) {
  const [command, ...args] = line.split(" ");
  const [proposal] = editor.proposals;
  if (command === "quit") break;
  if (command === "open") {
    current = fileUri(resolve(args[0] ?? ""));
    editor.open(current, await readFile(filePath(current) ?? "", "utf8"));
  }
  if (command === "select" && current) {
    const [first, last] = args.map(Number);
    const start = { line: first ?? 0, character: 0 };
    editor.select(current, { start, end: { line: (last ?? 0) + 1, character: 0 } });
  }
  if (command === "yes" && proposal) editor.accept(proposal.id);
  if (command === "no" && proposal) editor.reject(proposal.id);
}
