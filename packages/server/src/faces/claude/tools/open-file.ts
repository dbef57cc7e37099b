import { positionAt, type Range } from "@lockstep/editor";
import {
  fileUri,
  jsonResult,
  openFile,
  type ToolInput,
  textResult,
  type Uri,
} from "@lockstep/protocol";
import { readText } from "../../../core/read-text.js";
import { ToolFailure } from "../../../errors.js";
import { type Dialect, defineTool, type ToolContext } from "../tool.js";
import { admittedFile } from "../workspace-path.js";

type Input = ToolInput<typeof openFile>;

export const openFileTool = defineTool({
  contract: openFile,
  available: ({ open }) => open !== undefined,
  async call(input, context) {
    const { session, incoming, dialect } = context;
    const path = await admittedFile(input.filePath, session, incoming).catch(inDialect(dialect));
    const uri = fileUri(path);
    // Whether a text is found would tell, guess by guess, what is in a file that is withheld.
    const searched = input.startText && (await session.gate.tellsContentsOf(uri));
    const found = searched ? find(await textOf(uri, path, context), input) : null;
    const { makeFrontmost: focus, preview } = input;
    await session.ask("open", { uri, range: found?.range, focus, preview }, incoming);
    if (dialect === "jetbrains") return textResult("OK");
    if (found) return textResult(found.message);
    if (focus) return textResult(`Opened file: ${path}`);
    return jsonResult({ success: true, ...(await details(uri, path, context)) });
  },
});

/** JetBrains has one sentence for every reason. */
function inDialect(dialect: Dialect): (error: unknown) => never {
  return (error) => {
    const general = dialect === "jetbrains" && error instanceof ToolFailure;
    throw general ? new ToolFailure("Project is closed or directory not found") : error;
  };
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
