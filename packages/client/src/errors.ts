/** Why an IDE could not be used; the message says what to do. */
export class IdeError extends Error {
  override readonly name = "IdeError";

  constructor(
    readonly code: "none-found" | "unusable" | "refused" | "unreachable" | "not-ide",
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
