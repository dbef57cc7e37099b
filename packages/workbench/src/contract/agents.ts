import type { Uri } from "@lockstep/protocol";
import * as z from "zod/mini";
import { call } from "./call.js";
import { count, id, uri } from "./shapes.js";

export interface AgentInfo {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** Null while it is connected. The last few that left stay in the list. */
  readonly left: number | null;
  /** It says that this editor is too old for it. */
  readonly outdated: boolean;
}

/** What agents are told of the selection now, or why they are not. Cells of a notebook count from 0. */
export type Sight =
  | { readonly kind: "nothing" }
  | {
      readonly kind: "file";
      readonly uri: Uri;
      readonly label: string;
      readonly cell?: number;
    }
  | {
      readonly kind: "lines";
      readonly uri: Uri;
      readonly label: string;
      readonly first: number;
      readonly last: number;
      readonly cell?: number;
    }
  | { readonly kind: "withheld"; readonly label: string; readonly why: string };

/** Something that passed between an agent and this editor. */
export interface LogEntry {
  /** Counts up. */
  readonly number: number;
  readonly at: number;
  readonly kind: "sent" | "withheld" | "called" | "event";
  /** One line: "selection_changed src/a.ts, lines 3 to 7", "openDiff src/a.ts", "connected". */
  readonly title: string;
  /** The message as it went over the wire, shortened; "" for none. */
  readonly detail: string;
  /** Of a call: how it ended, and after how long. */
  readonly outcome?: "waiting" | "done" | "failed";
  readonly milliseconds?: number;
}

/** Another editor whose lock file matches a folder of ours: agents then connect to none by themselves. */
export interface Rival {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
}

export interface Question {
  readonly id: string;
  readonly agent: string;
  readonly title: string;
  readonly detail: string;
}

export const agentCalls = {
  /** Stays as it is set, over restarts too. */
  "sharing.set": call<void>()(z.object({ on: z.boolean() })),
  /** 0-based lines, both included; a file or folder without them. Answers how many agents heard it. */
  mention: call<{ readonly agents: number }>()(
    z.object({ uri, lines: z.optional(z.object({ first: count, last: count })) }),
  ),
  /** The newest last; `after` the number of the last that is known, 0 for all that is kept. */
  "agent.log": call<readonly LogEntry[]>()(z.object({ agent: id, after: count })),
  "question.answer": call<void>()(z.object({ id, yes: z.boolean() })),
};

export interface AgentEvents {
  /** There is more in this agent's log. */
  "agent.logged": { readonly agent: string };
}
