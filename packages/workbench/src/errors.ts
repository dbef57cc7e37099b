/** Something that the person can do something about; its message is a sentence that says what. */
export class WorkbenchError extends Error {
  override readonly name = "WorkbenchError";
}
