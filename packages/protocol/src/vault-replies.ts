import * as z from "zod/mini";
import { holdsPath } from "./path-fields.js";

export const FileText = z.string();
export const FileNames = z.array(holdsPath(z.string()));
export const CurrentFile = z.nullable(holdsPath(z.string()));

export const WorkspaceInfo = z.object({
  name: z.string(),
  path: holdsPath(z.string()),
  fileCount: z.number(),
  type: z.string(),
});
export type WorkspaceInfo = z.infer<typeof WorkspaceInfo>;
