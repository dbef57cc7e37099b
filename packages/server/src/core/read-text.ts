import { toLf } from "@lockstep/editor";
import { fileUnreadable } from "../errors.js";
import type { Files } from "./files.js";

/** The text of a file in LF; null if there is none. Fails with a sentence for the agent. */
export async function readText(files: Files, path: string): Promise<string | null> {
  try {
    const text = await files.read(path);
    return text === null ? null : toLf(text);
  } catch (error) {
    throw fileUnreadable(error);
  }
}
