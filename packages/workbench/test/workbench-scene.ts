import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileUri, type Uri } from "@lockstep/protocol";
import { Door, Workbench } from "../src/index.js";
import { PageClient } from "./page-client.js";

/** A folder, the workbench on it, its door, and pages that come through it. */
export class WorkbenchScene implements AsyncDisposable {
  readonly root: string;
  readonly folder: string;
  readonly stateDir: string;
  workbench: Workbench;
  door: Door;
  readonly faults: unknown[] = [];
  #env: NodeJS.ProcessEnv;
  readonly #pages: PageClient[] = [];

  private constructor(
    root: string,
    workbench: Workbench,
    door: Door,
    faults: unknown[],
    env: NodeJS.ProcessEnv,
  ) {
    this.#env = env;
    this.root = root;
    this.folder = join(root, "project");
    this.stateDir = join(root, "state");
    this.workbench = workbench;
    this.door = door;
    this.faults = faults;
  }

  /**
   * `env` is what the workbench has besides a folder of configuration; `prepare` does to the folder
   * what files alone do not make, before the workbench looks at it.
   */
  static async open(
    files: Readonly<Record<string, string>> = {},
    env: NodeJS.ProcessEnv = {},
    prepare: (folder: string) => void | Promise<void> = () => {},
  ): Promise<WorkbenchScene> {
    const root = await realpath(await mkdtemp(join(tmpdir(), "lockstep-workbench-")));
    for (const folder of ["project", "state", "page", "config"]) await mkdir(join(root, folder));
    await writeFile(join(root, "page", "index.html"), "<!doctype html>");
    for (const [name, text] of Object.entries(files)) await put(join(root, "project"), name, text);
    await prepare(join(root, "project"));
    const faults: unknown[] = [];
    const { workbench, door } = await start(root, faults, env);
    return new WorkbenchScene(root, workbench, door, faults, env);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  uri(name: string): Uri {
    return fileUri(this.path(name));
  }

  async write(name: string, text: string): Promise<Uri> {
    await put(this.folder, name, text);
    return this.uri(name);
  }

  /** A window, which ends with the scene. */
  async page(name?: string): Promise<PageClient> {
    const page = await PageClient.open(this.door.launchUrl(), { name });
    this.#pages.push(page);
    return page;
  }

  /** Ends in order and starts again on the same folders. */
  async restart(env = this.#env): Promise<void> {
    await this.#stop();
    this.#env = env;
    const { workbench, door } = await start(this.root, this.faults, this.#env);
    this.workbench = workbench;
    this.door = door;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
    await rm(this.root, { recursive: true, force: true });
  }

  async #stop(): Promise<void> {
    for (const page of this.#pages.splice(0)) await page.close();
    await this.door.close();
    await this.workbench[Symbol.asyncDispose]();
  }
}

async function put(folder: string, name: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), text);
}

async function start(root: string, faults: unknown[], env: NodeJS.ProcessEnv) {
  const report = (problem: unknown) => void faults.push(problem);
  const stateDir = join(root, "state");
  const workbench = await Workbench.open({
    folder: join(root, "project"),
    stateDir,
    env: { ...env, XDG_CONFIG_HOME: join(root, "config") },
    report,
  });
  const door = await Door.open({
    pageFolder: join(root, "page"),
    stateDir,
    bodies: workbench.bodies,
    picture: (uri) => workbench.picture(uri),
    onSocket: (socket) => workbench.join(socket),
    report,
  });
  return { workbench, door };
}
