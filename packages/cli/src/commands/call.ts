import { parseArgs } from "node:util";
import {
  chooseIde,
  connect,
  findIdes,
  type ToolDescription,
  type ToolReplyContent,
} from "@lockstep/client";
import { printable } from "@lockstep/protocol";
import { type Command, EXIT, UsageError } from "../command.js";
import { COMMON_HELP, COMMON_OPTIONS, noteIdes, openLog } from "../common-options.js";
import { jsonText } from "../json-text.js";
import { portNumber } from "../port-number.js";
import { Progress } from "../progress.js";
import { table } from "../terminal-text.js";

const help = `lockstep call [<tool> [json]] [--ide PORT] [--json]

Calls a tool of a running editor, as an agent would, and prints its answer; without
a tool, lists those that the editor offers. The editor is the one on PORT; else the
one that this terminal belongs to; else the one with the closest folder around the
current one.

  --ide PORT          the editor to call, one of lockstep ls
${COMMON_HELP}

Examples:
  lockstep call
  lockstep call getOpenEditors
  lockstep call openFile '{"filePath":"README.md"}'`;

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { ...COMMON_OPTIONS, ide: { type: "string" } },
  });
  const [tool, json = "{}", ...rest] = positionals;
  if (rest.length > 0) throw new UsageError("call takes a tool and its arguments");
  const input = toolArguments(json);
  using log = openLog(values);
  const ides = await findIdes({ configDir: values["config-dir"] });
  noteIdes(log, ides);
  const ide = chooseIde(ides, { port: portNumber(values.ide) });
  log.note("connecting", `${ide.name} on port ${ide.port}`);
  using progress = new Progress(values.quiet);
  progress.say(`Asking ${ide.name} on port ${ide.port}…`);
  const connection = await connect(ide, {
    onMessage: (direction, text) => log.note(direction, text),
  });
  try {
    if (tool === undefined) {
      const tools = await connection.listTools();
      progress.end();
      console.log(toolList(tools, values.json));
      return EXIT.ok;
    }
    const result = await connection.call(tool, input);
    progress.end();
    const out = result.isError ? process.stderr : process.stdout;
    const text = result.content.map(shown).join("\n");
    // In a file or a pipe it is the answer as it came; a terminal must not be steered by it.
    const safe = out.isTTY ? text.split("\n").map(harmless).join("\n") : text;
    out.write(`${values.json ? jsonText(result, 2) : safe}\n`);
    return result.isError ? EXIT.failed : EXIT.ok;
  } finally {
    await connection.close();
  }
}

/** A tab is no harm. */
const harmless = (line: string): string => line.split("\t").map(printable).join("\t");

function toolList(tools: readonly ToolDescription[], json: boolean): string {
  if (json) return jsonText(tools, 2);
  const rows = tools.map(({ name, description = "" }) => [name, description.split("\n")[0] ?? ""]);
  return table(["TOOL", "WHAT IT DOES"], rows);
}

function toolArguments(json: string): object {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below, in the same words as for a value that is no object.
  }
  throw new UsageError(`The arguments must be a JSON object such as '{"filePath":"a.ts"}'`);
}

function shown(item: ToolReplyContent): string {
  switch (item.type) {
    case "text":
      return item.text;
    case "image":
      return `[${item.mimeType}, ${item.data.length} characters of base64]`;
    default:
      return JSON.stringify(item);
  }
}

export const command: Command = { help, run };
