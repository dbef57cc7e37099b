import { baseName } from "@lockstep/protocol";
import * as z from "zod/mini";
import { filesBelow } from "./list-files.js";
import { defineVaultMethod } from "./vault-method.js";
import { vaultRoot } from "./vault-path.js";

export const getWorkspaceInfo = defineVaultMethod({
  name: "getWorkspaceInfo",
  task: "get workspace info",
  params: z.unknown(),
  async answer(_params, { session, options }) {
    const path = vaultRoot(session);
    let fileCount = 0;
    for await (const _file of filesBelow(path, session.files)) fileCount++;
    return { name: baseName(path), path, fileCount, type: options.workspaceType ?? "workspace" };
  },
});
