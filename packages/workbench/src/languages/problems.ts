import { isDeepStrictEqual } from "node:util";
import { parseUri, printable, type Uri } from "@lockstep/protocol";
import {
  type FileProblems,
  MOST_PROBLEM_FILES,
  type Problem,
  type ProblemCounts,
} from "../contract/languages.js";
import type { Surroundings } from "../surroundings.js";
import * as lsp from "./lsp.js";
import { workspacePath } from "./places.js";

/** Of one server and one file. */
const MOST_OF_A_FILE = 200;
/** Of one file, in the state that every window has. */
const MOST_SHOWN = 100;
/** Of one server. */
const MOST_FILES = 2_000;
const MOST_OF_A_SERVER = 20_000;
/** Characters of one message. */
const LONGEST_MESSAGE = 4_000;
const MOST_RELATED = 10;
/** News are gathered for this time, so that a server that publishes without a pause costs little. */
const GATHER_MS = 30;

/** One thing that a server has said of a file: as people read it, and as the server wants it back. */
export interface Finding {
  readonly problem: Problem;
  readonly raw: unknown;
}

interface Said {
  readonly findings: readonly Finding[];
  /** Of those that are not in `findings`, too. */
  readonly total: number;
  readonly counts: ProblemCounts;
}

const NONE: ProblemCounts = { errors: 0, warnings: 0, informations: 0 };
const NOTHING: Said = { findings: [], total: 0, counts: NONE };

/** What is wrong with the files, as the servers say: what pages show and agents are told. */
export class Problems {
  readonly #surroundings: Surroundings;
  readonly #tell: (uris: readonly Uri[]) => void;
  /** By file, then by who says so. */
  readonly #files = new Map<Uri, Map<string, Said>>();
  /** How many findings each has, and in how many files. */
  readonly #counts = new Map<string, { findings: number; files: number }>();
  readonly #news = new Set<Uri>();
  #timer: NodeJS.Timeout | null = null;

  constructor(surroundings: Surroundings, tell: (uris: readonly Uri[]) => void) {
    this.#surroundings = surroundings;
    this.#tell = tell;
  }

  /** All that `by` says of a file from now on. */
  set(by: string, uri: Uri, items: readonly unknown[], leaveOut: readonly unknown[] = []): void {
    const file = this.#files.get(uri) ?? new Map<string, Said>();
    const before = file.get(by) ?? NOTHING;
    const count = this.#counts.get(by) ?? { findings: 0, files: 0 };
    this.#counts.set(by, count);
    count.findings -= before.findings.length;
    if (before !== NOTHING) count.files--;
    const room = Math.min(MOST_OF_A_FILE, MOST_OF_A_SERVER - count.findings);
    const said = count.files < MOST_FILES ? this.#read(items, leaveOut, room) : NOTHING;
    if (said.total === 0) {
      file.delete(by);
    } else {
      file.set(by, said);
      count.findings += said.findings.length;
      count.files++;
    }
    if (file.size === 0) this.#files.delete(uri);
    else this.#files.set(uri, file);
    if (!isSame(before, said)) this.#changed(uri);
  }

