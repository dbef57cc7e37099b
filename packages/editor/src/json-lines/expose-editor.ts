import { ErrorCode, invalidParams, methodNotFound, Peer, RpcError } from "@lockstep/protocol";
import * as z from "zod/mini";
import { ownAbilities } from "../own-abilities.js";
import type { Abilities, Call, Change, Editor, Review } from "../port.js";
import type { Lines } from "./lines.js";
import { reportFault } from "./report-fault.js";
import { Activity, Asked, type Hello, QUESTIONS, type QuestionName, Withdraw } from "./schemas.js";

export interface ExposeOptions {
  /**
   * The process that the person knows as the editor: agents take the editor for gone when it has
   * ended. This process, unless a plugin host runs apart from its editor.
   */
  readonly pid?: number;
}

/**
 * The editor's side of the port as JSON lines: JSON-RPC 2.0, one message a line. The editor opens
 * with `hello` and repeats it when its folders or abilities change; changes are notifications, and
 * each ability is a request of its name. An ability that fails is answered with its reason. Resolves
 * when the other side has gone.
 *
 * @example
 * await exposeEditor(editor, linesOver(process.stdin, process.stdout));
 */
export function exposeEditor(
  editor: Editor,
  lines: Lines,
  { pid = process.pid }: ExposeOptions = {},
): Promise<void> {
  const reviews = new Map<string, Review>();
  const peer = new Peer({
    send: (line) => lines.write(line),
    onRequest: async (method, params, { signal }) => {
      try {
        if (method === "withdraw") return await withdraw(reviews, params);
        if (!isQuestion(method)) throw methodNotFound();
        const { agent, input } = check(Asked, params);
        return await answer(editor.abilities, method, input, { agent, signal }, reviews);
      } catch (error) {
        throw withReason(error);
      }
    },
    onNotification: (method, params) => {
      if (method === "activity") editor.abilities.activity?.(check(Activity, params));
    },
    onFault: reportFault,
  });
  const hello = () => {
    const { name, folders } = editor;
    const abilities = Object.keys(ownAbilities(editor.abilities));
    peer.notify("hello", { name, folders: [...folders], abilities, pid } satisfies Hello);
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
        for (const review of reviews.values()) void abandon(review);
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

/** Nobody is left to hear that it failed. */
async function abandon(review: Review): Promise<void> {
  try {
    await review.withdraw("disconnected");
  } catch (error) {
    reportFault(error);
  }
}

/** The peer tells only an {@link RpcError} as it is; of any other error the reason would be lost. */
function withReason(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new RpcError(ErrorCode.internal, reason || "The editor failed and gave no reason");
}

function check<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidParams(z.prettifyError(parsed.error));
}
