import { existsSync, writeFileSync } from "node:fs";
import type { BadServer, Json } from "../bad-server.js";
import { answering, having, telling } from "./change.js";
import { textsOf, withTexts } from "./texts.js";

/** What can be wrong with the tools' answers. */
export const ANSWERING: readonly BadServer[] = [
  {
    name: "requests that wait for the proposal before them",
    breaks: ["C24"],
    reply: (message, { proposing }) => (proposing && message.result ? null : message),
  },
  {
    name: "FILE_OPENED for a missing file",
    breaks: ["C26"],
    reply: answering("openFile", (message) => withTexts(message, "FILE_OPENED")),
  },
  {
    name: "null for the current selection's text",
    breaks: ["C29"],
    reply: telling("getCurrentSelection", having("text", null)),
  },
  { name: "no open tabs", breaks: ["C30"], reply: telling("getOpenEditors", having("tabs", [])) },
  {
    name: "no workspace folders",
    breaks: ["C31"],
    reply: telling("getWorkspaceFolders", having("folders", [])),
  },
  {
    name: "encoded URIs of diagnostics",
    breaks: ["C32"],
    reply: answering("getDiagnostics", (message) =>
      withTexts(message, textsOf(message)[0]?.replaceAll(" ü #", "%20%C3%BC%20%23") ?? ""),
    ),
  },
  {
    name: "an open document that it does not know",
    breaks: ["C33"],
    reply: telling("checkDocumentDirty", having("success", false)),
  },
  {
    name: "another word of close_tab",
    breaks: ["C34"],
    reply: answering("close_tab", (message) => withTexts(message, "Tab closed successfully")),
  },
  {
    name: "no open paths",
    breaks: ["C36"],
    reply: answering("get_all_opened_file_paths", (message) => withTexts(message, "")),
  },
  {
    name: "another word for a no",
    breaks: ["C38"],
    reply: (message, { tool, closing }) =>
      tool === "openDiff" && !closing && textsOf(message)[0] === "DIFF_REJECTED"
        ? withTexts(message, "REJECTED")
        : message,
  },
  {
    name: "a proposal that it writes itself",
    breaks: ["C39"],
    sees: ({ params }) => {
      const { name, arguments: args } = (params ?? {}) as { name?: string; arguments?: Json };
      const { new_file_path: path, new_file_contents: text } = args ?? {};
      if (name === "openDiff" && path) writeFileSync(String(path), String(text));
    },
  },
  {
    name: "no proposals for files that do not exist yet",
    breaks: ["C44"],
    sees: ({ id, params }, send) => {
      const { name, arguments: args } = (params ?? {}) as { name?: string; arguments?: Json };
      if (name !== "openDiff" || existsSync(String(args?.old_file_path))) return;
      send({ jsonrpc: "2.0", id, error: { code: -32000, message: "File not found" } });
    },
  },
  {
    name: "a file wrapped into an object",
    breaks: ["C63"],
    reply: (message) =>
      typeof message.result === "string"
        ? { ...message, result: { content: message.result } }
        : message,
  },
  {
    name: "files of the whole machine",
    breaks: ["C64"],
    sees: ({ id, params }, send) => {
      const { path = "" } = (params ?? {}) as { path?: string };
      if (path.includes("..")) send({ jsonrpc: "2.0", id, result: "the machine's name" });
    },
  },
];
