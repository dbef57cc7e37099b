import * as z from "zod/mini";
import { holdsPath } from "./path-fields.js";

/**
 * The methods of the Obsidian document: plain JSON-RPC, no tools. Paths are relative to the
 * workspace; each `task` is what an error says has failed.
 */
export const vaultMethods = {
  readFile: {
    task: "read file",
    params: z.object({ path: holdsPath(z.string()) }),
  },
  writeFile: {
    task: "write file",
    params: z.object({ path: holdsPath(z.string()), content: z.string() }),
  },
  listFiles: {
    task: "list files",
    params: z.nullish(z.object({ pattern: z.nullish(z.string()) })),
  },
  getWorkspaceInfo: { task: "get workspace info", params: z.unknown() },
  getOpenFiles: { task: "get open files", params: z.unknown() },
  getCurrentFile: { task: "get current file", params: z.unknown() },
} as const;

export type VaultMethodName = keyof typeof vaultMethods;
export type VaultParams<Name extends VaultMethodName> = z.output<
  (typeof vaultMethods)[Name]["params"]
>;
