import { ErrorCode, invalidParams, RpcError } from "@lockstep/protocol";
import * as z from "zod/mini";
import { reason } from "../../../errors.js";
import { getWorkspaceInfo } from "./get-workspace-info.js";
import { listFiles } from "./list-files.js";
import { getCurrentFile, getOpenFiles } from "./open-files.js";
import { readFile } from "./read-file.js";
import type { VaultContext, VaultMethod } from "./vault-method.js";
import { writeFile } from "./write-file.js";

const METHODS: ReadonlyMap<string, VaultMethod> = new Map(
  [readFile, writeFile, listFiles, getWorkspaceInfo, getOpenFiles, getCurrentFile].map((method) => [
    method.name,
    method,
  ]),
);

export function isVaultMethod(name: string): boolean {
  return METHODS.has(name);
}

/** Answers one of the vault's methods; every failure is "failed to …" under -32603. */
export async function answerVault(
  name: string,
  params: unknown,
  context: VaultContext,
): Promise<unknown> {
  const method = METHODS.get(name);
  if (!method) throw new RpcError(ErrorCode.methodNotFound, "Method not found");
  const parsed = z.safeParse(method.params, params ?? {});
  if (!parsed.success) throw invalidParams(z.prettifyError(parsed.error));
  try {
    return await method.answer(parsed.data, context);
  } catch (error) {
    if (error instanceof RpcError) throw error;
    throw new RpcError(ErrorCode.internal, `failed to ${method.task}: ${reason(error)}`);
  }
}
