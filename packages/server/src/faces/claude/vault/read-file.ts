import { fileUri } from "@lockstep/protocol";
import * as z from "zod/mini";
import { defineVaultMethod, VaultFailure } from "./vault-method.js";
import { isInVault, vaultPath } from "./vault-path.js";

export const readFile = defineVaultMethod({
  name: "readFile",
  task: "read file",
  params: z.object({ path: z.string() }),
  async answer({ path: given }, { session }) {
    const path = vaultPath(given, session);
    const found = await session.files.look(path);
    if (!found?.isFile) throw new VaultFailure("File not found");
    if (!(await isInVault(found.realPath, session)))
      throw new VaultFailure("File is outside of the workspace");
    if (!(await session.gate.tellsProblemsOf(fileUri(path))))
      throw new VaultFailure("File is withheld from agents");
    return session.files.read(found.realPath);
  },
});
