import { ConnectionClosed, Peer } from "@lockstep/protocol";
import * as z from "zod/mini";
import { Changes } from "../changes.js";
import type { Abilities, Call, Change, Editor, Outcome } from "../port.js";
import type { Lines } from "./lines.js";
import { ChangeLine, Hello, QUESTIONS, type QuestionName } from "./schemas.js";

/**
 * An editor in another process, over JSON lines: the engine's side of {@link exposeEditor}.
 * Resolves when the editor has said hello; rejects if it goes away before that. `closed` resolves
 * when it has gone.
 */
export function remoteEditor(lines: Lines): Promise<Editor & { readonly closed: Promise<void> }> {
  return new Promise((resolve, reject) => {
    const changes = new Changes();
    let announced: Hello | undefined;
    let abilities: Abilities = {};
    let onClosed = () => {};
    const closed = new Promise<void>((done) => {
      onClosed = done;
    });

    const peer = new Peer({
      send: (line) => lines.write(line),
      onNotification: (method, params) => {
        if (method === "hello") hello(read(Hello, params, "hello"));
        if (method === "changed") changes.tell(read(ChangeLine, params, "changed") as Change);
      },
      onFault: (error) => process.emitWarning(error as Error),
    });

    const hello = (next: Hello) => {
      const before = announced;
      announced = next;
      if (!before || !sameNames(before.abilities, next.abilities)) {
        abilities = abilitiesOver(peer, next.abilities);
        if (before) changes.tell({ kind: "abilities" });
      }
      if (before && !sameNames(before.folders, next.folders)) changes.tell({ kind: "folders" });
      if (!before) {
        resolve({
          closed,
          get name() {
            return announced?.name ?? next.name;
          },
          get folders() {
            return announced?.folders ?? next.folders;
          },
          get abilities() {
            return abilities;
          },
          subscribe: (listener) => changes.subscribe(listener),
          async [Symbol.asyncDispose]() {
            peer.close();
          },
        });
      }
    };

    lines.read(
      (line) => peer.receive(line),
      () => {
        peer.close();
        reject(new ConnectionClosed("The editor went away before it said hello"));
        onClosed();
      },
    );
  });
}

function abilitiesOver(peer: Peer, names: readonly string[]): Abilities {
  const question = (name: QuestionName) => ({
    [name]: (input: unknown, call: Call) => ask(peer, name, input, call),
  });
  const asked = (Object.keys(QUESTIONS) as QuestionName[]).filter((name) => names.includes(name));
  const abilities: Abilities = Object.assign({}, ...asked.map(question));
  if (abilities.review) abilities.review = reviewOver(peer);
  if (names.includes("activity")) abilities.activity = (event) => peer.notify("activity", event);
  return abilities;
}

async function ask(
  peer: Peer,
  name: QuestionName,
  input: unknown,
  { agent, signal }: Call,
): Promise<unknown> {
  return read(QUESTIONS[name].output, await peer.request(name, { input, agent }, { signal }), name);
}

const reviewOver =
  (peer: Peer): NonNullable<Abilities["review"]> =>
  (proposal, call) => {
    // The request is ended by withdraw alone, which tells the editor why and brings back the draft.
    const withdrawn = new AbortController();
    const answer = ask(peer, "review", proposal, { ...call, signal: withdrawn.signal });
    const outcome = new Promise<Outcome>((resolve, reject) => {
      answer.then(
        (settled) => resolve(settled as Outcome),
        (error) => {
          if (!withdrawn.signal.aborted) reject(error);
        },
      );
    });
    let draft: Promise<string> | undefined;
    return {
      outcome,
      withdraw: (why) => {
        draft ??= peer
          .request("withdraw", { id: proposal.id, why })
          .then((text) => (typeof text === "string" ? text : proposal.text))
          .finally(() => withdrawn.abort());
        return draft;
      },
    };
  };

const sameNames = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, index) => name === b[index]);

function read<S extends z.ZodMiniType>(schema: S, value: unknown, name: string): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new TypeError(`The editor's "${name}" is not valid: ${z.prettifyError(parsed.error)}`);
}
