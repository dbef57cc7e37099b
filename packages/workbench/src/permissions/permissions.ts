import { createHash } from "node:crypto";
import { join } from "node:path";
import { printable } from "@lockstep/protocol";
import * as z from "zod/mini";
import type { Permission, permissionCalls } from "../contract/permissions.js";
import { Queue } from "../queue.js";
import { readJsonFile, writeJsonFile } from "../state/json-file.js";
import type { Surroundings } from "../surroundings.js";
import type { Handlers } from "../windows/router.js";

const kept = z.array(
  z.object({
    id: z.string(),
    title: z.string(),
    detail: z.string(),
    agent: z.optional(z.string()),
    since: z.number(),
  }),
);

/** What somebody would like to do from now on in this workspace. */
export interface Wish {
  /** Two wishes with the same key are the same: it names who wants what, exactly. */
  readonly key: readonly string[];
  /** What is allowed then, such as "Claude Code may run code in notebooks". */
  readonly title: string;
  readonly detail: string;
  /** The agent that it is for, by its name. */
  readonly agent?: string;
}

/** What the person has allowed in this workspace, kept over restarts, until it is taken back. */
export class Permissions {
  readonly #surroundings: Surroundings;
  readonly #file: string;
  readonly #queue = new Queue();
  readonly #asking = new Map<string, Promise<boolean>>();
  readonly #revoked = new Set<() => void>();

  readonly handlers: Handlers<typeof permissionCalls> = {
    "permission.revoke": ({ id }) => this.#revoke(id),
  };

  private constructor(surroundings: Surroundings, file: string) {
    this.#surroundings = surroundings;
    this.#file = file;
  }

  static async open(surroundings: Surroundings): Promise<Permissions> {
    const file = join(surroundings.stateDir, "permissions.json");
    const permissions = new Permissions(surroundings, file);
    const { data } = kept.safeParse(await readJsonFile(file));
    for (const each of data ?? []) surroundings.store.put("permissions", each.id, each);
    return permissions;
  }

  has(key: readonly string[]): boolean {
    return Object.hasOwn(this.#surroundings.store.state.permissions, idOf(key));
  }

  /**
   * Whether it is allowed; `ask` puts it to the person if nobody has yet, once however many wait for
   * the answer. A no is not kept.
   */
  async allow(wish: Wish, ask: () => Promise<boolean>): Promise<boolean> {
    const id = idOf(wish.key);
    if (this.has(wish.key)) return true;
    const asked = this.#asking.get(id) ?? ask();
    this.#asking.set(id, asked);
    const yes = await asked.finally(() => this.#asking.delete(id));
    if (yes && !this.has(wish.key)) await this.#grant(id, wish);
    return yes;
  }

  /** Something was taken back. */
  onRevoke(listener: () => void): void {
    this.#revoked.add(listener);
  }

  async #grant(id: string, { title, detail, agent }: Wish): Promise<void> {
    const permission: Permission = {
      id,
      title: printable(title),
      detail: printable(detail),
      agent: agent === undefined ? undefined : printable(agent),
      since: Date.now(),
    };
    this.#surroundings.store.put("permissions", id, permission);
    // It holds now; that it will be asked again after a restart is all that can go wrong.
    await this.#write().catch(this.#surroundings.report);
  }

  async #revoke(id: string): Promise<void> {
    this.#surroundings.store.remove("permissions", id);
    for (const listener of this.#revoked) listener();
    await this.#write();
  }

  #write(): Promise<void> {
    const { store } = this.#surroundings;
    return this.#queue.take(() =>
      writeJsonFile(this.#file, Object.values(store.state.permissions)),
    );
  }
}

const idOf = (key: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(key)).digest("hex").slice(0, 32);
