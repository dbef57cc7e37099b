import {
  type Abilities,
  type Agent,
  type AgentEvent,
  type Call,
  type Editor,
  START,
  type WithheldReason,
  withAbilities,
} from "@lockstep/editor";
import { filePath, isWithin, type Uri } from "@lockstep/protocol";
import type { Files } from "../core/files.js";
import { folderPaths } from "../core/workspace.js";
import { agentRules } from "./agent-rules.js";
import { DEFAULT_DENY } from "./default-deny.js";
import { isGitIgnored, repositoryOf } from "./git-rules.js";
import { PathRules } from "./path-rules.js";

export interface PrivacyOptions {
  /** Patterns like those of .gitignore, for files that no agent is told of; added to the defaults. */
  readonly deny?: readonly string[];
  /** Whether agents are told of files that git ignores. By default they are not. */
  readonly shareGitIgnored?: boolean;
  /** Whether agents are told at all what the person looks at. By default they are. */
  readonly sharing?: boolean;
}

/** A verdict is looked up again after this long, so that changed rules take effect. */
const FRESH_MS = 1_000;
const REMEMBERED = 1_000;

/**
 * Stands between agents and an editor, and keeps from them what is none of their business: files
 * with secrets, what the agent's own settings or git exclude, and everything that the person looks
 * at while sharing is off. What it keeps back it tells the editor, for the person to see.
 */
export class Gate {
  readonly #editor: Editor;
  readonly #files: Files;
  #shareGitIgnored = false;
  #deny: readonly string[] = [];
  /** What is denied, by the folder that patterns with a slash at their beginning are meant from. */
  readonly #denied = new Map<string, PathRules>();
  readonly #report: (problem: unknown) => void;
  readonly #everywhere: readonly string[];
  readonly #verdicts = new Map<
    Uri,
    { readonly why: WithheldReason | null; readonly until: number }
  >();
  readonly #repositories = new Map<string, Promise<string>>();
  readonly #lastShared = new WeakMap<Agent, Uri>();
  readonly #lastWithheld = new WeakMap<Agent, string>();
  /** The editor as agents may see it. */
  readonly editor: Editor;
  sharing: boolean;

