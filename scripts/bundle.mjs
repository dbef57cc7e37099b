/**
 * Makes the packages' JavaScript: one file for each entry of a package's exports, with what several
 * of its entries share beside them. A hundred small files would take longer to load than to run.
 */
import { readdirSync, readFileSync } from "node:fs";
import { build } from "esbuild";
import { root } from "./checkout.mjs";

/** Its part of zod goes into the file: the whole of it would cost every start some 50 ms. */
const SELF_CONTAINED = ["@lockstep/protocol"];

for (const name of readdirSync(`${root}packages`)) {
  const folder = `${root}packages/${name}/`;
  const manifest = JSON.parse(readFileSync(`${folder}package.json`, "utf8"));
  const inlined = SELF_CONTAINED.includes(manifest.name);
  await build({
    entryPoints: entriesOf(manifest).map((source) => folder + source),
    outbase: `${folder}src`,
    outdir: `${folder}dist`,
    bundle: true,
    splitting: true,
    ...(inlined ? {} : { packages: "external" }),
    platform: inlined ? "neutral" : "node",
    mainFields: ["module", "main"],
    format: "esm",
    target: "node20.10",
    sourcemap: true,
    sourcesContent: false,
  });
}

/** The command has no exports, but a main file that its bin imports. */
function entriesOf({ exports }) {
  if (!exports) return ["src/main.ts"];
  return Object.values(exports).map((entry) => entry["@lockstep/source"]);
}
