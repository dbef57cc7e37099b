import type { TurnFileInfo } from "@lockstep/workbench/contract";
import { createSignal } from "solid-js";
import { setView } from "../replica/view.js";

/** The file of a turn that this window shows or showed last, as far as it is known by name. */
export interface ShownTurn {
  readonly turn: string;
  readonly file: string;
  readonly label: string;
  readonly place: string;
}

const [shownTurn, setShownTurn] = createSignal<ShownTurn | null>(null);

export { shownTurn };

export function nameShownTurn(turn: string, { id, label, place }: TurnFileInfo): void {
  setShownTurn({ turn, file: id, label, place });
}

export function showTurnFile(turn: string, info: TurnFileInfo): void {
  nameShownTurn(turn, info);
  setView({ kind: "turn", turn, file: info.id });
}
