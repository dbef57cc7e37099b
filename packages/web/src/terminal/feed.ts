import type { Terminal } from "@xterm/xterm";
import { call, on, onLink, tell } from "../replica/link.js";
import { pieces } from "./pieces.js";

/** Reports to the workbench what was shown, in portions: it waits for them when there is a flood. */
const PORTION = 16 * 1024;
const REPORT_MS = 100;
const RESET = "\u001bc";
const ESCAPE = "\u001b";

/**
 * Keeps a screen equal to its terminal in the workbench: all that was printed at first, then what is
 * printed, again from the start after a lost link or a long sleep of this window.
 */
export function feed(screen: Terminal, id: string): () => void {
  /** What came while the start was still on the way; null when it is there. */
  let held: string[] | null = [];
  let attempt = 0;
  let replaying = false;
  let shown = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let behind = false;

  const report = () => {
    clearTimeout(timer);
    timer = undefined;
    const characters = shown;
    shown = 0;
    if (characters > 0) tell("terminal.shown", { id, characters });
  };
  const show = (data: string) =>
    screen.write(data, () => {
      shown += data.length;
      if (shown >= PORTION) report();
      else timer ??= setTimeout(report, REPORT_MS);
    });
  const attach = async () => {
    const mine = ++attempt;
    held = [];
    behind = false;
    const answer = await call("terminal.attach", { id }).catch(() => null);
    if (mine !== attempt || !answer) return;
    replaying = true;
    screen.write(RESET + answer.printed, () => {
      if (mine === attempt) replaying = false;
    });
    for (const data of held) show(data);
    held = null;
    sendSize();
  };
  const sendSize = () => {
    const { cols: columns, rows } = screen;
    tell("terminal.resize", { id, columns, rows });
  };
  const write = (text: string) => {
    for (const data of pieces(text)) tell("terminal.write", { id, data });
  };
  /** A hidden window catches up when somebody looks at it. */
  const wake = () => {
    if (behind && !document.hidden) void attach();
  };
  document.addEventListener("visibilitychange", wake);

  const endings = [
    onLink(attach),
    on("terminal.data", (event) => {
      if (event.id !== id) return;
      if (held) held.push(event.data);
      else show(event.data);
    }),
    on("terminal.behind", (event) => {
      if (event.id !== id) return;
      behind = true;
      wake();
    }),
    disposer(screen.onResize(sendSize)),
    disposer(
      screen.onData((data) => {
        // A query that is replayed was answered when it was made.
        if (replaying && data.startsWith(ESCAPE)) return;
        write(data);
      }),
    ),
    disposer(screen.onBinary(write)),
    () => document.removeEventListener("visibilitychange", wake),
    () => clearTimeout(timer),
  ];
  return () => {
    attempt++;
    for (const end of endings) end();
    tell("terminal.detach", { id });
  };
}

const disposer = (disposable: { dispose(): void }) => () => disposable.dispose();
