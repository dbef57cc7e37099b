import { createSignal } from "solid-js";

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
}
