import { onTestFinished } from "vitest";
import { Claude } from "./claude.js";
import { Ide } from "./ide.js";
import { MessagesApi } from "./messages-api.js";
import { Workspace } from "./workspace.js";

/** The file that is open in every scene's editor, where the cursor stands and nothing is selected. */
export const OPEN_FILE = "notes.txt";

interface Starting {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly through?: readonly string[];
}

/** The real CLI and the model behind it. */
export interface Agent {
  readonly claude: Claude;
  readonly api: MessagesApi;
}

/** A project, an editor that has a file of it open, and one or more agents with a model each. */
export class Scene {
  readonly workspace: Workspace;
  ide: Ide;
  readonly #agents: Agent[] = [];

  private constructor(workspace: Workspace, ide: Ide) {
    this.workspace = workspace;
    this.ide = ide;
  }

  /** Everything of it ends with the test; a failed test shows what it saw. */
  static async open(): Promise<Scene> {
    const workspace = await Workspace.create();
    onTestFinished(() => workspace.remove());
    const path = await workspace.write(OPEN_FILE, "one\ntwo\nthree\nfour\nfive\n");
    const scene = new Scene(workspace, await Ide.start(workspace, { path }));
    onTestFinished(async ({ task }) => {
      if (task.result?.state === "fail") await scene.#show();
      await scene.#close();
    });
    return scene;
  }

  /** Starts an agent; its prompt is shown, which says nothing about its being connected. */
  async start(starting: Starting = {}): Promise<Agent> {
    const api = await MessagesApi.start();
    onTestFinished(() => api.stop());
    const claude = await Claude.start({ workspace: this.workspace, api, ...starting });
    this.#agents.push({ claude, api });
    return { claude, api };
  }

  /** Starts an agent that is connected to the editor. */
  async connect(): Promise<Agent> {
    const agent = await this.start({ args: ["--ide"] });
    await agent.claude.attached(OPEN_FILE);
    return agent;
  }

  async #close(): Promise<void> {
    for (const { claude } of this.#agents) await claude.exit();
    await this.ide.kill();
  }

  async #show(): Promise<void> {
    for (const { claude, api } of this.#agents) {
      console.error(`The terminal shows:\n${await claude.terminal.screen().catch(String)}`);
      console.error(`The model was told:\n${api.requests}`);
    }
    console.error(`On the wire:\n${this.ide.wire}`);
    console.error(`In the editor:\n${this.ide.sights}`);
  }
}
