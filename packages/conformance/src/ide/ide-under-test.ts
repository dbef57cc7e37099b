import { randomBytes } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { lockFilePort } from "@lockstep/protocol";
import { Fault, NotChecked } from "../check.js";
import { isObject, type Json } from "../message.js";
import { requestUpgrade, type UpgradeReply, type UpgradeRequest } from "./upgrade.js";
import { type OnMessage, WireAgent } from "./wire-agent.js";

export type Decision = "accept" | "reject";

export interface IdeSubject {
  readonly lockFile: string;
  /**
   * Has the proposal of that tab decided, by a person or by automation. Without it only an editor
   * that decides by itself shows how it words a yes or a no.
   */
  readonly decide?: (decision: Decision, tabName: string) => Promise<void>;
  /** How long an answer may take that needs no person. */
  readonly patienceMs?: number;
  /** Sees every message as it goes over the wire, both ways. */
  readonly onMessage?: OnMessage;
}

/** An editor that announces itself, for one check: what the check opens is closed after it. */
export class IdeUnderTest implements AsyncDisposable {
  readonly lockFile: string;
  readonly decide: IdeSubject["decide"];
  readonly patienceMs: number;
  readonly #onMessage: OnMessage | undefined;
  readonly #agents: WireAgent[] = [];
  readonly #files: string[] = [];

  constructor({ lockFile, decide, patienceMs = 5_000, onMessage }: IdeSubject) {
    this.lockFile = lockFile;
    this.decide = decide;
    this.patienceMs = patienceMs;
    this.#onMessage = onMessage;
  }

  get port(): number {
    const port = lockFilePort(basename(this.lockFile));
    if (port === null) throw new Fault(`${basename(this.lockFile)} names no port`);
    return port;
  }

  /** The lock file's contents, whatever they are. */
  async lock(): Promise<Json> {
    const text = await readFile(this.lockFile, "utf8");
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) throw new Fault("the lock file is not a JSON object");
    return value;
  }

  async token(): Promise<string> {
    const { authToken } = await this.lock();
    return typeof authToken === "string" ? authToken : "";
  }

  async folders(): Promise<readonly string[]> {
    const { workspaceFolders } = await this.lock();
    return Array.isArray(workspaceFolders) ? workspaceFolders.map(String) : [];
  }

  /** A connection before its handshake. */
  async open(): Promise<WireAgent> {
    const agent = await WireAgent.open({
      port: this.port,
      token: await this.token(),
      patienceMs: this.patienceMs,
      onMessage: this.#onMessage,
    });
    this.#agents.push(agent);
    return agent;
  }

  async connect(): Promise<WireAgent> {
    const agent = await this.open();
    await agent.introduce();
    return agent;
  }

  /** A connection to an editor that has these tools; without them there is nothing to check. */
  async connectFor(...tools: readonly string[]): Promise<WireAgent> {
    const agent = await this.connect();
    const offered = await agent.toolNames();
    const missing = tools.filter((tool) => !offered.includes(tool));
    if (missing.length > 0) throw new NotChecked(`the editor does not offer ${missing.join(", ")}`);
    return agent;
  }

  upgrade(request: Partial<UpgradeRequest>): Promise<UpgradeReply> {
    return requestUpgrade({ port: this.port, patienceMs: this.patienceMs, ...request });
  }

  /** The path of a file of its own in the workspace, which does not exist yet. */
  async path(suffix = ".txt"): Promise<string> {
    const [folder] = await this.folders();
    if (folder === undefined) throw new NotChecked("the editor has no folder open");
    return join(folder, `lockstep-verify-${randomBytes(4).toString("hex")}${suffix}`);
  }

  /** Makes such a file; it is removed after the check. */
  async file(text: string, suffix?: string): Promise<string> {
    const path = await this.path(suffix);
    await writeFile(path, text, { flag: "wx" }).catch((error: Error) => {
      throw new NotChecked(`no file can be made in the workspace: ${error.message}`);
    });
    this.#files.push(path);
    return path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const path of this.#files) await this.#closeTab(basename(path));
    for (const agent of this.#agents) await agent.close();
    for (const path of this.#files) await rm(path, { force: true });
  }

  /** The file may have been opened: nobody wants to find tabs of files that are gone. */
  async #closeTab(name: string): Promise<void> {
    const agent = this.#agents.find(({ isOpen }) => isOpen);
    const params = { name: "close_tab", arguments: { tab_name: name } };
    await agent?.request("tools/call", params).catch(() => {});
  }
}
