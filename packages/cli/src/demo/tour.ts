import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { IdeConnection, Mention, Selection } from "@lockstep/client";
import { CODE, PROPOSALS, TURN } from "./sample-project.js";

export interface TourOptions {
  readonly folder: string;
  /** The demo's agent: an ordinary client on the real wire. */
  readonly agent: IdeConnection;
  /** Shows the person where the tour is. */
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
}

/** What a person reads before the next thing happens. */
const READING_MS = 4_000;
/** When nothing comes of a suggestion the tour goes on without it. */
const PATIENCE_MS = 45_000;

/**
 * A scripted agent that does what a real one does: sees what is selected, opens files, proposes
 * changes and writes what was accepted. Only its wits are missing.
 */
export async function giveTour({ folder, agent, say, signal }: TourOptions): Promise<void> {
  const path = (file: string) => join(folder, file);
  const pause = () => waited(READING_MS, signal);

  let at = 0;
  const step = (text: string) => say(`${++at} of ${STEPS} · ${text}`);
  const more = (text: string) => say(`${at} of ${STEPS} · ${text}`);

  step("An agent has connected: see its name in the status bar. It opens a file now.");
  await pause();
  await agent.tools.openFile({
    filePath: path("src/tide.ts"),
    startText: "export function hoursDeeperThan",
    endText: "return hours;",
    selectToEndOfLine: true,
    makeFrontmost: true,
    preview: false,
  });

  // What the agent selected itself comes back to it, and is not the person's doing.
  await pause();
  step("Select some lines yourself: the agent sees them at once, and nothing else.");
  const selection = await heard<Selection>(
    agent,
    "selection_changed",
    ({ text }) => text !== "",
    signal,
  );
  if (selection) more(`The agent sees ${count(selection.text)}. The status bar has the switch.`);
  await pause();

  step("It asks what is wrong in the project.");
  const problems = await problemsFound(agent, signal);
  more(
    `TypeScript finds ${problems} problems. You see the same: underlined, and in the list (Ctrl+Shift+M).`,
  );
  await pause();

  step("It proposes a change of src/tide.ts. Keep or drop each part, edit it, then send it.");
  await propose(agent, path, PROPOSALS.tide, say, signal);
  await pause();

  step("Two more at once: a change and a new file. The queue on the left has both.");
  await Promise.all([
    propose(agent, path, PROPOSALS.report, say, signal),
    propose(agent, path, PROPOSALS.test, say, signal),
  ]);
  await pause();

  step("Press Alt+K on a selection: it is mentioned in the agent's prompt.");
  const mention = await heard<Mention>(agent, "at_mentioned", () => true, signal);
  if (mention) more(`The agent got it: ${mention.filePath.slice(folder.length + 1)}.`);
  await pause();

  step("The next prompt: now it writes without asking. Turns, on the left, has what changed.");
  await agent.tools.closeAllDiffTabs({});
  await pause();
  for (const [file, text] of Object.entries(TURN)) await writeFile(path(file), text);
  await pause();
  more("It has written two files. Keep or undo each change; an undo can be undone, too.");
  await pause();

  step("It opens a notebook and would like to run code in its kernel: you are asked first.");
  await agent.tools.openFile({ filePath: path("tides.ipynb"), preview: false });
  more(await ran(agent, signal));
  await pause();

  step(
    "Open .env and select something: it is withheld. The agents' log on the left shows all that was sent. That was the tour; run lockstep in a project of yours.",
  );
}

const STEPS = 9;

/** As soon as the language server has said something; it may have to start first. */
async function problemsFound(agent: IdeConnection, signal: AbortSignal): Promise<number> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const files = await agent.tools.getDiagnostics({}, { signal });
    const problems = files.reduce((sum, { diagnostics }) => sum + diagnostics.length, 0);
    if (problems > 0) return problems;
    await waited(1_000, signal);
  }
  return 0;
}

/** What came of running code, in words: a no, a missing kernel and a result alike. */
async function ran(agent: IdeConnection, signal: AbortSignal): Promise<string> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  try {
    const content = await agent.tools.executeCode({ code: CODE }, { signal: patience });
    const text = content.map((item) => (item.type === "text" ? item.text : "")).join(" ");
    return `It ran: ${text.trim()}. What you allowed is in the settings, and can be taken back.`;
  } catch (error) {
    signal.throwIfAborted();
    return `It did not run: ${patience.aborted ? "nobody answered." : (error as Error).message}`;
  }
}

/** Proposes a text and, as agents do, writes what was accepted. */
async function propose(
  agent: IdeConnection,
  path: (file: string) => string,
  { file, text }: { readonly file: string; readonly text: string },
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const answer = await agent.tools.openDiff(
    {
      old_file_path: path(file),
      new_file_path: path(file),
      new_file_contents: text,
      tab_name: `${file} (demo)`,
    },
    { signal },
  );
  if (answer.kind === "saved") {
    await writeFile(path(file), answer.text);
    say(
      answer.text === text ? `${file}: accepted and written.` : `${file}: written as you made it.`,
    );
  } else {
    say(`${file}: rejected, and left as it was.`);
  }
}

/** The next such event; null when the person's mind is on something else. */
function heard<Event>(
  agent: IdeConnection,
  name: "selection_changed" | "at_mentioned",
  fits: (event: Event) => boolean,
  signal: AbortSignal,
): Promise<Event | null> {
  return new Promise((resolve, reject) => {
    const done = (event: Event | null) => {
      clearTimeout(timer);
      listening[Symbol.dispose]();
      signal.removeEventListener("abort", aborted);
      resolve(event);
    };
    const aborted = () => {
      done(null);
      reject(signal.reason);
    };
    const timer = setTimeout(done, PATIENCE_MS, null);
    const listening = agent.on(name, (event) => {
      if (fits(event as Event)) done(event as Event);
    });
    signal.addEventListener("abort", aborted, { once: true });
  });
}

function waited(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

function count(text: string): string {
  const lines = text.split("\n").length;
  return lines === 1 ? "one line" : `${lines} lines`;
}
