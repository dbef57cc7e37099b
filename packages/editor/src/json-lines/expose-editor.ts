import { invalidParams, methodNotFound, Peer } from "@lockstep/protocol";
import * as z from "zod/mini";
import type { Abilities, Call, Change, Editor, Review } from "../port.js";
import type { Lines } from "./lines.js";
import { Activity, Asked, type Hello, QUESTIONS, type QuestionName, Withdraw } from "./schemas.js";

/**
 * The editor's side of the port as JSON lines: JSON-RPC 2.0, one message a line. The editor opens
 * with `hello` and repeats it when its folders or abilities change; changes are notifications, and
 * each ability is a request of its name. Resolves when the other side has gone.
 *
 * @example
 * await exposeEditor(editor, linesOver(process.stdin, process.stdout));
 */
export function exposeEditor(editor: Editor, lines: Lines): Promise<void> {
  const reviews = new Map<string, Review>();
  const peer = new Peer({
    send: (line) => lines.write(line),
    onRequest: (method, params, { signal }) => {
      if (method === "withdraw") return withdraw(reviews, params);
      if (!isQuestion(method)) throw methodNotFound();
      const { agent, input } = check(Asked, params);
      return answer(editor.abilities, method, input, { agent, signal }, reviews);
    },
    onNotification: (method, params) => {
      if (method === "activity") editor.abilities.activity?.(check(Activity, params));
    },
  });
  const hello = () => {
    const { name, folders } = editor;
    const present = Object.entries(editor.abilities).filter(([, ability]) => ability !== undefined);
    const abilities = present.map(([key]) => key);
    peer.notify("hello", { name, folders: [...folders], abilities } satisfies Hello);
  };
  hello();
  const subscription = editor.subscribe((change: Change) => {
    if (change.kind === "folders" || change.kind === "abilities") hello();
    else peer.notify("changed", change);
  });
  return new Promise((resolve) => {
    lines.read(
      (line) => peer.receive(line),
      () => {
        subscription[Symbol.dispose]();
        peer.close();
        for (const review of reviews.values()) void review.withdraw("disconnected");
        resolve();
      },
    );
  });
}

const isQuestion = (method: string): method is QuestionName => Object.hasOwn(QUESTIONS, method);

function answer(
  abilities: Abilities,
  name: QuestionName,
  input: unknown,
  call: Call,
  reviews: Map<string, Review>,
): Promise<unknown> {
  const ability = abilities[name];
  if (!ability) throw methodNotFound();
  if (name === "review" && abilities.review) {
    const proposal = check(QUESTIONS.review.input, input);
    const review = abilities.review(proposal, call);
    reviews.set(proposal.id, review);
    return review.outcome.finally(() => reviews.delete(proposal.id));
  }
  const ask = ability as (input: unknown, call: Call) => Promise<unknown>;
  return ask(check(QUESTIONS[name].input, input), call);
}

async function withdraw(reviews: Map<string, Review>, params: unknown): Promise<string | null> {
  const { id, why } = check(Withdraw, params);
  const review = reviews.get(id);
  reviews.delete(id);
  return review ? await review.withdraw(why) : null;
}

function check<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidParams(z.prettifyError(parsed.error));
}
