import { type Change, countLines, type Mention } from "@lockstep/editor";
import { filePath, Notification, type Peer, type Profile, type Uri } from "@lockstep/protocol";
import type { Core } from "../../core/core.js";
import { readText } from "../../core/read-text.js";
import type { Session } from "../../core/session.js";
import { Slot } from "../../outbox/slot.js";
import { wireDiagnostics } from "./diagnostics.js";
import type { Dialect } from "./tool.js";
import { atMentioned, selectionChanged, wireUri } from "./wire.js";

/** The CLI loses what comes within its first 100 ms or so. */
const FIRST_PUSH_MS = 500;
const SELECTION_INTERVAL_MS = 50;
const DIAGNOSTICS_INTERVAL_MS = 200;
/** For an agent that does not read; a person makes no more while waiting. */
const MENTIONS_KEPT = 100;

export interface PushOptions {
  readonly dialect: Dialect;
  readonly profile: Profile;
  /** Whether every selection, and not only a change of files, is told as the active editor's. */
  readonly activeEditorAlways: boolean;
}

/** What an agent is told without having asked. */
export class Push {
  readonly #core: Core;
  readonly #session: Session;
  readonly #peer: Peer;
  readonly #ready: () => boolean;
  readonly #options: PushOptions;
  readonly #selection: Slot;
  readonly #diagnostics: Slot;
  readonly #diagnosed = new Set<Uri>();
  #activeDocument: Uri | undefined;
  readonly #subscription: Disposable;
  #mentions: Mention[] = [];
  #firstPush: NodeJS.Timeout | undefined;
  #begun = false;
  #sendingMentions = false;

  constructor(
    core: Core,
    session: Session,
    peer: Peer,
    ready: () => boolean,
    options: PushOptions,
  ) {
    this.#options = options;
    this.#core = core;
    this.#session = session;
    this.#peer = peer;
    this.#ready = ready;
    const slot = (intervalMs: number, push: () => Promise<void>) =>
      new Slot({
        intervalMs,
        push: () => push().catch(core.report),
        ready: () => this.#begun && ready(),
      });
    this.#selection = slot(SELECTION_INTERVAL_MS, () => this.#pushSelection());
    this.#diagnostics = slot(DIAGNOSTICS_INTERVAL_MS, () => this.#pushDiagnostics());
    this.#subscription = core.subscribe((change) => this.#changed(change));
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
    this.#diagnostics.wake();
    void this.#sendMentions().catch(this.#core.report);
  }

  close(): void {
    if (!this.#begun) this.#core.keepUnheard(this.#mentions);
    clearTimeout(this.#firstPush);
    this.#selection.close();
    this.#diagnostics.close();
    this.#subscription[Symbol.dispose]();
  }

  #changed(change: Change): void {
    switch (change.kind) {
      case "selection":
        this.#selection.touch();
        break;
      case "diagnostics":
        for (const uri of change.uris) this.#diagnosed.add(uri);
        this.#diagnostics.touch();
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

  /** One after the other, in the order in which the person made them. */
  async #sendMentions(): Promise<void> {
    if (this.#sendingMentions) return;
    this.#sendingMentions = true;
    try {
      while (this.#begun && this.#ready()) {
        const mention = this.#mentions.shift();
        if (!mention) return;
        this.#peer.notify(Notification.atMentioned, atMentioned(await this.#withLines(mention)));
      }
    } finally {
      this.#sendingMentions = false;
    }
  }

  /** For an agent that ignores a whole file, all lines of it. */
  async #withLines(mention: Mention): Promise<Mention> {
    const path = filePath(mention.uri);
    const { ignoresMentionWithoutLines } = this.#options.profile;
    if (mention.lines || path === null || !ignoresMentionWithoutLines) return mention;
    const text = await readText(this.#session.files, path).catch(() => null);
    return { ...mention, lines: { first: 0, last: countLines(text ?? "") - 1 } };
  }

  async #pushSelection(): Promise<void> {
    if (!this.#session.abilities.selection) return;
    const selection = await this.#session.selection();
    if (!selection) return;
    const params = selectionChanged(selection);
    this.#peer.notify(Notification.selectionChanged, params);
    if (this.#activeDocument !== selection.uri || this.#options.activeEditorAlways) {
      this.#peer.notify(Notification.didChangeActiveEditor, params);
    }
    this.#activeDocument = selection.uri;
  }

  /** Which files have other problems now; for a single one also what they are. */
  async #pushDiagnostics(): Promise<void> {
    const changed = [...this.#diagnosed];
    this.#diagnosed.clear();
    const kept = await Promise.all(changed.map((uri) => this.#session.gate.tellsProblemsOf(uri)));
    const uris = changed.filter((_, index) => kept[index]);
    const [only] = uris;
    if (only === undefined) return;
    const params = { uris: uris.map(wireUri) };
    if (uris.length > 1 || !this.#session.abilities.diagnostics) {
      this.#peer.notify(Notification.diagnosticsChanged, params);
      return;
    }
    try {
      const files = await this.#session.ask("diagnostics", { uri: only, settleMs: 0 });
      const file = files.find(({ uri }) => uri === only) ?? { uri: only, items: [] };
      const detail = wireDiagnostics(wireUri(only), file, this.#options.dialect);
      this.#peer.notify(Notification.diagnosticsChanged, { ...params, ...detail });
    } catch (error) {
      this.#peer.notify(Notification.diagnosticsChanged, params);
      throw error;
    }
  }
}
