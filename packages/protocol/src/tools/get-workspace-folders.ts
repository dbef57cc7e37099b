import * as z from "zod/mini";
import { holdsPath, holdsUri } from "../path-fields.js";

export const getWorkspaceFolders = {
  name: "getWorkspaceFolders",
  description: "Get all workspace folders currently open in the IDE",
  input: z.object({}),
} as const;

export const WorkspaceFoldersReply = z.object({
  folders: z.array(
    z.object({
      name: z.nullish(z.string()),
      uri: z.nullish(holdsUri(z.string())),
      path: holdsPath(z.string()),
    }),
  ),
  rootPath: z.nullish(holdsPath(z.string())),
});
