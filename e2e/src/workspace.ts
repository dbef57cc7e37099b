import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Folders of one test: a home, the CLI's settings, Lockstep's state, files for a moment, and a project to work on. */
export class Workspace {
  readonly root: string;
  readonly home: string;
  readonly configDir: string;
  readonly stateDir: string;
  readonly temporary: string;
  readonly project: string;

  private constructor(root: string, project: string) {
    this.root = root;
    this.home = join(root, "home");
    this.configDir = join(root, "config");
    this.stateDir = join(root, "state");
    this.temporary = join(root, "tmp");
    this.project = join(root, project);
  }

  static async create(projectName = "project"): Promise<Workspace> {
    // Agents match folders by their real path.
    const root = await realpath(await mkdtemp(join(tmpdir(), "lockstep-e2e-")));
    const workspace = new Workspace(root, projectName);
    const { home, configDir, stateDir, temporary, project } = workspace;
    for (const folder of [home, configDir, stateDir, temporary, project]) await mkdir(folder);
    return workspace;
  }

  path(name: string): string {
    return join(this.project, name);
  }

  async write(name: string, text: string): Promise<string> {
    await mkdir(dirname(this.path(name)), { recursive: true });
    await writeFile(this.path(name), text);
    return this.path(name);
  }

  /** The person's own lockstep.json. */
  async writeSettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
    const folder = join(this.home, ".config", "lockstep");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "lockstep.json"), JSON.stringify(settings));
  }

  read(name: string): Promise<string> {
    return readFile(this.path(name), "utf8");
  }

  /** A process that was killed a moment ago may still write into its home: hence the retries. */
  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true, maxRetries: 10 });
  }
}
