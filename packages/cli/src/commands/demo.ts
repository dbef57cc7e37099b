import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { connect, findIdes, type IdeConnection } from "@lockstep/client";
import { type Command, EXIT } from "../command.js";
import { writeSampleProject } from "../demo/sample-project.js";
import { giveTour } from "../demo/tour.js";
import { openBrowser } from "../editor/browser.js";
import { startEditor } from "../editor/start-editor.js";
import { stopSignal } from "../stop-signal.js";

const help = `lockstep demo [--no-open] [--json] [--config-dir DIR]

Opens the editor on a sample project, where a scripted agent takes you on a tour:
it sees what you select, opens files, and proposes changes for you to keep, drop or
edit. It needs no account. The project is a copy in a temporary folder, which is
removed at the end.

  --no-open           print the address instead of opening a browser
  --json              print one line of JSON when ready, and nothing else
  --config-dir DIR    announce in DIR/ide instead of ~/.claude/ide

Examples:
  lockstep demo
  lockstep demo --no-open`;

async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      "no-open": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      "config-dir": { type: "string" },
    },
  });
  const stopping = stopSignal();
  const root = await realpath(await mkdtemp(join(tmpdir(), "lockstep-demo-")));
  try {
    const folder = join(root, "harbour");
    const stateDir = join(root, "state");
    await mkdir(folder);
    await mkdir(stateDir, { mode: 0o700 });
    await writeSampleProject(folder);
    const configDir = values["config-dir"];
    const editor = await startEditor({ folder, stateDir, configDir });
    try {
      const url = editor.launchUrl();
      const { port, lockFile, workspaceFolders } = editor.announced;
      const opened = !values["no-open"] && (await openBrowser(url));
      if (values.json)
        console.log(JSON.stringify({ url, port, lockFile, pid: process.pid, workspaceFolders }));
      else console.log(opened ? "The tour is in your browser." : `Open this address:\n\n  ${url}`);
      const leaving = new AbortController();
      void stopping.then(() => leaving.abort(new Error("The demo was stopped")));
      await editor.windowOpened(leaving.signal).then(
        async () => tour(await scriptedAgent(port, configDir), folder, editor, leaving.signal),
        () => {},
      );
      await stopping;
    } finally {
      await editor.stop();
    }
  } finally {
    await rm(root, { recursive: true, force: true });
  }
  return EXIT.ok;
}

/** Connects as any agent does: by the lock file. */
async function scriptedAgent(port: number, configDir?: string): Promise<IdeConnection> {
  const ide = (await findIdes({ configDir })).find((found) => found.port === port);
  if (!ide) throw new Error("The demo's own editor is not announced");
  return connect(ide, { clientName: "Demo agent" });
}

async function tour(
  agent: IdeConnection,
  folder: string,
  editor: { say(text: string): void },
  signal: AbortSignal,
): Promise<void> {
  try {
    await giveTour({ folder, agent, say: (text) => editor.say(text), signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    if (signal.aborted) await agent.close();
  }
}

export const command: Command = { help, run };
