import * as z from "zod/mini";

export const closeAllDiffTabs = {
  name: "closeAllDiffTabs",
  description: "Close all diff tabs in the editor",
  input: z.object({}),
} as const;
