import type { LanguageServerInfo } from "@lockstep/workbench/contract";

type Status = LanguageServerInfo["status"];

const WORDS: Readonly<Record<Status, string>> = {
  working: "working",
  ready: "ready",
  waiting: "starts again soon",
  failed: "stopped",
  missing: "not installed",
};
export const statusWords = (status: Status): string => WORDS[status];

/** From what the person must see to what goes without saying. */
const ORDER: readonly Status[] = ["failed", "waiting", "working", "missing", "ready"];

export function worstOf(servers: readonly LanguageServerInfo[]): LanguageServerInfo | null {
  const rank = ({ status }: LanguageServerInfo) => ORDER.indexOf(status);
  return [...servers].sort((a, b) => rank(a) - rank(b))[0] ?? null;
}

/** What the status bar says of all of them together. */
export function serversLabel(servers: readonly LanguageServerInfo[]): string {
  const worst = worstOf(servers);
  if (!worst) return "";
  if (worst.status === "failed" || worst.status === "waiting") {
    return `${worst.name} ${statusWords(worst.status)}`;
  }
  if (worst.status === "working") return worst.detail || `${worst.name} starts`;
  const ready = servers.filter(({ status }) => status === "ready");
  const [only, ...others] = ready.length > 0 ? ready : [worst];
  return others.length === 0 ? (only?.name ?? "") : `${ready.length} language servers`;
}
