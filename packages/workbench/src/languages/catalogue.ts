import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { LanguageServerSetting } from "../contract/settings.js";
import type { Command } from "./link.js";

/** How a server's program comes to be. */
export type Program =
  /** It comes with Lockstep. */
  | { readonly kind: "bundled"; readonly command: () => Promise<Command> }
  /** It is used if this machine has it. `install` says how to get it. */
  | {
      readonly kind: "found";
      readonly name: string;
      readonly args: readonly string[];
      readonly install: string;
    }
  /** Somebody wrote the command into `lockstep.json`. */
  | { readonly kind: "given"; readonly command: readonly string[] }
  /** Nobody has said. */
  | { readonly kind: "none" };

/** A language server, as data; what `lockstep.json` says of it is on top. */
export interface ServerSpec {
  readonly id: string;
  /** For people, such as "TypeScript". */
  readonly name: string;
  readonly languageIds: readonly string[];
  readonly program: Program;
  readonly initializationOptions?: Readonly<Record<string, unknown>>;
  /** What `workspace/configuration` is answered with, by section. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Notifications without content that it gets right after the greeting. */
  readonly toldFirst?: readonly string[];
  /** A folder with one of these is a project of its own, which takes its time to load. */
  readonly projectFiles?: readonly string[];
  /** Diagnostics with these codes say something of Lockstep, not of the file. */
  readonly leaveOut?: readonly (string | number)[];
  /** It runs what a stranger may have written, so it needs to be allowed: what it runs, for people. */
  readonly runsProject?: string;
  /** What the project's own `lockstep.json` would like to be different. It counts when it is allowed. */
  readonly project?: LanguageServerSetting;
}

const validate = { validate: true };

const TYPESCRIPT = {
  tsserver: { automaticTypeAcquisition: { enabled: false } },
  disableAutomaticTypeAcquisition: true,
  // A name that is changed is changed everywhere, not called by its old name with "as".
  preferences: { useAliasesForRenames: false },
};

/** The servers that Lockstep knows by itself. Of two for one language, the first that can is asked. */
export const CATALOGUE: readonly ServerSpec[] = [
  {
    id: "typescript",
    name: "TypeScript",
    languageIds: ["typescript", "typescriptreact", "javascript", "javascriptreact"],
    program: { kind: "bundled", command: typescript },
    // It would download packages for what a project uses, without being asked.
    initializationOptions: { disableAutomaticTypeAcquisition: true },
    settings: { "js/ts": TYPESCRIPT, typescript: TYPESCRIPT, javascript: TYPESCRIPT },
    projectFiles: ["tsconfig.json", "jsconfig.json"],
  },
  {
    id: "json",
    name: "JSON",
    languageIds: ["json", "jsonc"],
    program: extracted("vscode-json-language-server"),
    // Schemas of other machines are not fetched: that a file is opened is nobody's business.
    initializationOptions: { provideFormatter: true, handledSchemaProtocols: ["file"] },
    settings: {
      json: {
        validate: { enable: true },
        format: { enable: true },
        schemaDownload: { enable: false },
      },
    },
    leaveOut: [768, 65_536],
  },
  {
    id: "css",
    name: "CSS",
    languageIds: ["css", "scss", "less"],
    program: extracted("vscode-css-language-server"),
    initializationOptions: { provideFormatter: true },
    settings: { css: validate, scss: validate, less: validate },
  },
  {
    id: "html",
    name: "HTML",
    languageIds: ["html"],
    program: extracted("vscode-html-language-server"),
    initializationOptions: {
      provideFormatter: true,
      embeddedLanguages: { css: true, javascript: true },
    },
    settings: { html: { validate: { scripts: true, styles: true } }, css: validate },
  },
  {
    id: "pyright",
    name: "Pyright",
    languageIds: ["python"],
    program: found("pyright-langserver", ["--stdio"], "npm install --global pyright"),
    settings: { python: { analysis: { diagnosticMode: "openFilesOnly" } } },
    projectFiles: ["pyproject.toml", "pyrightconfig.json", "setup.py"],
  },
  {
    id: "rust-analyzer",
    name: "rust-analyzer",
    languageIds: ["rust"],
    program: found("rust-analyzer", [], "rustup component add rust-analyzer"),
    projectFiles: ["Cargo.toml"],
    runsProject: "the build scripts and macros of this project",
  },
  {
    id: "gopls",
    name: "gopls",
    languageIds: ["go"],
    program: found("gopls", [], "go install golang.org/x/tools/gopls@latest"),
    projectFiles: ["go.mod"],
  },
  {
    id: "clangd",
    name: "clangd",
    languageIds: ["c", "cpp", "objective-c"],
    program: found("clangd", [], "apt install clangd"),
    projectFiles: ["compile_commands.json", "compile_flags.txt"],
  },
  {
    id: "bash",
    name: "Bash",
    languageIds: ["shellscript"],
    program: found("bash-language-server", ["start"], "npm install --global bash-language-server"),
    settings: { bashIde: { shellcheckPath: "shellcheck", enableSourceErrorDiagnostics: false } },
  },
  {
    id: "yaml",
    name: "YAML",
    languageIds: ["yaml"],
    program: found(
      "yaml-language-server",
      ["--stdio"],
      "npm install --global yaml-language-server",
    ),
    settings: {
      yaml: { ...validate, hover: true, completion: true, schemaStore: { enable: false } },
    },
    // A file can name a schema on any machine. It then asks us for it instead of fetching it.
    toldFirst: ["yaml/registerContentRequest"],
    leaveOut: [65_536],
  },
];

function found(name: string, args: readonly string[], install: string): Program {
  return { kind: "found", name, args, install };
}

function extracted(name: string): Program {
  return {
    kind: "bundled",
    command: async () => {
      const main = import.meta.resolve("vscode-langservers-extracted/package.json");
      const script = fileURLToPath(new URL(`bin/${name}`, main));
      return { program: process.execPath, args: [script, "--stdio"] };
    },
  };
}

/** The native compiler itself: Node in front of it would only cost time and memory. */
async function typescript(): Promise<Command> {
  const library = import.meta.resolve("typescript");
  const args = ["--lsp", "--stdio"];
  const where = new URL("getExePath.js", library).href;
  const { default: exePath } = await import(where).catch(() => ({ default: null }));
  const program: unknown = typeof exePath === "function" ? exePath() : null;
  if (typeof program === "string" && existsSync(program)) return { program, args };
  const script = fileURLToPath(new URL("../bin/tsc", library));
  return { program: process.execPath, args: [script, ...args] };
}
