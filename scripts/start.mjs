/** `npm start`: the editor of this checkout, on the folder that npm was called in. */
import { build, install } from "./checkout.mjs";

install();
build();
process.chdir(process.env.INIT_CWD ?? ".");
process.argv.splice(2, 0, "open");
await import("../packages/cli/dist/main.js");
