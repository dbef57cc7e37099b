/** Why an IDE could not be used, or a tool of its; the message says what to do. */
export class IdeError extends Error {
  override readonly name = "IdeError";

  constructor(
    readonly code:
      | "none-found"
      | "unusable"
      | "refused"
      | "wrong-token"
      | "unreachable"
      | "not-ide"
      | "tool-failed"
      | "gave-up",
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The tool itself says that it failed, in its own words. */
export const toolFailed = (tool: string, message: string): IdeError =>
  new IdeError("tool-failed", message || `${tool} failed without a reason.`);

export const notUnderstood = (what: string): IdeError =>
  new IdeError("not-ide", `The answer to ${what} is not what the protocol defines.`);

export const refusedToken = (): IdeError =>
  new IdeError(
    "wrong-token",
    "The editor does not accept its own lock file's token. Restart the editor.",
  );
