import type { Uri } from "@lockstep/protocol";
import type { DocumentInfo, ProposalInfo, Unshown, View } from "@lockstep/workbench/contract";
import { createEffect, createMemo, createRoot, createSignal, untrack } from "solid-js";
import { replica } from "../replica/state.js";
import { setView, view } from "../replica/view.js";
import { shownTurn } from "../turns/shown-turn.js";
import { waitingProposals } from "./waiting.js";

/** A tab of this window. Documents' tabs are the workbench's, reviews' follow from the proposals. */
export type Tab =
  | {
      readonly kind: "document";
      readonly key: string;
      readonly uri: Uri;
      readonly preview: boolean;
      readonly info: DocumentInfo | undefined;
      /** Why there is no document. */
      readonly unshown: Unshown | undefined;
    }
  | {
      readonly kind: "review";
      readonly key: string;
      readonly id: string;
      readonly info: ProposalInfo;
    }
  | {
      readonly kind: "turn";
      readonly key: string;
      readonly turn: string;
      readonly file: string;
      readonly info: { readonly label: string; readonly place: string };
    }
  | { readonly kind: "settings"; readonly key: string };

const SETTINGS_KEY = "settings";
const [settingsOpen, setSettingsOpen] = createSignal(false);
/** One tab for the files of turns, as for the settings: what it shows is chosen in the list of turns. */
const TURN_KEY = "turn";
const [turnOpen, setTurnOpen] = createSignal<Extract<View, { kind: "turn" }> | null>(null);
/** Keys of what was shown, the latest last. */
let shown: readonly string[] = [];

function keyOf(target: View): string | null {
  if (target.kind === "document") return `document:${target.uri}`;
  if (target.kind === "review") return `review:${target.id}`;
  if (target.kind === "turn") return TURN_KEY;
  return target.kind === "settings" ? SETTINGS_KEY : null;
}

function viewOf(tab: Tab): View {
  if (tab.kind === "document") return { kind: "document", uri: tab.uri };
  if (tab.kind === "review") return { kind: "review", id: tab.id };
  if (tab.kind === "turn") return { kind: "turn", turn: tab.turn, file: tab.file };
  return { kind: "settings" };
}

const { tabs, activeKey } = createRoot(() => {
  const activeKey = createMemo(() => keyOf(view()));
  const tabs = createMemo((): readonly Tab[] => {
    const state = replica();
    if (!state) return [];
    const documents = state.tabs.map(
      ({ uri, preview, unshown }): Tab => ({
        kind: "document",
        key: `document:${uri}`,
        uri,
        preview,
        info: state.documents[uri],
        unshown,
      }),
    );
    const reviews = Object.values(state.proposals)
      .sort((a, b) => a.since - b.since)
      .map((info): Tab => ({ kind: "review", key: `review:${info.id}`, id: info.id, info }));
    const settings: readonly Tab[] = settingsOpen()
      ? [{ kind: "settings", key: SETTINGS_KEY }]
      : [];
    return [...documents, ...reviews, ...turnTabs(), ...settings];
  });

  createEffect(() => {
    const key = activeKey();
    const now = view();
    if (now.kind === "turn") setTurnOpen(now);
    if (key === SETTINGS_KEY) setSettingsOpen(true);
    if (key !== null) shown = [...shown.filter((other) => other !== key), key];
  });

  // A view whose tab has gone gives way: a review to the next proposal that waits, so that a queue is
  // gone through without looking for it, anything else to what was shown before it. One whose tab has
  // not come yet is waited for, but not the one that a reloaded window remembers.
  let known: ReadonlySet<string> | null = null;
  createEffect(() => {
    if (!replica()) return;
    const keys = new Set(tabs().map(({ key }) => key));
    const key = activeKey();
    const gone = key !== null && !keys.has(key) && (known === null || known.has(key));
    known = keys;
    if (gone && key !== SETTINGS_KEY && key !== TURN_KEY) untrack(() => giveWay(key));
  });
  return { tabs, activeKey };
});

export { activeKey, tabs };

export const activeTab = (): Tab | undefined => tabs().find(({ key }) => key === activeKey());

export function showTab(tab: Tab | undefined): void {
  if (tab) setView(viewOf(tab));
}

/** The tab `step` places on, around the ends. */
export function stepTab(step: 1 | -1): void {
  const all = tabs();
  const now = all.findIndex(({ key }) => key === activeKey());
  showTab(all[(now + step + all.length) % all.length]);
}

export function closeTurn(): void {
  setTurnOpen(null);
  if (activeKey() === TURN_KEY) showBefore(TURN_KEY);
}

function turnTabs(): readonly Tab[] {
  const open = turnOpen();
  if (!open) return [];
  const named = shownTurn();
  const info = named?.file === open.file ? named : { label: "Turn", place: "" };
  const { turn, file } = open;
  return [{ kind: "turn", key: TURN_KEY, turn, file, info }];
}

export function closeSettings(): void {
  setSettingsOpen(false);
  if (activeKey() === SETTINGS_KEY) showBefore(SETTINGS_KEY);
}

function giveWay(gone: string): void {
  const [next] = gone.startsWith("review:") ? waitingProposals() : [];
  if (next) setView({ kind: "review", id: next.id });
  else showBefore(gone);
}

function showBefore(gone: string): void {
  shown = shown.filter((key) => key !== gone);
  const all = tabs();
  const before = shown.findLast((key) => all.some((tab) => tab.key === key));
  const tab = all.find(({ key }) => key === before) ?? all.at(-1);
  setView(tab ? viewOf(tab) : { kind: "nothing" });
}
