import { isAbsolute, join } from "node:path";
import { positionAt, type Range } from "@lockstep/editor";
import {
  filePath,
  fileUri,
  isWithin,
  jsonResult,
  openFile,
  type ToolInput,
  textResult,
  type Uri,
} from "@lockstep/protocol";
import { readText } from "../../../core/read-text.js";
import { ToolFailure } from "../../../errors.js";
import { defineTool, type ToolContext } from "../tool.js";

type Input = ToolInput<typeof openFile>;

export const openFileTool = defineTool({
  contract: openFile,
  available: ({ open }) => open !== undefined,
  async call(input, context) {
    const path = await admittedPath(input.filePath, context);
    const uri = fileUri(path);
    const { session, incoming } = context;
    const found = input.startText ? find(await textOf(uri, path, context), input) : null;
    const { makeFrontmost: focus, preview } = input;
    await session.ask("open", { uri, range: found?.range, focus, preview }, incoming);
    if (found) return textResult(found.message);
    if (focus) return textResult(`Opened file: ${path}`);
    return jsonResult({ success: true, ...(await details(uri, path, context)) });
  },
});

/** The absolute path, once it is clear that the file exists and that the agent may see it. */
async function admittedPath(given: string, { session, incoming }: ToolContext): Promise<string> {
  if (given === "") throw new ToolFailure("File path is required");
  const folders = session.editor.folders.map(filePath).filter((path) => path !== null);
  const path = isAbsolute(given) ? given : join(folders[0] ?? "/", given);
  const found = await session.files.look(path);
  if (!found?.isFile) throw new ToolFailure(`File not found: ${path}`);
  if (folders.some((folder) => isWithin(found.realPath, folder))) return path;
  const title = `Open a file outside of the workspace?`;
  const detail = `${session.agent.name} wants to open ${found.realPath}`;
  const allowed =
    session.abilities.confirm && (await session.ask("confirm", { title, detail }, incoming));
  if (!allowed) throw new ToolFailure(`${path} is outside of the workspace, so it was not opened.`);
  return path;
}

/** What the person has in front of them, or else what is on the disk. */
async function textOf(uri: Uri, path: string, { session, incoming }: ToolContext): Promise<string> {
  const open = session.abilities.text ? await session.ask("text", { uri }, incoming) : null;
  return open?.text ?? (await readText(session.files, path)) ?? "";
}

interface Found {
  readonly range?: Range;
  readonly message: string;
}

/** Literal, case-sensitive, across lines. */
function find(text: string, { startText = "", endText, selectToEndOfLine }: Input): Found {
  const start = text.indexOf(startText);
  if (start === -1) return { message: `Opened file, but text "${startText}" not found` };
  const afterStart = start + startText.length;
  const select = (from: number, to: number): Range => ({
    start: positionAt(text, from),
    end: positionAt(text, to),
  });
  if (!endText) {
    return {
      range: select(start, afterStart),
      message: `Opened file and selected text "${startText}"`,
    };
  }
  const end = text.indexOf(endText, afterStart);
  if (end === -1) {
    const message = `Opened file and positioned at "${startText}" (end text "${endText}" not found)`;
    return { range: select(start, start), message };
  }
  const afterEnd = end + endText.length;
  const lineEnd = text.indexOf("\n", afterEnd);
  const to = selectToEndOfLine ? (lineEnd === -1 ? text.length : lineEnd) : afterEnd;
  const message = `Opened file and selected text from "${startText}" to "${endText}"`;
  return { range: select(start, to), message };
}

async function details(uri: Uri, path: string, { session, incoming }: ToolContext) {
  const tabs = session.abilities.tabs ? await session.ask("tabs", undefined, incoming) : [];
  const tab = tabs.find((entry) => entry.uri === uri);
  return {
    filePath: path,
    fileUrl: uri,
    message: `Opened file: ${path}`,
    languageId: tab?.languageId,
    lineCount: tab?.lineCount,
    isDirty: tab?.dirty ?? false,
    isUntitled: false,
    isClosed: false,
  };
}
