import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const packages = fileURLToPath(new URL("../packages/", import.meta.url));

/** What each package may import besides Node itself. The table of ARCHITECTURE.md, as data. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  protocol: ["zod"],
  editor: ["@lockstep/protocol", "zod"],
  review: [],
  server: ["@lockstep/protocol", "@lockstep/editor", "ignore", "ws"],
  client: ["@lockstep/protocol", "ws"],
  conformance: ["@lockstep/protocol", "@lockstep/client", "ws"],
  workbench: [
    "@lockstep/protocol",
    "@lockstep/editor",
    "@lockstep/review",
    "@codemirror/collab",
    "@codemirror/state",
    "@lydell/node-pty",
    "@parcel/watcher",
    "@vscode/ripgrep",
    "ignore",
    "jsonc-parser",
    "prettier",
    "typescript",
    "vscode-jsonrpc",
    "vscode-langservers-extracted",
    "vscode-languageserver-protocol",
    "ws",
    "zeromq",
    "zod",
  ],
  web: [
    "@lockstep/protocol",
    "@lockstep/review",
    "@lockstep/workbench",
    "@codemirror/autocomplete",
    "@codemirror/collab",
    "@codemirror/commands",
    "@codemirror/language",
    "@codemirror/language-data",
    "@codemirror/merge",
    "@codemirror/search",
    "@codemirror/state",
    "@codemirror/view",
    "@lezer/highlight",
    "@xterm/addon-fit",
    "@xterm/addon-web-links",
    "@xterm/xterm",
    "dompurify",
    "marked",
    "solid-js",
  ],
  cli: [
    "@lockstep/protocol",
    "@lockstep/editor",
    "@lockstep/server",
    "@lockstep/client",
    "@lockstep/conformance",
    "@lockstep/workbench",
    "@lockstep/web",
    "@modelcontextprotocol/server",
    "ws",
  ],
};

/** What builds the page and is in none of its files. */
const BUILDERS = ["vite", "vite-plugin-solid"];

/** Folders that run in a browser too, and so use nothing of Node's. */
const WITHOUT_NODE = [
  "protocol/src",
  "editor/src/port.ts",
  "client/src/wire",
  "client/src/errors.ts",
  "client/src/version.ts",
  "review/src",
  "workbench/src/contract",
  "web/src",
];

/** The seams inside the server: the core knows no face, the port's own layer no wire. */
const MAY_NOT_REACH: readonly [folder: string, target: RegExp][] = [
  ["server/src/core", /faces\//],
  ["server/src/core", /(^|\/)node\//],
  ["server/src/outbox", /(faces|core|node)\//],
  ["server/src/node", /(faces|outbox)\//],
  ["client/src/wire", /^ws$|(^|\/)node\//],
  ["workbench/src/contract", /^\.\.\//],
];

interface Import {
  readonly file: string;
  readonly target: string;
}

function importsBelow(path: string): readonly Import[] {
  const root = join(packages, path);
  const files = path.endsWith(".ts")
    ? [root]
    : readdirSync(root, { recursive: true, encoding: "utf8" }).map((name) => join(root, name));
  return files
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".test.ts"))
    .flatMap((file) => {
      const text = readFileSync(file, "utf8");
      const targets = text.matchAll(
        /(?:^(?:import|export|\})[^"\n]* from |^import |\bimport(?:\.meta\.resolve)?\()"([^"]+)"/gm,
      );
      return [...targets].map((match) => ({
        file: file.slice(packages.length),
        target: match[1] ?? "",
      }));
    });
}

/** `zod/mini` is of the package `zod`, `@a/b/c` of `@a/b`. */
const packageOf = (target: string) => target.split("/", target.startsWith("@") ? 2 : 1).join("/");

const isOutside = ({ target }: Import) => !target.startsWith(".") && !target.startsWith("node:");

describe("imports go down the table of packages only", () => {
  it("which names every package", () => {
    expect(readdirSync(packages).sort()).toEqual(Object.keys(MAY_IMPORT).sort());
  });

  for (const [name, allowed] of Object.entries(MAY_IMPORT)) {
    it(`${name} imports ${allowed.join(", ") || "nothing"}`, () => {
      const foreign = importsBelow(`${name}/src`)
        .filter(isOutside)
        .filter(({ target }) => !allowed.includes(packageOf(target)));
      expect(foreign).toEqual([]);
    });

    it(`${name} declares what it imports, and imports what it declares`, () => {
      const { dependencies = {}, devDependencies = {} } = JSON.parse(
        readFileSync(join(packages, name, "package.json"), "utf8"),
      );
      const used = importsBelow(`${name}/src`)
        .filter(isOutside)
        .map(({ target }) => packageOf(target));
      // The page is built, so who installs it needs nothing of what is in it.
      const declared = Object.keys({ ...dependencies, ...devDependencies });
      const expected = declared.filter((dependency) => !BUILDERS.includes(dependency));
      expect([...new Set(used)].sort()).toEqual(expected.sort());
    });
  }
});

it("what runs in a browser imports nothing of Node's", () => {
  const found = WITHOUT_NODE.flatMap(importsBelow).filter(({ target }) =>
    target.startsWith("node:"),
  );
  expect(found).toEqual([]);
});

it("the server's core knows no face, its outbox neither, and the client's wire no platform", () => {
  const found = MAY_NOT_REACH.flatMap(([folder, target]) =>
    importsBelow(folder).filter((entry) => target.test(entry.target)),
  );
  expect(found).toEqual([]);
});

it("every version that the project states is the same", () => {
  const versions = Object.keys(MAY_IMPORT).flatMap((name) => {
    const { version, dependencies = {} } = JSON.parse(
      readFileSync(join(packages, name, "package.json"), "utf8"),
    );
    const ours = Object.entries(dependencies).filter(([target]) => target.startsWith("@lockstep/"));
    return [version, ...ours.map(([, pinned]) => pinned)];
  });
  for (const file of ["server/src/version.ts", "client/src/version.ts", "cli/src/version.ts"]) {
    versions.push(/"(.*)"/.exec(readFileSync(join(packages, file), "utf8"))?.[1]);
  }
  expect(new Set(versions).size).toBe(1);
});

it("every dependency is pinned exactly, and the lock file names no registry", () => {
  const manifests = ["..", ...Object.keys(MAY_IMPORT), "../e2e", "../bench"].map((folder) =>
    JSON.parse(readFileSync(join(packages, folder, "package.json"), "utf8")),
  );
  const ranges = manifests.flatMap(({ dependencies, devDependencies }) =>
    Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+$/.test(String(version)),
    ),
  );
  expect(ranges).toEqual([]);
  const lock = readFileSync(join(packages, "../package-lock.json"), "utf8");
  expect(lock).not.toMatch(/"resolved": "https?:/);
});
