import {
  AtMentionedParams,
  DiagnosticsChangedParams,
  Notification,
  SelectionReply,
} from "@lockstep/protocol";
import { type FileDiagnostics, readFileDiagnostics } from "./diagnostics.js";
import { isolate, type OnFault } from "./isolate.js";
import { readSelection, type Selection } from "./selection.js";

/** A file that the person points the agent to. Lines are 0-based and inclusive; null for all of it. */
export interface Mention {
  readonly filePath: string;
  readonly lines: { readonly first: number; readonly last: number } | null;
}

export interface DiagnosticsChange {
  readonly uris: readonly string[];
  /** What the problems are now; most editors only say where they changed. */
  readonly file: FileDiagnostics | null;
}

/** What an editor tells without being asked, under its name on the wire; and how the line itself is. */
export interface Events {
  selection_changed: Selection;
  at_mentioned: Mention;
  diagnostics_changed: DiagnosticsChange;
  "workspace/didChangeActiveEditor": Selection;
  "notifications/tools/list_changed": undefined;
  /** The connection dropped, and another is being tried. Only with `reconnect`. */
  lost: undefined;
  /** There is a connection again. Tools and selection may be others now. */
  restored: undefined;
}

export type Listener<Name extends keyof Events> = (event: Events[Name]) => void;

/**
 * Hands out events to whoever listens. Params that nobody could understand are dropped. A listener
 * that throws keeps the event neither from the others nor from the connection.
 */
export class EventHub {
  readonly #onFault: OnFault;
  readonly #listeners = new Map<keyof Events, Set<(event: never) => unknown>>();

  /** By default the console gets the faults of listeners: it is there on every platform. */
  constructor(onFault: OnFault = (fault) => console.error(fault)) {
    this.#onFault = onFault;
  }

  on<Name extends keyof Events>(name: Name, listener: Listener<Name>): Disposable {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    return { [Symbol.dispose]: () => void listeners.delete(listener) };
  }

  emit<Name extends keyof Events>(name: Name, event: Events[Name]): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])])
      isolate(() => listener(event as never), this.#onFault);
  }

  /** A notification off the wire. */
  receive(method: string, params: unknown): void {
    switch (method) {
      case Notification.selectionChanged:
      case Notification.didChangeActiveEditor: {
        const { data } = SelectionReply.safeParse(params);
        if (data) this.emit(method, readSelection(data));
        break;
      }
      case Notification.atMentioned: {
        const { data } = AtMentionedParams.safeParse(params);
        if (data) this.emit(method, readMention(data.filePath, data.lineStart, data.lineEnd));
        break;
      }
      case Notification.diagnosticsChanged: {
        const { data } = DiagnosticsChangedParams.safeParse(params);
        if (data) this.emit(method, readChange(data.uris, data.uri, data.diagnostics));
        break;
      }
      case Notification.toolsListChanged:
        this.emit(method, undefined);
        break;
    }
  }
}

function readMention(
  filePath: string,
  first: number | null | undefined,
  last: number | null | undefined,
): Mention {
  const whole = typeof first !== "number";
  return { filePath, lines: whole ? null : { first, last: last ?? first } };
}

function readChange(
  uris: readonly string[] | null | undefined,
  uri: string | null | undefined,
  diagnostics: Parameters<typeof readFileDiagnostics>[0]["diagnostics"] | null | undefined,
): DiagnosticsChange {
  const file = uri && diagnostics ? readFileDiagnostics({ uri, diagnostics }) : null;
  return { uris: uris ?? (uri ? [uri] : []), file };
}
