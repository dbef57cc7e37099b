/** A clause of docs/protocol.md, and how to see whether a subject keeps it. */
export interface Check<Subject> {
  readonly clause: string;
  /** The clause's heading. */
  readonly title: string;
  /** Resolves if the clause is kept; throws a {@link Fault} or {@link NotChecked}. */
  readonly check: (subject: Subject) => Promise<void>;
}

export type Verdict =
  | { readonly kind: "pass" }
  | { readonly kind: "fail"; readonly why: string }
  | { readonly kind: "skipped"; readonly why: string };

export interface Result {
  readonly clause: string;
  readonly title: string;
  readonly verdict: Verdict;
}

/** The subject breaks the clause. */
export class Fault extends Error {
  override readonly name = "Fault";
}

/** Nothing can be said of the clause here; the message says why. */
export class NotChecked extends Error {
  override readonly name = "NotChecked";
}

export function expect(condition: unknown, otherwise: string): asserts condition {
  if (!condition) throw new Fault(otherwise);
}

/** What was seen, short enough for a table. */
export function seen(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}

/** Any other error is a fault too: a subject that cannot be talked to keeps no clause. */
export async function judge(check: () => Promise<void>): Promise<Verdict> {
  try {
    await check();
    return { kind: "pass" };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { kind: error instanceof NotChecked ? "skipped" : "fail", why };
  }
}
