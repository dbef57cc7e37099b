import { DiagnosticsReply, OpenEditorsReply, parseUri, TAB_CLOSED } from "@lockstep/protocol";
import { expect, Fault, NotChecked, seen } from "../../check.js";
import { isObject } from "../../message.js";
import { readToolAnswer } from "../wire-agent.js";
import type { IdeCheck } from "./ide-check.js";
import { openProbe, PROBE } from "./probe.js";

export const tools: readonly IdeCheck[] = [
  {
    clause: "C26",
    title: "openFile opens a file, and says so where it cannot",
    async check(ide) {
      const agent = await ide.connectFor("openFile");
      await openProbe(agent, await ide.file(PROBE.text));
      const missing = { filePath: await ide.path(), startText: "", endText: "" };
      const reply = await agent.answer(agent.startTool("openFile", missing), "openFile");
      const { failed, texts } = readToolAnswer(reply);
      expect(failed, `a missing file was answered with ${seen(texts)}`);
    },
  },
  {
    clause: "C29",
    title: "getCurrentSelection and getLatestSelection answer strings and numbers, never null",
    async check(ide) {
      const agent = await ide.connectFor("openFile", "getCurrentSelection");
      await openProbe(agent, await ide.file(PROBE.text));
      const offered = await agent.toolNames();
      const asked = ["getCurrentSelection", "getLatestSelection"];
      for (const tool of asked.filter((name) => offered.includes(name))) {
        const reply = data(await agent.callTool(tool), tool);
        expect(isObject(reply), `${tool} answered ${seen(reply)}`);
        if (reply.success === false) continue;
        expect(typeof reply.text === "string", `${tool}: text is ${seen(reply.text)}`);
        expect(typeof reply.filePath === "string", `${tool}: filePath is ${seen(reply.filePath)}`);
        expect(isObject(reply.selection), `${tool}: selection is ${seen(reply.selection)}`);
      }
    },
  },
  {
    clause: "C30",
    title: "getOpenEditors lists the open tabs",
    async check(ide) {
      const agent = await ide.connectFor("openFile", "getOpenEditors");
      const path = await ide.file(PROBE.text);
      await openProbe(agent, path);
      const reply = data(await agent.callTool("getOpenEditors"), "getOpenEditors");
      const tabs = OpenEditorsReply.safeParse(reply).data?.tabs;
      expect(tabs, `it answered ${seen(reply)}`);
      const listed = tabs.some(({ uri }) => parseUri(uri) === parseUri(`file://${path}`));
      expect(listed, `an open file is not among ${seen(tabs.map(({ uri }) => uri))}`);
    },
  },
  {
    clause: "C31",
    title: "getWorkspaceFolders lists the folders of the lock file",
    async check(ide) {
      const agent = await ide.connectFor("getWorkspaceFolders");
      const reply = data(await agent.callTool("getWorkspaceFolders"), "getWorkspaceFolders");
      const folders = isObject(reply) && Array.isArray(reply.folders) ? reply.folders : [];
      const paths = folders.map((folder) => (isObject(folder) ? folder.path : undefined));
      for (const folder of await ide.folders()) {
        const plain = folder.replace(/(?<=.)\/$/, "");
        expect(
          paths.includes(plain) || paths.includes(folder),
          `${folder} is not in ${seen(reply)}`,
        );
      }
    },
  },
  {
    clause: "C32",
    title: "getDiagnostics answers under the very URI that it was asked for",
    async check(ide) {
      const agent = await ide.connectFor("getDiagnostics");
      const path = await ide.file(PROBE.text, " ü #1.txt");
      if ((await agent.toolNames()).includes("openFile")) await openProbe(agent, path);
      const uri = `file://${path}`;
      for (const args of [{ uri }, { uri: undefined }]) {
        const reply = data(await agent.callTool("getDiagnostics", args), "getDiagnostics");
        const files = DiagnosticsReply.safeParse(reply).data;
        expect(files, `${seen(args)} was answered with ${seen(reply)}`);
        const other = args.uri && files.find((file) => file.uri !== uri);
        expect(!other, `asked for ${uri} it answered for ${seen(other)}`);
      }
    },
  },
  {
    clause: "C33",
    title: "checkDocumentDirty and saveDocument tell what they find of a document",
    async check(ide) {
      const agent = await ide.connectFor("openFile", "checkDocumentDirty");
      const path = await ide.file(PROBE.text);
      await openProbe(agent, path);
      const args = { filePath: path };
      const open = data(await agent.callTool("checkDocumentDirty", args), "checkDocumentDirty");
      const clean = isObject(open) && open.success === true && open.isDirty === false;
      expect(clean, `of an open, clean document it says ${seen(open)}`);
      if (!(await agent.toolNames()).includes("saveDocument")) return;
      const saved = data(await agent.callTool("saveDocument", args), "saveDocument");
      expect(isObject(saved) && "success" in saved, `saveDocument answered ${seen(saved)}`);
    },
  },
  {
    clause: "C34",
    title: "close_tab answers TAB_CLOSED, also when there is no such tab",
    async check(ide) {
      const agent = await ide.connectFor("close_tab");
      const args = { tab_name: "lockstep-verify: no such tab" };
      const reply = await agent.answer(agent.startTool("close_tab", args), "close_tab");
      const { texts, failed } = readToolAnswer(reply);
      if (failed && texts[0] === "Tab not found")
        throw new NotChecked("it speaks as JetBrains does");
      expect(texts[0] === TAB_CLOSED, `it answered ${seen(reply.result ?? reply.error)}`);
    },
  },
  {
    clause: "C36",
    title: "get_all_opened_file_paths answers a path on each line",
    async check(ide) {
      const agent = await ide.connectFor("openFile", "get_all_opened_file_paths");
      const path = await ide.file(PROBE.text);
      await openProbe(agent, path);
      const [text = ""] = await agent.callTool("get_all_opened_file_paths");
      expect(text.split("\n").includes(path), `an open file is not among ${seen(text)}`);
    },
  },
];

function data([text = ""]: readonly string[], tool: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Fault(`the first text of ${tool} is not JSON: ${seen(text)}`);
  }
}
