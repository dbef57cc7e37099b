import { expect, it } from "vitest";
import { languageId } from "./language-id.js";

it("a file's language is told by its name or extension", () => {
  const languages = {
    "a.ts": "typescript",
    "A.TSX": "typescriptreact",
    "x.d.ts": "typescript",
    Dockerfile: "dockerfile",
    "CMakeLists.txt": "cmake",
    "notes.txt": "plaintext",
    ".gitignore": "ignore",
    noextension: "plaintext",
    constructor: "plaintext",
    "a.constructor": "plaintext",
    "": "plaintext",
  };
  for (const [name, id] of Object.entries(languages)) expect(languageId(name)).toBe(id);
});
