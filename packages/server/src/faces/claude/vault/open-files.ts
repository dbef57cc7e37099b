import { relative } from "node:path";
import { filePath, type Uri } from "@lockstep/protocol";
import type { Session } from "../../../core/session.js";
import type { VaultAnswer } from "./vault-method.js";
import { vaultRoot } from "./vault-path.js";

export const getOpenFiles: VaultAnswer<"getOpenFiles"> = async (_params, { session, scope }) => {
  const tabs = session.abilities.tabs ? await session.ask("tabs", undefined, scope) : [];
  return tabs.map(({ uri }) => vaultName(uri, session)).filter((name) => name !== null);
};

export const getCurrentFile: VaultAnswer<"getCurrentFile"> = async (
  _params,
  { session, scope },
) => {
  const selection = session.abilities.selection ? await session.selection(scope) : null;
  return selection ? vaultName(selection.uri, session) : null;
};

function vaultName(uri: Uri, session: Session): string | null {
  const path = filePath(uri);
  return path === null ? null : relative(vaultRoot(session), path);
}
