import { ConnectionClosed, Peer } from "@lockstep/protocol";
import * as z from "zod/mini";
import { Changes } from "../changes.js";
import type { Abilities, Call, Change, Editor, Outcome } from "../port.js";
import type { Lines } from "./lines.js";
import { reportFault } from "./report-fault.js";
import { ChangeLine, Hello, QUESTIONS, type QuestionName } from "./schemas.js";

export interface RemoteEditor extends Editor {
  /** Resolves when the editor has gone, or has been disposed of. */
  readonly closed: Promise<void>;
  /** The editor's process, if it told. */
  readonly pid?: number | undefined;
}

/**
 * An editor in another process, over JSON lines: the engine's side of {@link exposeEditor}.
 * Resolves when the editor has said hello; rejects if its hello is not valid or if it goes away
 * before that. Disposing of it ends the conversation; the streams stay their owner's to close.
 */
export function remoteEditor(lines: Lines): Promise<RemoteEditor> {
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
        if (method === "hello") hello(params);
        if (method === "changed") changes.tell(read(ChangeLine, params, "changed") as Change);
      },
      onFault: reportFault,
    });

    const end = () => {
      peer.close();
      onClosed();
    };

    const hello = (params: unknown) => {
      try {
        greet(read(Hello, params, "hello"));
      } catch (error) {
        if (announced) throw error;
        // A plugin that says its first hello wrong does not try again: to wait would be forever.
        reject(error);
        end();
      }
    };

    const greet = (next: Hello) => {
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
          get pid() {
            return announced?.pid;
          },
          get abilities() {
            return abilities;
          },
          subscribe: (listener) => changes.subscribe(listener),
          [Symbol.asyncDispose]: async () => end(),
        });
      }
    };

    lines.read(
      (line) => peer.receive(line),
      () => {
        reject(new ConnectionClosed("The editor went away before it said hello"));
        end();
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
