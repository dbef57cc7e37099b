import { ConnectionClosed } from "@lockstep/protocol";
import type { HunkInfo, ReviewSnapshot } from "@lockstep/workbench/contract";
import { createEffect, createSignal, on as onChange, onCleanup } from "solid-js";
import { showProblem } from "../../design/index.js";
import { linkWire } from "../../editor/text-wire.js";
import { call, on, tell } from "../../replica/link.js";
import { state } from "../../replica/state.js";
import { HeldWire } from "./held-wire.js";
import type { Purpose } from "./hunk-bar.js";
import { type Layout, ReviewPanes } from "./review-panes.js";

/**
 * A key or click so soon after the panes appeared was meant for what was there before. Until then
 * nothing is decided, and the buttons say so.
 */
const SETTLE_MS = 400;

/** How much a line is taller than its letters, as in the editor. */
const LINE_HEIGHT = 1.54;

/** This window's own choice, which holds before the settings. */
const [chosenLayout, setChosenLayout] = createSignal<Layout | null>(null);
const [chosenWhitespace, setChosenWhitespace] = createSignal<"show" | "ignore" | null>(null);

/** What is shown in the panes, and what becomes of decisions. */
export interface PaneSource {
  /** As `review.hunks` and `review.base` name it. */
  readonly id: string;
  /** The shared text of the right side. */
  readonly name: string;
  readonly attach: () => Promise<ReviewSnapshot>;
  readonly languageId: () => string;
  /** Beside it there would be nothing. */
  readonly isOneSided: () => boolean;
  readonly purpose: () => Purpose;
  /** Somebody can decide. */
  readonly isOpen: () => boolean;
  readonly decide: (hunk: number, decision: "kept" | "dropped") => Promise<void>;
}

export type PaneSession = ReturnType<typeof openPanes>;

