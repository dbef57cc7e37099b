import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type Abilities, withAbilities } from "@lockstep/editor";
import { serve } from "@lockstep/server";
import { Door, Workbench } from "@lockstep/workbench";
import { report } from "../fault-report.js";
import { watchRivals } from "./rivals.js";
import type { Announced, Running } from "./running-file.js";

export interface EditorOptions {
  /** An absolute path without links. */
  readonly folder: string;
  /** The private folder of this workspace. */
  readonly stateDir: string;
  readonly configDir: string | undefined;
  /** What agents can do with it, where that is not all that it can. */
  readonly abilities?: (own: Abilities) => Abilities;
}

/** The editor that this process runs. */
export interface StartedEditor {
  readonly announced: Announced;
  /** For the file by which other processes find it. */
  readonly ready: NonNullable<Running["ready"]>;
  /** A fresh address of its page, which works once. */
  launchUrl(): string;
  /** Tells the person something, in every window. */
  say(text: string): void;
  /** What its windows show. */
  readonly store: Workbench["store"];
  /** Resolves when a page is open. */
  windowOpened(signal: AbortSignal): Promise<void>;
  /** Turns the page away, then the agents, then closes what is open. Unsaved work is kept. */
  stop(): Promise<void>;
}

/** Opens a folder for agents and for browsers. What was begun is ended again if a step fails. */
export async function startEditor(options: EditorOptions): Promise<StartedEditor> {
  const { folder, stateDir, configDir } = options;
  const ends: (() => Promise<void>)[] = [];
  const stop = async () => {
    // One part that cannot end must not keep the others from saving what they have.
    for (let end = ends.pop(); end; end = ends.pop()) await end().catch(report);
  };
  // A fault that nobody waits for is said, and does not end the editor that the person is in.
  process.on("unhandledRejection", report);
  ends.push(async () => void process.off("unhandledRejection", report));
  try {
    const workbench = await Workbench.open({ folder, stateDir, env: process.env, report });
    ends.push(() => workbench[Symbol.asyncDispose]());
    const { abilities } = options;
    const server = await serve(abilities ? withAbilities(workbench, abilities) : workbench, {
      configDir,
      privacy: workbench.privacy,
      trace: (event) => workbench.trace(event),
      report,
    });
    ends.push(() => server.stop());
    workbench.attach(server);
    const door = await Door.open({
      pageFolder: pageFolder(),
      stateDir,
      bodies: workbench.bodies,
      picture: (uri) => workbench.picture(uri),
      onSocket: (socket) => workbench.join(socket),
      report,
    });
    ends.push(() => door.close());
    const { port, lockFiles } = server;
    const onRivals = workbench.setRivals.bind(workbench);
    const rivals = watchRivals({ folder, port, lockFiles, configDir, onRivals, report });
    ends.push(async () => rivals());
    const announced = { port, lockFile: lockFiles[0] ?? "", workspaceFolders: [folder] };
    return {
      announced,
      ready: { ...announced, doorPort: door.port, secret: door.secret },
      launchUrl: () => door.launchUrl(),
      store: workbench.store,
      say: (text) => workbench.say("command", text),
      windowOpened: (signal) => workbench.windowOpened(signal),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Where the built page is. */
function pageFolder(): string {
  return dirname(fileURLToPath(import.meta.resolve("@lockstep/web/page/index.html")));
}
