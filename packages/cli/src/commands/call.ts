import { parseArgs } from "node:util";
import { chooseIde, connect, findIdes, type ToolReplyContent } from "@lockstep/client";
import { type Command, EXIT, UsageError } from "../command.js";
import { portNumber } from "../port-number.js";

const help = `lockstep call <tool> [json] [--ide PORT] [--config-dir DIR]

Calls a tool of a running editor, as an agent would, and prints its answer. The
editor is the one on PORT; else the one that this terminal belongs to; else the
one with the closest folder around the current one.

  --ide PORT          the editor to call, one of lockstep ls
  --config-dir DIR    look in DIR/ide too

Examples:
  lockstep call getOpenEditors
  lockstep call openFile '{"filePath":"README.md"}'`;

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { ide: { type: "string" }, "config-dir": { type: "string" } },
  });
  const [tool, json = "{}", ...rest] = positionals;
  if (tool === undefined || rest.length > 0)
    throw new UsageError("call takes a tool and its arguments");
  const input = toolArguments(json);
  const ides = await findIdes({ configDir: values["config-dir"] });
  const ide = chooseIde(ides, { port: portNumber(values.ide) });
  const connection = await connect(ide);
  try {
    const result = await connection.call(tool, input);
    const out = result.isError ? process.stderr : process.stdout;
    out.write(`${result.content.map(shown).join("\n")}\n`);
    return result.isError ? EXIT.failed : EXIT.ok;
  } finally {
    await connection.close();
  }
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
