import { baseName } from "@lockstep/protocol";
import { filesBelow } from "./list-files.js";
import type { VaultAnswer } from "./vault-method.js";
import { vaultRoot } from "./vault-path.js";

export const getWorkspaceInfo: VaultAnswer<"getWorkspaceInfo"> = async (
  _params,
  { session, options },
) => {
  const path = vaultRoot(session);
  let fileCount = 0;
  for await (const _file of filesBelow(path, session.files)) fileCount++;
  return { name: baseName(path), path, fileCount, type: options.workspaceType ?? "workspace" };
};
