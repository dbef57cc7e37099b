import { type Change, isEmptyRange, type Mention, type Selection } from "@lockstep/editor";
import {
  type AtMentioned,
  filePath,
  Notification,
  type Peer,
  type SelectionChanged,
  type Uri,
} from "@lockstep/protocol";
import type { Core } from "../../core/core.js";
import type { Session } from "../../core/session.js";
import { Slot } from "../../outbox/slot.js";

/** The CLI loses what comes within its first 100 ms or so. */
const FIRST_PUSH_MS = 500;
const SELECTION_INTERVAL_MS = 50;
/** For an agent that does not read; a person makes no more while waiting. */
const MENTIONS_KEPT = 100;

/** What an agent is told without having asked: the selection, mentions, a changed list of tools. */
export class Push {
  readonly #core: Core;
  readonly #session: Session;
  readonly #peer: Peer;
  readonly #ready: () => boolean;
  readonly #selection: Slot;
  readonly #subscription: Disposable;
  #mentions: Mention[] = [];
  #firstPush: NodeJS.Timeout | undefined;
  #begun = false;

  constructor(core: Core, session: Session, peer: Peer, ready: () => boolean) {
    this.#core = core;
    this.#session = session;
    this.#peer = peer;
    this.#ready = ready;
    this.#selection = new Slot({
      push: () => this.#pushSelection(),
      intervalMs: SELECTION_INTERVAL_MS,
      ready: () => this.#begun && ready(),
    });
    this.#subscription = core.editor.subscribe((change) => this.#changed(change));
  }

  /** The agent is about to listen: counts the wait for the first push from here, again if repeated. */
  arm(): void {
    if (this.#begun) return;
    clearTimeout(this.#firstPush);
    this.#firstPush = setTimeout(() => {
      this.#begun = true;
      this.#mentions = [...this.#core.takeUnheard(), ...this.#mentions];
      this.#selection.touch();
      this.wake();
    }, FIRST_PUSH_MS);
  }

  /** The agent has read what was waiting. */
  wake(): void {
    this.#selection.wake();
    while (this.#begun && this.#ready()) {
      const mention = this.#mentions.shift();
      if (!mention) return;
      this.#peer.notify(Notification.atMentioned, atMentioned(mention));
    }
  }

  close(): void {
    clearTimeout(this.#firstPush);
    this.#selection.close();
    this.#subscription[Symbol.dispose]();
  }

  #changed(change: Change): void {
    switch (change.kind) {
      case "selection":
        this.#selection.touch();
        break;
      case "mention":
        this.#mentions = [...this.#mentions, change].slice(-MENTIONS_KEPT);
        this.wake();
        break;
      case "abilities":
        this.#peer.notify(Notification.toolsListChanged);
        break;
    }
  }

  async #pushSelection(): Promise<void> {
    if (!this.#session.abilities.selection) return;
    try {
      const selection = await this.#session.ask("selection", undefined);
      if (selection) this.#peer.notify(Notification.selectionChanged, selectionChanged(selection));
    } catch (error) {
      this.#core.report(error);
    }
  }
}

/** Also what getCurrentSelection answers. */
export function selectionChanged({ uri, range, text }: Selection): SelectionChanged {
  const { start, end } = range;
  const selection = { start, end, isEmpty: isEmptyRange(range) };
  return { text, filePath: wirePath(uri), fileUrl: uri, selection };
}

function atMentioned({ uri, lines }: Mention): AtMentioned {
  const path = wirePath(uri);
  return lines
    ? { filePath: path, lineStart: lines.first, lineEnd: lines.last }
    : { filePath: path };
}

/** A document without a file is called by its name, such as "Untitled-2". */
export function wirePath(uri: Uri): string {
  return filePath(uri) ?? uri.slice(uri.indexOf(":") + 1);
}
