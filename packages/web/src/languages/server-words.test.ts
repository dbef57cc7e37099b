import type { LanguageServerInfo } from "@lockstep/workbench/contract";
import { describe, expect, it } from "vitest";
import { serversLabel } from "./server-words.js";

const server = (
  name: string,
  status: LanguageServerInfo["status"],
  detail = "",
): LanguageServerInfo => ({ id: name, name, status, detail, progress: null });

describe("the status bar says of language servers", () => {
  it.each([
    ["nothing where there is none", [], ""],
    ["the name of the only one", [server("TypeScript", "ready")], "TypeScript"],
    ["how many there are", [server("JSON", "ready"), server("CSS", "ready")], "2 language servers"],
    [
      "what one does",
      [server("JSON", "ready"), server("Rust", "working", "Indexing 3/9")],
      "Indexing 3/9",
    ],
    [
      "what is wrong, before all else",
      [server("Rust", "working", "Indexing"), server("JSON", "failed", "It crashed.")],
      "JSON stopped",
    ],
    [
      "no word of one that is not installed where another works",
      [server("gopls", "missing"), server("JSON", "ready")],
      "JSON",
    ],
  ] as const)("%s", (_, servers, words) => {
    expect(serversLabel(servers)).toBe(words);
  });
});
