import type * as z from "zod/mini";
import type { Session } from "../../../core/session.js";

export interface VaultOptions {
  /** Whether `writeFile` writes. By default it does not. */
  readonly allowWrites?: boolean;
  /** What `getWorkspaceInfo` calls this kind of workspace, such as "obsidian-vault". */
  readonly workspaceType?: string;
}

export interface VaultContext {
  readonly session: Session;
  readonly options: VaultOptions;
  readonly scope: { readonly signal: AbortSignal };
}

/** A plain JSON-RPC method, as the Obsidian document defines them: no tool, no content array. */
export interface VaultMethod<Params extends z.core.$ZodType = z.core.$ZodType> {
  readonly name: string;
  /** For the error: "failed to read file: …". */
  readonly task: string;
  readonly params: Params;
  readonly answer: (params: z.output<Params>, context: VaultContext) => Promise<unknown>;
}

export function defineVaultMethod<Params extends z.core.$ZodType>(
  method: VaultMethod<Params>,
): VaultMethod {
  return method as unknown as VaultMethod;
}

/** Why it failed, in the words that follow "failed to read file: ". */
export class VaultFailure extends Error {
  override readonly name = "VaultFailure";
}
