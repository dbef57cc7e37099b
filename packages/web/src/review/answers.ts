import { createSignal } from "solid-js";
import { showToast } from "../design/index.js";
import { replica } from "../replica/state.js";

/** How a review that was on this window's screen ended. */
export interface Answer {
  readonly id: string;
  readonly label: string;
  readonly agent: string;
  readonly kind: "accepted" | "rejected" | "merged" | "dismissed";
  readonly reason?: string;
  /** Where the reason went. */
  readonly delivery?: "none" | "sent" | "typed" | "copy";
}

/** Few: one is read, then the next proposal is. */
const MOST = 20;

const [answers, setAnswers] = createSignal<readonly Answer[]>([]);

export const answerTo = (id: string): Answer | undefined =>
  answers().find((answer) => answer.id === id);

export function noteAnswer(answer: Answer): void {
  setAnswers((all) => [...all.filter(({ id }) => id !== answer.id), answer].slice(-MOST));
  const { reason, delivery } = answer;
  if (!reason || delivery === "sent" || delivery === "none") return;
  // The window may show the next proposal already: this must not be missed.
  const copy = { label: "Copy", run: () => void navigator.clipboard.writeText(reason) };
  showToast({
    text: wordsFor(answer),
    ...(delivery === "copy" ? { lasting: true, action: copy, over: () => hasLeft(answer) } : {}),
  });
}

const hasLeft = ({ agent }: Answer): boolean =>
  !Object.values(replica()?.agents ?? {}).some(({ name, left }) => name === agent && left === null);

/** What has become of it, as a sentence. */
export function wordsFor({ agent, kind, delivery }: Answer): string {
  if (kind === "accepted") return `${agent} has the text and writes the file.`;
  if (kind === "merged") return "The result is in the document, unsaved.";
  if (kind === "dismissed") return "It is off the queue.";
  if (delivery === "sent") return `${agent} was told your reason.`;
  if (delivery === "typed") {
    return `Your reason is typed at ${agent}'s prompt in the terminal: press Enter there to send it.`;
  }
  if (delivery === "copy") {
    return `${agent} does not read reasons from here: copy yours, and paste it at the agent's prompt.`;
  }
  return `${agent} was told no, without a reason.`;
}
