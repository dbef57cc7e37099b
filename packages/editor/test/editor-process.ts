import { exposeEditor, linesOver } from "../src/json-lines/index.js";
import { inMemorySubject } from "./in-memory-subject.js";

/**
 * An editor as a process of its own: the port on standard input and output, and the person's
 * gestures on the channel that Node gives a forked process.
 */
const subject = inMemorySubject();

export interface Gesture {
  readonly id: number;
  readonly name: string;
  readonly args: readonly unknown[];
}

process.on("message", async ({ id, name, args }: Gesture) => {
  const gestures = { ...subject.person, file: subject.file } as Record<
    string,
    (...args: never[]) => unknown
  >;
  const answer = await Promise.resolve()
    .then(() => gestures[name]?.(...(args as never[])))
    .then(
      (value) => ({ id, value }),
      (error: Error) => ({ id, error: error.message }),
    );
  process.send?.(answer);
});

await exposeEditor(subject.editor, linesOver(process.stdin, process.stdout));
process.disconnect();