  /** `everywhere` are the agent's settings that hold in every project. */
  constructor(
    editor: Editor,
    files: Files,
    options: PrivacyOptions,
    report: (problem: unknown) => void,
    everywhere: readonly string[] = [],
  ) {
    this.#report = report;
    this.#everywhere = everywhere;
    this.#editor = editor;
    this.editor = withAbilities(editor, (own) => this.#abilities(own));
    this.#files = files;
    this.sharing = options.sharing ?? true;
    this.keepBack(options);
  }

  /** From now on these files are kept back, and the secrets that always are. */
  keepBack({ deny = [], shareGitIgnored = false }: Omit<PrivacyOptions, "sharing">): void {
    this.#deny = [...DEFAULT_DENY, ...deny].map(anywhere);
    this.#denied.clear();
    this.#shareGitIgnored = shareGitIgnored;
    this.#verdicts.clear();
  }

  /** Why agents are not told what is in a document; null if they are. */
  async whyWithheld(uri: Uri): Promise<WithheldReason | null> {
    const known = this.#verdicts.get(uri);
    if (known && known.until > performance.now()) return known.why;
    const why = await this.#judge(uri);
    if (this.#verdicts.size >= REMEMBERED) this.#verdicts.clear();
    this.#verdicts.set(uri, { why, until: performance.now() + FRESH_MS });
    return why;
  }

  /**
   * Whether an agent may learn what is in a file by reading it. That is about the project, not about
   * what the person looks at, so only secrets are kept back.
   */
  async tellsContentsOf(uri: Uri): Promise<boolean> {
    const why = await this.whyWithheld(uri);
    return why !== "denied-here" && why !== "denied-by-agent";
  }

  /** Whether an agent is told what is wrong with a file, which quotes what is in it. */
  async tellsProblemsOf(uri: Uri): Promise<boolean> {
    return (await this.whyWithheld(uri)) === null;
  }

  /** Whether a document has unsaved work: asked for the person's sake, so nothing keeps it back. */
  async hasUnsavedWork(uri: Uri, call: Call): Promise<boolean> {
    return (await this.#editor.abilities.text?.({ uri }, call))?.dirty ?? false;
  }

  #abilities(own: Abilities): Abilities {
    const { selection, tabs, text, diagnostics } = own;
    return {
      ...own,
      selection:
        selection &&
        (async (input, call) => {
          const current = await selection(input, call);
          if (!current) return null;
          if (await this.#admits(current.uri, call.agent)) {
            this.#lastShared.set(call.agent, current.uri);
            return current;
          }
          // Agents cannot be told "nothing", so they are told of no text in a file that they know.
          const uri = this.#lastShared.get(call.agent);
          return uri ? { uri, range: START, text: "" } : null;
        }),
      tabs:
        tabs &&
        (async (input, call) => {
          if (!this.sharing) return [];
          return this.#filter(await tabs(input, call), ({ uri }) => this.#admits(uri, call.agent));
        }),
      text:
        text &&
        (async (input, call) =>
          (await this.#admits(input.uri, call.agent)) ? text(input, call) : null),
      diagnostics:
        diagnostics &&
        (async (input, call) =>
          this.#filter(await diagnostics(input, call), ({ uri }) => this.tellsProblemsOf(uri))),
    };
  }

  async #admits(uri: Uri, agent: Agent): Promise<boolean> {
    const why = this.sharing ? await this.whyWithheld(uri) : "sharing-is-off";
    if (!why) return true;
    this.#tell({ kind: "withheld", agent, uri, why });
    return false;
  }

  /** Once, not with every move of the cursor. */
  #tell(event: Extract<AgentEvent, { kind: "withheld" }>): void {
    const what = `${event.why} ${event.uri}`;
    if (this.#lastWithheld.get(event.agent) === what) return;
    this.#lastWithheld.set(event.agent, what);
    try {
      this.#editor.abilities.activity?.(event);
    } catch (error) {
      this.#report(error);
    }
  }

  async #filter<T>(
    items: readonly T[],
    keeps: (item: T) => Promise<boolean>,
  ): Promise<readonly T[]> {
    const kept = await Promise.all(items.map(keeps));
    return items.filter((_, index) => kept[index]);
  }

  async #judge(uri: Uri): Promise<WithheldReason | null> {
    const path = filePath(uri);
    if (path === null) return null;
    const [byName, found] = await Promise.all([
      this.#judgePath(path),
      this.#files.look(path).catch(() => null),
    ]);
    const target = found?.realPath ?? path;
    return byName ?? (target === path ? null : this.#judgePath(target));
  }

  /** The workspace may be a part of its repository, whose rules hold all the same. */
  async #isGitIgnored(path: string, folder: string): Promise<boolean> {
    const found = this.#repositories.get(folder) ?? repositoryOf(folder, this.#files);
    this.#repositories.set(folder, found);
    return isGitIgnored(path, await found, this.#files);
  }

  #denies(path: string, folder: string): boolean {
    const rules = this.#denied.get(folder) ?? new PathRules(folder, this.#deny);
    this.#denied.set(folder, rules);
    return rules.match(path) === "matched";
  }

  async #judgePath(path: string): Promise<WithheldReason | null> {
    const folders = folderPaths(this.#editor.folders);
    if (["/", ...folders].some((folder) => this.#denies(path, folder))) return "denied-here";
    const home = folders.find((folder) => isWithin(path, folder));
    const [rules, ignored] = await Promise.all([
      Promise.all(folders.map((folder) => agentRules(folder, this.#everywhere, this.#files))),
      home !== undefined && !this.#shareGitIgnored && this.#isGitIgnored(path, home),
    ]);
    if (rules.flat().some((rule) => rule.match(path) === "matched")) return "denied-by-agent";
    return ignored ? "git-ignored" : null;
  }
}

/** ".kube/config" is meant wherever it is; in a .gitignore a slash in the middle would say: only here. */
function anywhere(pattern: string): string {
  const [, not = "", path = ""] = /^(!?)(.*)$/s.exec(pattern) ?? [];
  const isMeantHere = path.startsWith("/") || path.startsWith("#");
  return isMeantHere || !path.slice(0, -1).includes("/") ? pattern : `${not}**/${path}`;
}
