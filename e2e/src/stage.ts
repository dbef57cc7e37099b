import { connect, findIdes, type IdeConnection } from "@lockstep/client";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { complaintsOf, person } from "./browser.js";
import { LockstepCommand } from "./lockstep-command.js";
import { Workspace } from "./workspace.js";

interface Starting {
  readonly files?: Readonly<Record<string, string>>;
  /** The person's own lockstep.json. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  /** A command that starts the editor's, which comes after it. */
  readonly through?: readonly string[];
}

/** A project, the editor on it as it is shipped, and a person in front of it in a real browser. */
export class Stage {
  readonly workspace: Workspace;
  readonly context: BrowserContext;
  readonly #env: Readonly<Record<string, string>>;
  readonly #complaints: (readonly string[])[] = [];
  lockstep: LockstepCommand;

  private constructor(
    workspace: Workspace,
    context: BrowserContext,
    lockstep: LockstepCommand,
    env: Readonly<Record<string, string>>,
  ) {
    this.workspace = workspace;
    this.context = context;
    this.lockstep = lockstep;
    this.#env = env;
  }

  /** All of it ends with the test. */
  static async open(
    browser: Browser,
    { files = {}, settings = {}, env = {}, through = [] }: Starting = {},
  ): Promise<Stage> {
    const workspace = await Workspace.create();
    onTestFinished(() => workspace.remove());
    for (const [name, text] of Object.entries(files)) await workspace.write(name, text);
    await workspace.writeSettings(settings);
    const lockstep = await LockstepCommand.edit(workspace, env, through);
    const stage = new Stage(workspace, await person(browser), lockstep, env);
    onTestFinished(async () => {
      await stage.context.close();
      await stage.lockstep.kill();
    });
    return stage;
  }

  /** The first window, by the address that the command printed; it works once. */
  async page(): Promise<Page> {
    return this.open(this.lockstep.announcement.url ?? "");
  }

  /** One more window of the same person. */
  async anotherPage(): Promise<Page> {
    const { origin } = new URL(this.lockstep.announcement.url ?? "");
    return this.open(origin);
  }

  async open(url: string): Promise<Page> {
    const page = await this.context.newPage();
    this.#complaints.push(complaintsOf(page));
    await page.goto(url);
    await page.getByRole("navigation", { name: "Views" }).waitFor();
    return page;
  }

  /** What the pages complained of in their consoles until now. */
  get complaints(): readonly string[] {
    return this.#complaints.flat();
  }

  /** An agent on the real wire, found by the lock file as any other. */
  async agent(clientName = "Test agent"): Promise<IdeConnection> {
    const { port } = this.lockstep.announcement;
    const { configDir } = this.workspace;
    const ides = await findIdes({ configDir });
    const ide = ides.find((found) => found.port === port);
    if (!ide) throw new Error(`No lock file for port ${port}`);
    const connection = await connect(ide, { clientName, reconnect: { find: { configDir } } });
    onTestFinished(() => connection.close());
    return connection;
  }

  /** The editor crashes and is started again. */
  async crash(): Promise<void> {
    await this.lockstep.kill();
    this.lockstep = await LockstepCommand.edit(this.workspace, this.#env);
  }
}
