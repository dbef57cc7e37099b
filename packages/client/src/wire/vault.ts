import {
  CurrentFile,
  FileNames,
  FileText,
  type RequestOptions,
  readBy,
  type Schema,
  type SchemaOutput,
  WorkspaceInfo,
} from "@lockstep/protocol";
import { notUnderstood } from "../errors.js";
import type { Line } from "./line.js";

export type { WorkspaceInfo };

/**
 * The methods that Obsidian's plugin documents, for editors that have them; others answer that
 * there is no such method. Paths are relative to the workspace.
 */
export interface Vault {
  readFile(path: string, options?: RequestOptions): Promise<string>;
  /** Most editors refuse it. */
  writeFile(path: string, content: string, options?: RequestOptions): Promise<void>;
  /** All, or those that a pattern such as `*.md` matches. */
  listFiles(pattern?: string, options?: RequestOptions): Promise<readonly string[]>;
  getWorkspaceInfo(options?: RequestOptions): Promise<WorkspaceInfo>;
  getOpenFiles(options?: RequestOptions): Promise<readonly string[]>;
  /** Null where no file is active. */
  getCurrentFile(options?: RequestOptions): Promise<string | null>;
}

export function vaultOver(line: Pick<Line, "request">): Vault {
  const ask = async <Shape extends Schema>(
    method: string,
    params: object,
    shape: Shape,
    options?: RequestOptions,
  ): Promise<SchemaOutput<Shape>> => {
    const reading = readBy(shape, await line.request(method, params, options));
    if (!reading.ok) throw notUnderstood(method);
    return reading.data;
  };
  return {
    readFile: (path, options) => ask("readFile", { path }, FileText, options),
    async writeFile(path, content, options) {
      await line.request("writeFile", { path, content }, options);
    },
    listFiles: (pattern, options) => ask("listFiles", { pattern }, FileNames, options),
    getWorkspaceInfo: (options) => ask("getWorkspaceInfo", {}, WorkspaceInfo, options),
    getOpenFiles: (options) => ask("getOpenFiles", {}, FileNames, options),
    getCurrentFile: (options) => ask("getCurrentFile", {}, CurrentFile, options),
  };
}
