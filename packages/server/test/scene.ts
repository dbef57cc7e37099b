import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  type Editor,
  InMemoryEditor,
  type Proposal,
  type Question,
  type Sight,
  toLf,
} from "@lockstep/editor";
import { filePath, fileUri, type Uri } from "@lockstep/protocol";
import { disk, type LockstepServer, type ServeOptions, serve } from "../src/index.js";
import { WireAgent } from "./wire-agent.js";

/** A workspace on the real disk, an editor on it, a server, and as many agents as a test needs. */
export class Scene implements AsyncDisposable {
  readonly home: string;
  readonly folder: string;
  readonly editor: InMemoryEditor;
  readonly sights: Sight[] = [];
  readonly problems: unknown[] = [];
  readonly #servers: LockstepServer[] = [];
  readonly #agents: WireAgent[] = [];
  readonly #looks = new Set<() => void>();
  answer = false;
  /** What the person was asked. */
  readonly questions: Question[] = [];

  private constructor(home: string) {
    this.home = home;
    this.folder = join(home, "project");
    this.editor = new InMemoryEditor({
      folders: [this.folder],
      answer: async (question) => {
        this.questions.push(question);
        return this.answer;
      },
      store: (uri, text) => disk.write(filePath(uri) ?? "", text),
      formatter: async (text) => text.replace(/[ \t]+$/gm, ""),
      kernel: async (code) => [{ kind: "text", text: `ran ${code}` }],
      load: async (uri) => {
        const text = await disk.read(filePath(uri) ?? "");
        return text === null ? null : toLf(text);
      },
    });
    this.editor.watch((sight) => {
      this.sights.push(sight);
      for (const look of [...this.#looks]) look();
    });
  }

  static async open(): Promise<Scene> {
    const scene = new Scene(await realpath(await mkdtemp(join(tmpdir(), "lockstep-"))));
    await mkdir(scene.folder);
    return scene;
  }

  get options(): ServeOptions {
    return {
      configDir: join(this.home, ".claude"),
      stateDir: join(this.home, "state"),
      report: (problem) => void this.problems.push(problem),
    };
  }

  async serve(options: ServeOptions = {}, editor: Editor = this.editor): Promise<LockstepServer> {
    const server = await serve(editor, { ...this.options, ...options });
    this.#servers.push(server);
    return server;
  }

  async agent(server?: LockstepServer, name?: string): Promise<WireAgent> {
    const agent = await WireAgent.connect(server ?? this.#servers[0] ?? (await this.serve()), name);
    this.#agents.push(agent);
    return agent;
  }

  async file(name: string, text: string): Promise<Uri> {
    const path = this.path(name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return fileUri(path);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** The first thing that the person sees of that kind, seen already or still to be seen. */
  sight<Kind extends Sight["kind"]>(kind: Kind): Promise<Extract<Sight, { kind: Kind }>> {
    return new Promise((resolve) => {
      const look = () => {
        const at = this.sights.findIndex((sight) => sight.kind === kind);
        if (at === -1) return;
        this.#looks.delete(look);
        resolve(this.sights.splice(at, 1)[0] as Extract<Sight, { kind: Kind }>);
      };
      this.#looks.add(look);
      look();
    });
  }

  async proposal(): Promise<Proposal> {
    return (await this.sight("shown")).proposal;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const agent of this.#agents) await agent[Symbol.asyncDispose]();
    for (const server of this.#servers) await server.stop();
    await rm(this.home, { recursive: true, force: true });
  }
}
