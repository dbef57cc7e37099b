import { join } from "node:path";
import type { Files } from "../../../core/files.js";
import { PathRules } from "../../../gate/path-rules.js";
import type { VaultAnswer } from "./vault-method.js";
import { vaultRoot } from "./vault-path.js";

/** More than any vault holds; a larger tree is cut here rather than sent. */
const MOST = 100_000;

/** Relative to the workspace, without what git ignores; a pattern is one of .gitignore's. */
export const listFiles: VaultAnswer<"listFiles"> = async (params, { session }) => {
  const root = vaultRoot(session);
  const wanted = params?.pattern ? new PathRules(root, params.pattern) : null;
  const found: string[] = [];
  for await (const name of filesBelow(root, session.files)) {
    if (!wanted || wanted.match(join(root, name)) === "matched") found.push(name);
    if (found.length === MOST) break;
  }
  return found;
};

export async function* filesBelow(root: string, files: Files): AsyncGenerator<string> {
  yield* walk("", []);

  async function* walk(below: string, above: readonly PathRules[]): AsyncGenerator<string> {
    const folder = join(root, below);
    const text = await files.read(join(folder, ".gitignore")).catch(() => null);
    const rules = text === null ? above : [...above, new PathRules(folder, text)];
    const entries = await files.entries(folder).catch(() => []);
    for (const { name, isFolder } of entries) {
      const path = below === "" ? name : `${below}/${name}`;
      const probe = join(root, path) + (isFolder ? "/" : "");
      const verdict = rules.map((rule) => rule.match(probe)).findLast((one) => one !== "untouched");
      if (name === ".git" || verdict === "matched") continue;
      if (isFolder) yield* walk(path, rules);
      else yield path;
    }
  }
}
