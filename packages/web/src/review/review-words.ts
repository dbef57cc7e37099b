import type { ProposalInfo, Tally } from "@lockstep/workbench/contract";

/** What a review is called and counted as, in words. */

const changes = (count: number): string => (count === 1 ? "1 change" : `${count} changes`);

export const totalOf = ({ pending, kept, dropped, edited, conflicts }: Tally): number =>
  pending + kept + dropped + edited + conflicts;

/** Those that accepting would send: what is undecided counts as kept. */
const sentOf = ({ pending, kept, edited }: Tally): number => pending + kept + edited;

export const decidedOf = ({ kept, dropped, edited }: Tally): number => kept + dropped + edited;

/** All is dropped: to send it is to say no. */
export const sendsNothing = ({ tally }: ProposalInfo): boolean =>
  tally !== null && totalOf(tally) > 0 && sentOf(tally) === 0 && tally.conflicts === 0;

/** What the button that accepts will do. */
export function acceptWords(info: ProposalInfo): string {
  const { kind, tally } = info;
  if (tally && tally.conflicts > 0) {
    return tally.conflicts === 1 ? "Decide the conflict" : `Decide ${tally.conflicts} conflicts`;
  }
  if (kind === "merge") return "Merge into the document";
  if (!tally) return "Accept";
  const total = totalOf(tally);
  const sent = sentOf(tally);
  if (total === 0) return "Accept";
  if (sendsNothing(info)) return "Reject: all dropped";
  if (sent < total) return `Send ${sent} of ${changes(total)}`;
  return total === 1 ? "Accept the change" : `Accept all ${total} changes`;
}

/** "now", "4 min", "2 h", "3 d". */
export function ageOf(since: number, now: number): string {
  const minutes = Math.floor((now - since) / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

/** Those that wait first, then the person's own merges, then what nobody waits for; the oldest first. */
export function inQueueOrder(proposals: readonly ProposalInfo[]): readonly ProposalInfo[] {
  const rank = { waiting: 0, merge: 1, orphaned: 2 };
  return [...proposals].sort((a, b) => rank[a.kind] - rank[b.kind] || a.since - b.since);
}
