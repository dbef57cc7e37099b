import { describe, expect, it } from "vitest";
import {
  AtMentionedParams,
  checkDocumentDirty,
  closeTab,
  DiagnosticsChangedParams,
  DiagnosticsReply,
  DocumentDirtyReply,
  getDiagnostics,
  LockFile,
  mapPaths,
  OpenEditorsReply,
  OpenFileReply,
  openDiff,
  openFile,
  openFiles,
  type PathField,
  reformatFile,
  SaveDocumentReply,
  SelectionReply,
  saveDocument,
  WorkspaceFoldersReply,
} from "./index.js";

/** Moves everything below /here to /there, URIs too. */
const move = (text: string, field: PathField) =>
  field === "uri"
    ? text.replace("file:///here", "file:///there")
    : text.replace(/^\/here/, "/there");

const moved = (schema: Parameters<typeof mapPaths>[0], value: unknown) =>
  mapPaths(schema, value, move);

describe("every field that holds a path is marked", () => {
  it("in what tools take", () => {
    expect(
      moved(openDiff.input, {
        old_file_path: "/here/a",
        new_file_path: "/here/a",
        new_file_contents: "/here/text",
        tab_name: "/here/a",
      }),
    ).toEqual({
      old_file_path: "/there/a",
      new_file_path: "/there/a",
      new_file_contents: "/here/text",
      tab_name: "/here/a",
    });
    for (const { input } of [openFile, checkDocumentDirty, saveDocument]) {
      expect(moved(input, { filePath: "/here/a" })).toEqual({ filePath: "/there/a" });
    }
    expect(moved(reformatFile.input, { file_path: "/here/a" })).toEqual({ file_path: "/there/a" });
    expect(moved(openFiles.input, { file_paths: ["/here/a", "/x"] })).toEqual({
      file_paths: ["/there/a", "/x"],
    });
    expect(moved(closeTab.input, { tab_name: "✻ a.ts" })).toEqual({ tab_name: "✻ a.ts" });
    expect(moved(getDiagnostics.input, { uri: "file:///here/a" })).toEqual({
      uri: "file:///there/a",
    });
    expect(moved(getDiagnostics.input, { uri: null })).toEqual({ uri: null });
  });

  it("in what editors tell", () => {
    const position = { line: 0, character: 0 };
    const selection = { start: position, end: position, isEmpty: true };
    expect(
      moved(SelectionReply, {
        text: "/here",
        filePath: "/here/a",
        fileUrl: "file:///here/a",
        selection,
      }),
    ).toEqual({ text: "/here", filePath: "/there/a", fileUrl: "file:///there/a", selection });
    expect(moved(AtMentionedParams, { filePath: "/here/a", lineStart: 1 })).toEqual({
      filePath: "/there/a",
      lineStart: 1,
    });
    expect(
      moved(DiagnosticsChangedParams, { uris: ["file:///here/a"], uri: "file:///here/a" }),
    ).toEqual({
      uris: ["file:///there/a"],
      uri: "file:///there/a",
    });
    expect(moved(DiagnosticsReply, [{ uri: "file:///here/a", diagnostics: [] }])).toEqual([
      { uri: "file:///there/a", diagnostics: [] },
    ]);
    const tab = { uri: "file:///here/a", fileName: "/here/a", label: "/here" };
    expect(moved(OpenEditorsReply, { tabs: [tab] })).toEqual({
      tabs: [{ uri: "file:///there/a", fileName: "/there/a", label: "/here" }],
    });
    const folder = { name: "here", uri: "file:///here", path: "/here" };
    expect(moved(WorkspaceFoldersReply, { folders: [folder], rootPath: "/here" })).toEqual({
      folders: [{ name: "here", uri: "file:///there", path: "/there" }],
      rootPath: "/there",
    });
    for (const reply of [OpenFileReply, DocumentDirtyReply, SaveDocumentReply]) {
      expect(moved(reply, { filePath: "/here/a" })).toEqual({ filePath: "/there/a" });
    }
    expect(moved(LockFile, { workspaceFolders: ["/here"], authToken: "/here" })).toEqual({
      workspaceFolders: ["/there"],
      authToken: "/here",
    });
  });

  it("and nothing else is touched, known or not", () => {
    const strange = { filePath: 7, extra: { filePath: "/here" } };
    expect(moved(openFile.input, strange)).toEqual(strange);
    for (const value of [null, 7, "x", []]) expect(moved(openFile.input, value)).toEqual(value);
  });
});
