import * as z from "zod/mini";

/** The model reads the description, so it carries what the model has to know of the kernel. */
export const executeCode = {
  name: "executeCode",
  description: `Execute Python code in the Jupyter kernel for the current notebook file.

All code will be executed in the current Jupyter kernel and persists across calls unless the kernel is restarted.
Avoid declaring variables or modifying the state of the kernel unless the user explicitly asks for it.
Only available when working with Jupyter notebooks. Can return multiple content types including text output and images.`,
  input: z.object({ code: z.string().check(z.describe("The code to be executed on the kernel.")) }),
} as const;
