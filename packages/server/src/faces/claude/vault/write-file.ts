import { dirname } from "node:path";
import { fileUri } from "@lockstep/protocol";
import { type VaultAnswer, VaultFailure } from "./vault-method.js";
import { isInVault, vaultPath } from "./vault-path.js";

/** Off unless the host allows it: everything else leaves writing to the agent and the person. */
export const writeFile: VaultAnswer<"writeFile"> = async (
  { path: given, content },
  { session, options, scope },
) => {
  if (!options.allowWrites) throw new VaultFailure("Writing is switched off in this editor");
  const path = vaultPath(given, session);
  const existing = await session.files.look(path);
  const folder = await session.files.look(dirname(path));
  if (!folder) throw new VaultFailure("Folder not found");
  if (existing && !existing.isFile) throw new VaultFailure("Not a file");
  const target = existing?.realPath ?? path;
  if (!(await isInVault(existing?.realPath ?? folder.realPath, session))) {
    throw new VaultFailure("File is outside of the workspace");
  }
  const uri = fileUri(path);
  if (!(await session.gate.tellsContentsOf(uri))) {
    throw new VaultFailure("File is withheld from agents");
  }
  const call = { agent: session.agent, signal: scope.signal };
  if (await session.gate.hasUnsavedWork(uri, call))
    throw new VaultFailure("The file has unsaved changes in the editor");
  await session.files.write(target, content);
  return { success: true };
};
