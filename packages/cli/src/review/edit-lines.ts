import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";

/** Lets the person change some lines in their own editor; null if it ended with a failure. */
export async function editLines(
  lines: readonly string[],
  fileName: string,
  env: NodeJS.ProcessEnv,
): Promise<readonly string[] | null> {
  const folder = await mkdtemp(join(tmpdir(), "lockstep-review-"));
  try {
    // The ending tells the editor the language.
    const path = join(folder, `hunk${extname(fileName)}`);
    await writeFile(path, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 });
    const editor = env.VISUAL || env.EDITOR || "vi";
    // As git does: the variable may hold arguments.
    const child = spawn("sh", ["-c", `${editor} "$1"`, editor, path], { stdio: "inherit", env });
    const [code] = await once(child, "close");
    if (code !== 0) return null;
    const text = (await readFile(path, "utf8")).replaceAll("\r\n", "\n");
    return text === "" ? [] : text.replace(/\n$/, "").split("\n");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
