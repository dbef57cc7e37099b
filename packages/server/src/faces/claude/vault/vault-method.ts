import type { VaultMethodName, VaultParams } from "@lockstep/protocol";
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

/** How one method is answered, its params having been read. */
export type VaultAnswer<Name extends VaultMethodName> = (
  params: VaultParams<Name>,
  context: VaultContext,
) => Promise<unknown>;

/** Why it failed, in the words that follow "failed to read file: ". */
export class VaultFailure extends Error {
  override readonly name = "VaultFailure";
}