  /** `by` says nothing any more, of one file or of any. */
  clear(by: string, uri?: Uri): void {
    for (const each of uri ? [uri] : [...this.#files.keys()]) {
      if (this.#files.get(each)?.has(by)) this.set(by, each, []);
    }
  }

  of(uri: Uri): readonly Finding[] {
    return [...(this.#files.get(uri)?.values() ?? [])].flatMap(({ findings }) => findings);
  }

  /** What one server has said of a file. */
  by(by: string, uri: Uri): readonly Finding[] {
    return this.#files.get(uri)?.get(by)?.findings ?? [];
  }

  /** Files with problems. */
  get uris(): readonly Uri[] {
    return [...this.#files.keys()];
  }

  /** Nobody is told any more. */
  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #read(items: readonly unknown[], leaveOut: readonly unknown[], room: number): Said {
    const findings: Finding[] = [];
    const counts = { ...NONE };
    let total = 0;
    for (const raw of items) {
      const { severity, code } = (raw ?? {}) as Partial<lsp.LspDiagnostic>;
      if (leaveOut.includes(code)) continue;
      // What is only counted is not read.
      if (findings.length < room) {
        const { data } = lsp.diagnostic.safeParse(raw);
        if (!data) continue;
        findings.push({ problem: this.#problem(data), raw });
      }
      total++;
      const counted = COUNTED[severityOf(severity)];
      if (counted) counts[counted]++;
    }
    return { findings, total, counts };
  }

  #problem(item: lsp.LspDiagnostic): Problem {
    const { range, message, source, code, codeDescription: page, tags = [] } = item;
    const related = (item.relatedInformation ?? []).slice(0, MOST_RELATED).flatMap((each) => {
      const uri = parseUri(each.location.uri);
      if (!uri) return [];
      const at = { uri, path: this.#pathOf(uri), range: each.location.range, text: "" };
      return [{ at, message: each.message.slice(0, LONGEST_MESSAGE) }];
    });
    const known = (tags ?? []).flatMap((tag) => TAGS[tag] ?? []);
    return {
      range,
      severity: severityOf(item.severity),
      message: message.slice(0, LONGEST_MESSAGE),
      ...(source ? { source: printable(source).slice(0, 100) } : {}),
      ...(code == null ? {} : { code: printable(String(code)).slice(0, 100) }),
      ...(page && /^https?:\/\//.test(page.href) ? { link: page.href.slice(0, 2_000) } : {}),
      ...(known.length > 0 ? { tags: known } : {}),
      ...(related.length > 0 ? { related } : {}),
    };
  }

  #changed(uri: Uri): void {
    this.#news.add(uri);
    this.#timer ??= setTimeout(() => this.#publish(), GATHER_MS);
  }

  #publish(): void {
    this.#timer = null;
    const { store } = this.#surroundings;
    const uris = [...this.#news];
    this.#news.clear();
    for (const uri of uris) {
      const shown = this.#shown(uri);
      const isNew = !Object.hasOwn(store.state.problems, uri);
      if (!shown) store.remove("problems", uri);
      else if (!isNew || Object.keys(store.state.problems).length < MOST_PROBLEM_FILES)
        store.put("problems", uri, shown);
    }
    this.#tell(uris);
  }

  #shown(uri: Uri): FileProblems | null {
    const said = [...(this.#files.get(uri)?.values() ?? [])];
    if (said.length === 0) return null;
    const all = said.flatMap(({ findings }) => findings.map(({ problem }) => problem));
    const total = said.reduce((count, each) => count + each.total, 0);
    // What matters most is not what is left out.
    const order = [...all].sort((a, b) => weight(a) - weight(b)).slice(0, MOST_SHOWN);
    const items = all.filter((problem) => order.includes(problem));
    const counts = said.map((each) => each.counts).reduce(sum);
    return { uri, path: this.#pathOf(uri), items, more: total - items.length, counts };
  }

  #pathOf(uri: Uri): string {
    return workspacePath(this.#surroundings.folders, uri);
  }
}

const SEVERITIES = ["error", "warning", "information", "hint"] as const;
const TAGS: Readonly<Record<number, "unnecessary" | "deprecated">> = {
  1: "unnecessary",
  2: "deprecated",
};

/** A server that does not say how bad it is means the worst. */
const severityOf = (severity: unknown): Problem["severity"] =>
  SEVERITIES[Number(severity ?? 1) - 1] ?? "error";

const COUNTED: Readonly<Record<Problem["severity"], keyof ProblemCounts | null>> = {
  error: "errors",
  warning: "warnings",
  information: "informations",
  hint: null,
};

const sum = (a: ProblemCounts, b: ProblemCounts): ProblemCounts => ({
  errors: a.errors + b.errors,
  warnings: a.warnings + b.warnings,
  informations: a.informations + b.informations,
});

const weight = ({ severity }: Problem): number => SEVERITIES.indexOf(severity);

const isSame = (a: Said, b: Said): boolean =>
  a.total === b.total &&
  isDeepStrictEqual(a.counts, b.counts) &&
  a.findings.length === b.findings.length &&
  a.findings.every(({ raw }, index) => isDeepStrictEqual(raw, b.findings[index]?.raw));
