import { fileUri } from "@lockstep/protocol";
import { Kernels } from "../../src/kernels/kernels.js";
import type { Permissions } from "../../src/permissions/permissions.js";

/** A kernel in a process of its own, to be killed: prints what its code prints, then waits. */
const [folder = "", code = ""] = process.argv.slice(2);
const kernels = new Kernels({
  folders: [folder],
  env: process.env,
  permissions: { onRevoke: () => {} } as unknown as Permissions,
  report: console.error,
  ask: async () => false,
});
process.once("SIGTERM", async () => {
  await kernels[Symbol.asyncDispose]();
  process.exit(0);
});
const { outputs } = await kernels.of(fileUri(`${folder}/a.ipynb`)).run({ code });
console.log(JSON.stringify(outputs));
setInterval(() => {}, 60_000);
