/** Something that the person who runs the server has to mend; the message says how. */
export class SetupError extends Error {
  override readonly name = "SetupError";

  constructor(
    readonly code:
      | "folder-not-private"
      | "folder-unusable"
      | "path-occupied"
      | "no-free-port"
      | "no-free-slot"
      | "beyond-loopback"
      | "tool-name-taken",
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Why a tool could not do its work, in a sentence that the agent reads. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
}

export const notYours = (path: string): SetupError =>
  new SetupError(
    "folder-not-private",
    `${path} is not a folder of yours: another user owns it, or it is a link. Move it away, or name another place with --config-dir.`,
  );

export const exposed = (path: string): SetupError =>
  new SetupError(
    "folder-not-private",
    `${path} can be changed by other users, so what is in it cannot be kept from them. Take that away from them (chmod o-w), or name another place with --config-dir.`,
  );

export const homeless = (): SetupError =>
  new SetupError("folder-unusable", "Your home folder is not known. Set HOME to its path.");

export const unusable = (path: string, cause: unknown): SetupError =>
  new SetupError(
    "folder-unusable",
    `${path} cannot be used (${reason(cause)}). Make it writable, or name another place with --config-dir.`,
    { cause },
  );

export const occupied = (path: string): SetupError =>
  new SetupError(
    "path-occupied",
    `${path} is not an ordinary file of yours, so it was left alone. Remove it and start again.`,
  );

export const noFreePort = (): SetupError =>
  new SetupError("no-free-port", "No port on 127.0.0.1 could be bound: too many are in use.");

export const noFreeSlot = (): SetupError =>
  new SetupError(
    "no-free-slot",
    "Too many editors serve this folder already. Stop one of them first: lockstep ls lists them.",
  );

export const beyondLoopback = (host: string): SetupError =>
  new SetupError(
    "beyond-loopback",
    `Lockstep does not listen on ${host}: whoever reaches the port from outside could read your files. To reach an editor from a container or another machine, use lockstep relay.`,
  );

export const toolNameTaken = (name: string): SetupError =>
  new SetupError("tool-name-taken", `There is a tool ${name} already. Give yours another name.`);

export const editorCannot = (what: string): ToolFailure =>
  new ToolFailure(`This editor cannot ${what}.`);

export const editorFailed = (what: string, cause: unknown): ToolFailure =>
  new ToolFailure(`The editor could not ${what}: ${reason(cause)}`, { cause });

export const editorTooSlow = (what: string, ms: number): ToolFailure =>
  new ToolFailure(`The editor did not ${what} within ${ms / 1000} s.`);

export const notAwaited = (): ToolFailure => new ToolFailure("The agent no longer waits for this.");

export const fileUnreadable = (cause: unknown): ToolFailure =>
  new ToolFailure(`The file cannot be read: ${reason(cause)}`, { cause });

export function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
