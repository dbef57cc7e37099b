import type { Uri } from "@lockstep/protocol";
import type { FileProblems } from "@lockstep/workbench/contract";
import { createEffect, createMemo, createRoot, createSignal } from "solid-js";
import { unwrap } from "solid-js/store";
import { afterFrame } from "../editor/after-frame.js";
import { linkStatus, on } from "../replica/link.js";
import { replica } from "../replica/state.js";

const [version, setVersion] = createSignal(0);
/** A server tells of thousands of files one by one: they are looked at once for each frame. */
const lookAgain = afterFrame(() => setVersion((count) => count + 1));

on("state.patch", (patch) => {
  if (patch.kind === "entry" && patch.collection === "problems") lookAgain();
});

const record = (): Readonly<Record<Uri, FileProblems>> => {
  const state = replica();
  return state ? unwrap(state.problems) : {};
};

const { all } = createRoot(() => {
  createEffect(() => {
    if (linkStatus() === "open") lookAgain();
  });
  return {
    all: createMemo((): readonly FileProblems[] => {
      version();
      return Object.values(record());
    }),
  };
});

/** The problems of all files that have some. An entry that has not changed is the same object. */
export const allProblems = all;

export function problemsOf(uri: Uri): FileProblems | null {
  version();
  return record()[uri] ?? null;
}
