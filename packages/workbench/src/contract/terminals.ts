import * as z from "zod/mini";
import { call } from "./call.js";
import { id, nothing } from "./shapes.js";

export interface TerminalInfo {
  readonly id: string;
  readonly title: string;
  readonly kind: "shell" | "claude";
  /** Null while it runs. */
  readonly exitCode: number | null;
  /** The agent that runs in it, once it has connected. */
  readonly agent: string | null;
}

const size = z.int().check(z.minimum(1), z.maximum(1_000));

export const terminalCalls = {
  "terminal.open": call<{ readonly id: string }>()(
    z.object({ kind: z.enum(["shell", "claude"]), columns: size, rows: size }),
  ),
  /** From now on this window hears `terminal.data`; the answer is what was printed until now. */
  "terminal.attach": call<{ readonly printed: string }>()(z.object({ id })),
  /** This window does not show it any more. */
  "terminal.detach": call<void>()(z.object({ id })),
  "terminal.write": call<void>()(
    z.object({ id, data: z.string().check(z.maxLength(1024 * 1024)) }),
  ),
  "terminal.resize": call<void>()(z.object({ id, columns: size, rows: size })),
  /** This window has shown so many characters; a flood waits for it. */
  "terminal.shown": call<void>()(z.object({ id, characters: z.int() })),
  "terminal.close": call<void>()(z.object({ id })),
  /** What can be started here. */
  "terminal.programs": call<{ readonly claude: boolean }>()(nothing),
};

export interface TerminalEvents {
  "terminal.data": { readonly id: string; readonly data: string };
  /** This window has shown nothing for too long and hears no more: it has to attach again. */
  "terminal.behind": { readonly id: string };
}
