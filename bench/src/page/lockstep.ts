import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect, findIdes, type IdeConnection } from "@lockstep/client";
import type { Product, Served } from "./product.js";
import { ServerProcess } from "./server-process.js";

const PROGRAM = fileURLToPath(new URL("../../../packages/cli/bin/lockstep.js", import.meta.url));

/** The command as it is shipped, with a home of its own. */
export class LockstepEditor implements Served {
  readonly url: string;
  readonly #port: number;
  readonly #configDir: string;
  readonly #server: ServerProcess;

  private constructor(server: ServerProcess, configDir: string, line: string) {
    const { url, port } = JSON.parse(line) as { url: string; port: number };
    this.url = url;
    this.#port = port;
    this.#configDir = configDir;
    this.#server = server;
  }

  static async start(folder: string, project: string): Promise<LockstepEditor> {
    const home = await mkdtemp(join(folder, "home-"));
    const [configDir, state, temporary] = ["config", "state", "tmp"].map((name) =>
      join(home, name),
    );
    for (const each of [configDir, state, temporary]) await mkdir(each ?? "");
    const env = {
      PATH: process.env.PATH,
      HOME: home,
      TMPDIR: temporary,
      XDG_STATE_HOME: state,
      SHELL: "/bin/bash",
    };
    const args = [PROGRAM, project, "--no-open", "--json", "--config-dir", configDir ?? ""];
    const command = { program: process.execPath, args, env };
    const { server, line } = await ServerProcess.start(command, (line) => line.startsWith("{"));
    return new LockstepEditor(server, configDir ?? "", line);
  }

  /** An agent, by the client that others write agents with. */
  async agent(): Promise<IdeConnection> {
    const ides = await findIdes({ configDir: this.#configDir });
    const own = ides.find(({ port }) => port === this.#port);
    if (!own) throw new Error("The editor does not announce itself");
    return connect(own, { clientName: "bench" });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }
}

/** Lockstep as one of the products that are compared. `folder` is for its homes. */
export function lockstep(folder: string): Product {
  return {
    name: "lockstep",
    serve: (project) => LockstepEditor.start(folder, project),
    row: (file) => ({ selector: '[role="treeitem"]', text: file }),
    text: (containing) => ({ selector: ".cm-line", text: containing }),
  };
}
