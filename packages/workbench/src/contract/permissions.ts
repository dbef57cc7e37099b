import * as z from "zod/mini";
import { call } from "./call.js";
import { id } from "./shapes.js";

/** Something that the person has allowed in this workspace, until it is taken back. */
export interface Permission {
  readonly id: string;
  /** What is allowed, such as "Claude Code may run code in notebooks". */
  readonly title: string;
  readonly detail: string;
  /** The name of the agent that it is for; left out if it is for nobody in particular. */
  readonly agent?: string | undefined;
  /** Milliseconds since 1970. */
  readonly since: number;
}

export const permissionCalls = {
  /** From now on it is asked again. */
  "permission.revoke": call<void>()(z.object({ id })),
};
