import type { TurnFileInfo } from "@lockstep/workbench/contract";
import { type Accessor, createEffect, createSignal, on as onChange, onCleanup } from "solid-js";
import { call, on, onLink } from "../replica/link.js";

/** The files of a turn, kept up to date while anybody looks; null until they are there. */
export function turnFiles(turn: Accessor<string>): Accessor<readonly TurnFileInfo[] | null> {
  const [files, setFiles] = createSignal<readonly TurnFileInfo[] | null>(null);
  let asking = false;
  let again = false;
  /** One question at a time: a burst of changes is one more. */
  const ask = async () => {
    if (asking) {
      again = true;
      return;
    }
    asking = true;
    do {
      again = false;
      const wanted = turn();
      const found = await call("turn.files", { turn: wanted }).catch(() => null);
      if (found && wanted === turn()) setFiles(found);
    } while (again);
    asking = false;
  };
  createEffect(
    onChange(turn, () => {
      setFiles(null);
      void ask();
    }),
  );
  onCleanup(on("turn.changed", (event) => event.turn === turn() && void ask()));
  onCleanup(onLink(async () => void ask()));
  return files;
}