/** Changes on screen: where the person is among them, and how they are drawn. Lives as long as its owner. */
export function openPanes(source: PaneSource) {
  const { id, name, isOpen } = source;
  const [hunks, setHunks] = createSignal<readonly HunkInfo[]>([]);
  const [hidden, setHidden] = createSignal<ReadonlySet<number>>(new Set());
  const [current, setCurrent] = createSignal<number | null>(null);
  const [problem, setProblem] = createSignal<string | null>(null);
  const [loaded, setLoaded] = createSignal(false);
  const [settled, setSettled] = createSignal(false);
  let panes: ReviewPanes | null = null;
  let closed = false;

  const layout = (): Layout =>
    source.isOneSided() ? "inline" : (chosenLayout() ?? state().settings.now.diffLayout);
  const whitespace = () => chosenWhitespace() ?? state().settings.now.diffWhitespace;
  const visible = () => hunks().filter(({ id: hunk }) => !hidden().has(hunk));

  async function show(parent: HTMLElement): Promise<void> {
    const early: (() => void)[] = [];
    const later = (act: () => void) => (panes ? act() : early.push(act));
    const wire = new HeldWire(name, source.attach, (snapshot) => panes?.renew(snapshot));
    const stops = [
      on("review.hunks", (event) => event.id === id && later(() => panes?.setHunks(event))),
      on("review.base", (event) => event.id === id && later(() => panes?.setBase(event))),
    ];
    onCleanup(() => {
      closed = true;
      for (const stop of stops) stop();
      wire.dispose();
      panes?.destroy();
    });
    try {
      const snapshot = await attach(source.attach, () => closed);
      if (closed) return tell("text.detach", { name });
      const { fontSize, tabSize } = state().settings.now;
      panes = new ReviewPanes({
        ...{ id, name, parent, snapshot, wire, languageId: source.languageId() },
        layout: layout(),
        ignoreWhitespace: whitespace() === "ignore",
        readOnly: !isOpen(),
        purpose: source.purpose(),
        lineHeight: Math.round(fontSize * LINE_HEIGHT),
        tabSize,
        onDecide: (hunk, decision) => {
          goTo(hunk, false);
          void decide(hunk, decision);
        },
        onPick: (hunk) => goTo(hunk, false),
        onHunks: take,
        onRefused: (why) => showProblem(new Error(why)),
      });
      for (const act of early) act();
      setLoaded(true);
      const settling = setTimeout(() => setSettled(true), SETTLE_MS);
      stops.push(() => clearTimeout(settling));
    } catch (error) {
      if (!closed) setProblem(error instanceof Error ? error.message : String(error));
    }
  }

  createEffect(onChange(layout, (now) => panes?.setLayout(now), { defer: true }));
  createEffect(
    onChange(whitespace, (now) => panes?.setIgnoreWhitespace(now === "ignore"), { defer: true }),
  );
  createEffect(onChange(isOpen, (open) => panes?.setReadOnly(!open), { defer: true }));

  function take(next: readonly HunkInfo[], unmarked: ReadonlySet<number>): void {
    const isFirst = hunks().length === 0;
    setHunks(next);
    setHidden(unmarked);
    const all = visible();
    const [first] = all;
    if (!first || all.some(({ id: hunk }) => hunk === current())) return;
    // Not while the panes are still drawing these very hunks.
    queueMicrotask(() => goTo(first.id, isFirst));
  }

  function goTo(hunk: number, scroll = true): void {
    setCurrent(hunk);
    panes?.goTo(hunk, { scroll });
  }

  function step(by: 1 | -1): void {
    const all = visible();
    if (all.length === 0) return;
    const at = all.findIndex(({ id: hunk }) => hunk === current());
    const next = all[(at + by + all.length) % all.length] ?? all[0];
    if (next) goTo(next.id);
  }

  /** Does nothing right after the panes appeared, and tells what the workbench refuses. */
  async function act(work: () => Promise<unknown>): Promise<void> {
    if (!settled() || !panes) return;
    try {
      await panes.flush();
      await work();
    } catch (error) {
      if (!closed) showProblem(error);
    }
  }

  const decide = (hunk: number, decision: "kept" | "dropped") =>
    act(async () => {
      if (isOpen()) await source.decide(hunk, decision);
    });

  function goToNextOpen(after: number): void {
    const all = visible();
    const at = all.findIndex(({ id: hunk }) => hunk === after);
    const order = [...all.slice(at + 1), ...all.slice(0, at)];
    const next = order.find(({ decision }) => decision === "pending");
    if (next) goTo(next.id);
  }

  return {
    ...{ hunks, visible, hidden, current, problem, loaded, settled, layout, whitespace },
    ...{ show, goTo, decide, act, isOpen, isOneSided: source.isOneSided },
    next: () => step(1),
    previous: () => step(-1),
    decideCurrent: (decision: "kept" | "dropped") => {
      const hunk = current();
      if (hunk === null || !settled() || !isOpen()) return;
      // At once, not after the answer: the next key is meant for the next change.
      goToNextOpen(hunk);
      void decide(hunk, decision);
    },
    text: () => panes?.text ?? "",
    moves: () => panes?.moves,
    /** What a screen reader says of the change that the person is at. */
    announced: () => {
      const all = visible();
      const at = all.findIndex(({ id: hunk }) => hunk === current());
      const hunk = all[at];
      if (!hunk) return "";
      return `Change ${at + 1} of ${all.length}, ${hunk.conflict ? "conflict" : hunk.decision}`;
    },
    setLayout(next: Layout): void {
      setChosenLayout(next);
      remember("diffLayout", next);
    },
    setWhitespace(next: "show" | "ignore"): void {
      setChosenWhitespace(next);
      remember("diffWhitespace", next);
    },
  };
}

/** Without a link it asks again over the next one, while anybody wants to know. */
async function attach(
  ask: () => Promise<ReviewSnapshot>,
  isOver: () => boolean,
): Promise<ReviewSnapshot> {
  for (;;) {
    // Before the question: the next link may be there before anybody listens for it.
    const next = nextLink();
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ConnectionClosed) || isOver()) throw error;
      await next.made;
    } finally {
      next.stop();
    }
  }
}

function nextLink(): { readonly made: Promise<void>; readonly stop: () => void } {
  let stop = () => {};
  const made = new Promise<void>((resolve) => {
    stop = linkWire.onLater(async () => resolve());
  });
  return { made, stop };
}

/** For the next time; where it cannot be kept, this window's choice still holds. */
function remember(name: "diffLayout" | "diffWhitespace", value: string): void {
  void call("settings.set", { scope: "user", name, value }).catch(showProblem);
}
