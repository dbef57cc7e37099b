import {
  ErrorCode,
  invalidParams,
  RpcError,
  readBy,
  type VaultMethodName,
  vaultMethods,
} from "@lockstep/protocol";
import { reason } from "../../../errors.js";
import { getWorkspaceInfo } from "./get-workspace-info.js";
import { listFiles } from "./list-files.js";
import { getCurrentFile, getOpenFiles } from "./open-files.js";
import { readFile } from "./read-file.js";
import type { VaultAnswer, VaultContext } from "./vault-method.js";
import { writeFile } from "./write-file.js";

const ANSWERS: { readonly [Name in VaultMethodName]: VaultAnswer<Name> } = {
  readFile,
  writeFile,
  listFiles,
  getWorkspaceInfo,
  getOpenFiles,
  getCurrentFile,
};

export function isVaultMethod(name: string): name is VaultMethodName {
  return Object.hasOwn(vaultMethods, name);
}

/** Answers one of the vault's methods; every failure is "failed to …" under -32603. */
export async function answerVault(
  name: VaultMethodName,
  params: unknown,
  context: VaultContext,
): Promise<unknown> {
  const method = vaultMethods[name];
  const reading = readBy(method.params, params ?? {});
  if (!reading.ok) throw invalidParams(reading.problem);
  try {
    const answer = ANSWERS[name] as (params: unknown, context: VaultContext) => Promise<unknown>;
    return await answer(reading.data, context);
  } catch (error) {
    if (error instanceof RpcError) throw error;
    throw new RpcError(ErrorCode.internal, `failed to ${method.task}: ${reason(error)}`);
  }
}
