/**
 * `npm start`: the command of this checkout, in the folder that npm was called in. Without arguments it
 * opens the editor there.
 */
import { build, install } from "./checkout.mjs";

install();
build();
process.chdir(process.env.INIT_CWD ?? ".");
await import("../packages/cli/dist/main.js");
