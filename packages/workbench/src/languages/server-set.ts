import { WorkbenchError } from "../errors.js";
import type { Wish } from "../permissions/permissions.js";
import type { Surroundings } from "../surroundings.js";
import type { ServerSpec } from "./catalogue.js";
import { configuredServers } from "./configured-servers.js";
import type { FollowedText } from "./followed-text.js";
import { LanguageServer } from "./language-server.js";
import type { Problems } from "./problems.js";
import { programFolders } from "./programs.js";
import { resolveServer } from "./server-programs.js";

export interface ServerSetOptions {
  readonly surroundings: Surroundings;
  readonly env: NodeJS.ProcessEnv;
  readonly problems: Problems;
  readonly texts: () => readonly FollowedText[];
  readonly isAllowed: (key: readonly string[]) => boolean;
  /** Puts it to the person. */
  readonly allow: (wish: Wish) => Promise<boolean>;
  readonly applyEdit: (server: LanguageServer, edit: unknown) => Promise<boolean>;
  readonly backOffMs?: readonly number[] | undefined;
}

/** The language servers of this workspace, as the settings have them now. */
export class ServerSet {
  readonly #options: ServerSetOptions;
  #servers: readonly LanguageServer[] = [];

  constructor(options: ServerSetOptions) {
    this.#options = options;
    this.#servers = this.#specs().map((spec) => this.#make(spec));
  }

  get all(): readonly LanguageServer[] {
    return this.#servers;
  }

  of(languageId: string): readonly LanguageServer[] {
    return this.#servers.filter(({ spec }) => spec.languageIds.includes(languageId));
  }

  each({ languageId }: FollowedText, task: (server: LanguageServer) => void): void {
    for (const server of this.of(languageId)) task(server);
  }

  /** What the children of the workbench are given: nothing of the project is on their PATH. */
  async environment(): Promise<NodeJS.ProcessEnv> {
    const { env, surroundings } = this.#options;
    const folders = await programFolders(env, surroundings.folders);
    return { ...env, PATH: folders.join(":") };
  }

  /** The settings have changed: servers that are told otherwise there begin anew. */
  async reconfigure(): Promise<void> {
    const before = new Map(this.#servers.map((server) => [identityOf(server.spec), server]));
    const now = this.#specs().map((spec) => before.get(identityOf(spec)) ?? this.#make(spec));
    const gone = this.#servers.filter((server) => !now.includes(server));
    const come = now.filter((server) => !this.#servers.includes(server));
    this.#servers = now;
    await Promise.all(gone.map((server) => server.close()));
    for (const server of come) if (this.#textsOf(server.spec).length > 0) server.need();
  }

  /** A permission was taken back: who ran by it runs no more. */
  async revoked(): Promise<void> {
    const { isAllowed } = this.#options;
    const without = this.#servers.filter(({ needs }) => needs && !isAllowed(needs.key));
    await Promise.all(without.map((server) => server.restart()));
  }

  /** By the person, who is asked first if it would like to run what is not allowed yet. */
  async restart(id: string): Promise<void> {
    const server = this.#servers.find(({ spec }) => spec.id === id);
    if (!server) throw new WorkbenchError("There is no such language server.");
    if (server.wish) await this.#options.allow(server.wish);
    await server.restart();
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
  }

  #specs(): readonly ServerSpec[] {
    return configuredServers(this.#options.surroundings.store.state.settings);
  }

  #make(spec: ServerSpec): LanguageServer {
    const { surroundings, env, problems, isAllowed, applyEdit, backOffMs } = this.#options;
    const { store, folders } = surroundings;
    return new LanguageServer({
      spec,
      store,
      folders,
      env: () => this.environment(),
      texts: () => this.#textsOf(spec),
      problems,
      resolve: (wanted) => resolveServer(wanted, { folders, env, isAllowed }),
      applyEdit,
      ...(backOffMs ? { backOffMs } : {}),
    });
  }

  #textsOf({ languageIds }: ServerSpec): readonly FollowedText[] {
    return this.#options.texts().filter(({ languageId }) => languageIds.includes(languageId));
  }
}

/** Functions are left out: what is bundled is the same for one id. */
const identityOf = (spec: ServerSpec): string => JSON.stringify(spec);
