/**
 * `npm run bench`: the engine's servers side by side, then the page in a browser, and the budgets of
 * both. Options are those of bench/src/main.ts.
 */
import { build, install, run } from "./checkout.mjs";

install();
build("bench");
run(process.execPath, ["bench/dist/main.js", ...process.argv.slice(2)]);
