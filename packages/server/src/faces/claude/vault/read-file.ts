import { fileUri } from "@lockstep/protocol";
import { type VaultAnswer, VaultFailure } from "./vault-method.js";
import { isInVault, vaultPath } from "./vault-path.js";

export const readFile: VaultAnswer<"readFile"> = async ({ path: given }, { session }) => {
  const path = vaultPath(given, session);
  const found = await session.files.look(path);
  if (!found?.isFile) throw new VaultFailure("File not found");
  if (!(await isInVault(found.realPath, session)))
    throw new VaultFailure("File is outside of the workspace");
  if (!(await session.gate.tellsContentsOf(fileUri(path))))
    throw new VaultFailure("File is withheld from agents");
  return session.files.read(found.realPath);
};
