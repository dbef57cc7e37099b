import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { fileUri } from "@lockstep/protocol";
import type { Person, Subject } from "../src/contract/index.js";
import { linesOver, remoteEditor } from "../src/json-lines/index.js";
import type { Gesture } from "./editor-process.js";

const PERSON: readonly (keyof Person)[] = [
  "open",
  "type",
  "select",
  "mention",
  "proposals",
  "draft",
  "accept",
  "reject",
  "answerQuestions",
  "takeBack",
];

/** The in-memory editor in another process, seen through JSON lines. */
export async function remoteSubject(): Promise<Subject> {
  const child = fork(fileURLToPath(new URL("editor-process.ts", import.meta.url)), {
    execArgv: ["--import", "tsx", "--conditions", "@lockstep/source"],
    stdio: ["pipe", "pipe", "inherit", "ipc"],
  });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  if (!child.stdout || !child.stdin) throw new Error("The process has no pipes");
  const editor = await remoteEditor(linesOver(child.stdout, child.stdin));

  const waiting = new Map<number, (reply: { value?: unknown; error?: string }) => void>();
  child.on("message", (reply: { id: number; value?: unknown; error?: string }) => {
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  let gestures = 0;
  const gesture = (name: string, ...args: readonly unknown[]) =>
    new Promise<unknown>((resolve, reject) => {
      const id = ++gestures;
      waiting.set(id, ({ value, error }) => (error ? reject(new Error(error)) : resolve(value)));
      child.send({ id, name, args } satisfies Gesture);
    });
  const person = Object.fromEntries(
    PERSON.map((name) => [name, (...args: readonly unknown[]) => gesture(name, ...args)]),
  ) as unknown as Person;

  return {
    editor,
    person,
    missingFile: (name) => fileUri(`/workspace/${name}`),
    file: (name, text) => gesture("file", name, text) as ReturnType<Subject["file"]>,
    async [Symbol.asyncDispose]() {
      child.stdin?.end();
      await exited;
    },
  };
}
