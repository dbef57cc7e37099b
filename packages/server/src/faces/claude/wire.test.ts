import { fileUri } from "@lockstep/protocol";
import { describe, expect, it } from "vitest";
import { selectionChanged } from "./wire.js";

describe("a selection in a cell of a notebook", () => {
  const uri = fileUri("/home/ada/my notes/a.ipynb");
  const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 3 } };

  it("names the notebook's file, and the cell in the address, as VS Code does", () => {
    const cell = { index: 4, id: "b3f1" };
    expect(selectionChanged({ uri, range, text: "two", cell })).toEqual({
      text: "two",
      filePath: "/home/ada/my notes/a.ipynb",
      fileUrl: "vscode-notebook-cell:/home/ada/my%20notes/a.ipynb#b3f1",
      selection: { ...range, isEmpty: false },
    });
  });

  it("names a cell without an id by its place", () => {
    const { fileUrl } = selectionChanged({ uri, range, text: "two", cell: { index: 4, id: null } });
    expect(fileUrl).toBe("vscode-notebook-cell:/home/ada/my%20notes/a.ipynb#4");
  });
});
