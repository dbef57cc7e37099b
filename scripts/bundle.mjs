/**
 * Makes the packages' JavaScript: one file for each entry of a package's exports, with what several
 * of its entries share beside them. A hundred small files would take longer to load than to run.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";
import { bin, root, run } from "./checkout.mjs";

/**
 * What goes into a package's own files, although others could share it: loading zod file by file
 * would cost every start some 50 ms, and a small CommonJS module more than it is worth.
 */
const INLINED = { "@lockstep/protocol": ["zod"], "@lockstep/server": ["ignore"] };

for (const name of readdirSync(`${root}packages`)) {
  if (name === "web") continue;
  const folder = `${root}packages/${name}/`;
  const manifest = manifestOf(folder);
  const inlined = INLINED[manifest.name] ?? [];
  await build({
    entryPoints: entriesOf(manifest).map((source) => folder + source),
    outbase: `${folder}src`,
    outdir: `${folder}dist`,
    bundle: true,
    splitting: true,
    external: Object.keys(manifest.dependencies).filter(
      (dependency) => !inlined.includes(dependency),
    ),
    // Only protocol must run in a browser as well.
    platform: manifest.name === "@lockstep/protocol" ? "neutral" : "node",
    mainFields: ["module", "main"],
    format: "esm",
    target: "node20.10",
    sourcemap: true,
    sourcesContent: false,
  });
  for (const dependency of inlined) copyLicence(dependency, `${folder}dist/licences`);
}

// The page of a recording is one file with everything in it, which the command puts together.
await build({
  entryPoints: { "tap-page": `${root}packages/cli/src/tap/view/page/timeline.ts` },
  outdir: `${root}packages/cli/dist`,
  bundle: true,
  minify: true,
  charset: "utf8",
  platform: "browser",
  conditions: ["@lockstep/source"],
  format: "iife",
  target: "es2022",
});

run(bin("vite"), ["build", "--logLevel", "warn", "--config", "packages/web/vite.config.mjs"]);

for (const dependency of builtIn("web"))
  copyLicence(dependency, `${root}packages/web/dist/licences`);

/** What ends up in a page: all that its package names to be built of, and what that is made of. */
function builtIn(name) {
  const found = new Set();
  const visit = (dependency) => {
    if (found.has(dependency) || dependency.startsWith("@lockstep/")) return;
    found.add(dependency);
    const { dependencies = {} } = manifestOf(`${root}node_modules/${dependency}`);
    for (const inner of Object.keys(dependencies)) visit(inner);
  };
  const { devDependencies } = manifestOf(`${root}packages/${name}`);
  for (const dependency of Object.keys(devDependencies))
    if (!dependency.startsWith("vite")) visit(dependency);
  return found;
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
}

/** The command has no exports, but a main file that its bin imports. */
function entriesOf({ exports }) {
  if (!exports) return ["src/main.ts"];
  return Object.values(exports).map((entry) => entry["@lockstep/source"]);
}

/** Whoever gets somebody's code from us gets its terms as well. */
function copyLicence(dependency, folder) {
  const source = `${root}node_modules/${dependency}/`;
  const file = readdirSync(source).find((name) => /^licen[cs]e/i.test(name));
  if (!file) return;
  mkdirSync(folder, { recursive: true });
  const name = dependency.replace("@", "").replace("/", "-");
  writeFileSync(`${folder}/${name}.txt`, readFileSync(source + file));
}
