import { describe, expect, it } from "vitest";
import { LARGEST_COLOURED, languageFor } from "../src/editor/languages.js";

describe("the language of a text", () => {
  it.each(
    ["typescript", "typescriptreact", "javascript", "javascriptreact", "json", "jsonc"].concat(
      ["python", "rust", "go", "cpp", "c", "csharp", "java", "kotlin", "swift", "ruby", "php"],
      ["html", "css", "scss", "less", "markdown", "yaml", "toml", "xml", "sql", "shellscript"],
      ["dockerfile", "ini", "lua", "perl", "proto", "powershell", "diff", "cmake", "latex", "vue"],
    ),
  )("is known by the id %s", async (id) => {
    expect(await languageFor(id, 100)).not.toEqual([]);
  });

  it("is known by a file's name", async () => {
    expect(await languageFor("main.rs", 100)).not.toEqual([]);
  });

  it("is nothing where nobody knows it, and in very large texts", async () => {
    expect(await languageFor("plaintext", 100)).toEqual([]);
    expect(await languageFor("notes.unknown", 100)).toEqual([]);
    expect(await languageFor("typescript", LARGEST_COLOURED + 1)).toEqual([]);
  });
});
