import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Uri } from "@lockstep/protocol";
import { type LockstepServer, serve } from "@lockstep/server";
import { onTestFinished } from "vitest";
import { WireAgent } from "../../../server/test/wire-agent.js";
import type { Question, State } from "../../src/contract/index.js";
import type { PageClient } from "../page-client.js";
import { WorkbenchScene } from "../workbench-scene.js";

const NOTEBOOK = JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 });

/** A workbench with a notebook, a person at its page, and agents on the real wire. */
export class AgentScene {
  readonly #scene: WorkbenchScene;
  server: LockstepServer;
  page: PageClient;

  private constructor(scene: WorkbenchScene, server: LockstepServer, page: PageClient) {
    this.#scene = scene;
    this.server = server;
    this.page = page;
  }

  /** All of it ends with the test. */
  static async open(files: Readonly<Record<string, string>> = {}): Promise<AgentScene> {
    const scene = await WorkbenchScene.open({ "a.ipynb": NOTEBOOK, "b.txt": "b\n", ...files });
    await mkdir(join(scene.root, "claude"));
    const made = new AgentScene(scene, await start(scene), await scene.page());
    onTestFinished(async () => {
      await made.server.stop();
      await scene[Symbol.asyncDispose]();
    });
    return made;
  }

  /** With the notebook in front, and an agent. */
  static async withAgent() {
    const scene = await AgentScene.open();
    await scene.show();
    return { scene, agent: await scene.agent() };
  }

  get state(): State {
    return this.page.state;
  }

  uri(name: string): Uri {
    return this.#scene.uri(name);
  }

  path(name: string): string {
    return this.#scene.path(name);
  }

  /** The person opens a file and looks at it. */
  async show(name = "a.ipynb"): Promise<void> {
    const uri = this.uri(name);
    await this.page.call("tab.open", { uri, preview: false });
    await this.page.call("window.show", { view: { kind: "document", uri }, focused: true });
  }

  agent(name = "Claude Code"): Promise<WireAgent> {
    return WireAgent.connect(this.server, name);
  }

  async question(): Promise<Question> {
    const { questions } = await this.page.until((now) => Object.keys(now.questions).length > 0);
    const [question] = Object.values(questions);
    if (!question) throw new Error("No question");
    return question;
  }

  /** The person answers what is asked, as soon as it is. */
  async answer(yes: boolean): Promise<Question> {
    const question = await this.question();
    await this.page.call("question.answer", { id: question.id, yes });
    return question;
  }

  /** The agent runs this, and the person allows it. */
  async allow(agent: WireAgent, code: string): ReturnType<typeof run> {
    const answer = run(agent, code);
    await this.answer(true);
    return answer;
  }

  /** The person takes back all that was allowed. */
  async revoke(): Promise<void> {
    for (const id of Object.keys(this.state.permissions))
      await this.page.call("permission.revoke", { id });
  }

  /** The workbench ends in order and starts again. */
  async restart(): Promise<void> {
    await this.server.stop();
    await this.#scene.restart();
    this.server = await start(this.#scene);
    this.page = await this.#scene.page();
  }
}

async function start(scene: WorkbenchScene): Promise<LockstepServer> {
  const { workbench, root } = scene;
  const server = await serve(workbench, {
    configDir: join(root, "claude"),
    stateDir: join(root, "claude"),
    privacy: workbench.privacy,
    trace: (event) => workbench.trace(event),
  });
  workbench.attach(server);
  return server;
}

/** Asks for code to be run. */
export const run = (agent: WireAgent, code: string) => agent.call("executeCode", { code });

/** The names of the tools that an agent is offered. */
export async function toolsOf(agent: WireAgent): Promise<readonly string[]> {
  const { tools } = (await agent.request("tools/list")).result as { tools: { name: string }[] };
  return tools.map(({ name }) => name);
}
