import type { Uri } from "@lockstep/protocol";
import type { Changed, CodeAction, TextRange } from "../contract/languages.js";
import { WorkbenchError } from "../errors.js";
import type { Window } from "../windows/window.js";
import { isObject } from "./capabilities.js";
import type { LanguageServer } from "./language-server.js";
import * as lsp from "./lsp.js";
import type { RunningServer } from "./running-server.js";
import type { WorkspaceEdits } from "./workspace-edits.js";

const MOST_ACTIONS = 200;
/** A refactoring of a large project takes its time. */
const ACT_MS = 30_000;

interface Kept {
  readonly server: LanguageServer;
  readonly running: RunningServer;
  readonly raw: unknown;
  readonly versions: ReadonlyMap<Uri, number>;
}

/** What a server is doing for a person just now: only then it may edit by itself. */
interface Acting {
  readonly server: LanguageServer;
  readonly versions: ReadonlyMap<Uri, number>;
  changed: Changed;
  /** Its own edits, which may come at the same time as the answer. */
  readonly edits: Promise<void>[];
}

/** Quick fixes and the like: what is offered, and what happens when one is taken. */
export class Actions {
  readonly #edits: WorkspaceEdits;
  readonly #kept = new WeakMap<Window, ReadonlyMap<string, Kept>>();
  #last = 0;
  #acting: Acting | null = null;

  constructor(edits: WorkspaceEdits) {
    this.#edits = edits;
  }

  /** Asks each of the servers; what one window was offered before is gone then. */
  async offer(
    window: Window,
    servers: readonly LanguageServer[],
    where: { readonly uri: Uri; readonly range: TextRange; readonly only?: string | undefined },
    around: { readonly versions: ReadonlyMap<Uri, number>; readonly signal: AbortSignal },
  ): Promise<readonly CodeAction[]> {
    const kept = new Map<string, Kept>();
    const shown: CodeAction[] = [];
    for (const server of servers) {
      const running = await server.ready(around.signal);
      if (!running?.offer("textDocument/codeAction")) continue;
      const answer = await running.request(
        "textDocument/codeAction",
        params(server, where),
        around,
      );
      for (const raw of Array.isArray(answer) ? answer.slice(0, MOST_ACTIONS) : []) {
        const { data } = lsp.codeAction.safeParse(raw);
        if (!data) continue;
        const id = String(++this.#last);
        kept.set(id, { server, running, raw, versions: around.versions });
        shown.push({
          id,
          title: data.title,
          kind: data.kind ?? "",
          preferred: data.isPreferred === true,
          ...(data.disabled ? { disabled: data.disabled.reason } : {}),
        });
      }
    }
    this.#kept.set(window, kept);
    return shown;
  }

  async act(window: Window, id: string, signal: AbortSignal): Promise<Changed> {
    const kept = this.#kept.get(window)?.get(id);
    if (!kept) throw new WorkbenchError("This is not offered any more: ask for it again.");
    if (this.#acting) throw new WorkbenchError("Another action is still at work: wait for it.");
    const acting: Acting = { ...kept, changed: { files: 0, edits: 0 }, edits: [] };
    this.#acting = acting;
    try {
      await this.#carryOut(kept, acting, signal);
      await Promise.all(acting.edits);
    } finally {
      this.#acting = null;
    }
    return acting.changed;
  }

  /** An edit that a server wants by itself: false unless it is part of what a person asked for. */
  async applyEdit(server: LanguageServer, edit: unknown): Promise<boolean> {
    const acting = this.#acting;
    if (acting?.server !== server) return false;
    const applied = this.#apply(acting, edit);
    acting.edits.push(applied);
    await applied;
    return true;
  }

  async #carryOut(kept: Kept, acting: Acting, signal: AbortSignal): Promise<void> {
    const { running, server } = kept;
    const asking = { signal, withinMs: ACT_MS };
    const raw = isObject(kept.raw) ? kept.raw : {};
    if (isObject(raw.disabled)) throw new WorkbenchError(String(raw.disabled.reason ?? ""));
    const resolves = running.offer("textDocument/codeAction")?.resolveProvider === true;
    const whole =
      raw.edit === undefined && typeof raw.command !== "string" && resolves
        ? await running.request("codeAction/resolve", raw, asking)
        : raw;
    const action = isObject(whole) ? whole : {};
    if (isObject(action.edit)) await this.#apply(acting, action.edit);
    const { data: command } = lsp.command.safeParse(
      typeof action.command === "string" ? action : action.command,
    );
    if (!command) return;
    const { commands } = running.offer("workspace/executeCommand") ?? {};
    if (!Array.isArray(commands) || !commands.includes(command.command)) {
      if (isObject(action.edit)) return;
      throw new WorkbenchError(`${server.name} needs another editor for this.`);
    }
    const params = { command: command.command, arguments: command.arguments ?? [] };
    await running.request("workspace/executeCommand", params, asking);
  }

  async #apply(acting: Acting, edit: unknown): Promise<void> {
    const { versions } = acting;
    const { files, edits } = await this.#edits.apply(edit, { verb: "Fix", versions });
    acting.changed = {
      files: acting.changed.files + files,
      edits: acting.changed.edits + edits,
    };
  }
}

function params(
  server: LanguageServer,
  { uri, range, only }: { uri: Uri; range: TextRange; only?: string | undefined },
) {
  const diagnostics = server
    .rawProblems(uri)
    .filter(({ problem }) => touches(problem.range, range))
    .map(({ raw }) => raw);
  const wish = only === undefined ? {} : { only: [only] };
  return {
    textDocument: { uri },
    range,
    context: { diagnostics, triggerKind: 1, ...wish },
  };
}

const touches = (a: TextRange, b: TextRange): boolean =>
  !isBefore(a.end, b.start) && !isBefore(b.end, a.start);

const isBefore = (a: TextRange["start"], b: TextRange["start"]): boolean =>
  a.line < b.line || (a.line === b.line && a.character < b.character);
