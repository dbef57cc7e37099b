import { join, resolve } from "node:path";
import { printable } from "@lockstep/protocol";
import type { Wish } from "../permissions/permissions.js";
import type { ServerSpec } from "./catalogue.js";
import { changed } from "./configured-servers.js";
import type { Command } from "./link.js";
import { findProgram, isProgram, programFolders } from "./programs.js";

/** How a server is started, or why it is not. */
export type Resolved =
  | {
      readonly kind: "command";
      readonly command: Command;
      /** As it is run: with what the project wants, if that is allowed. */
      readonly spec: ServerSpec;
      /** The permission that this needs; it ends when that is taken back. */
      readonly needs: Wish | null;
      /** What the person could allow besides, and a sentence about it. */
      readonly open: { readonly wish: Wish; readonly note: string } | null;
    }
  | { readonly kind: "missing"; readonly why: string }
  /** It would run what the person has not allowed; `wish` can be put to them. */
  | { readonly kind: "refused"; readonly why: string; readonly wish: Wish };

export interface ProgramSurroundings {
  readonly folders: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly isAllowed: (key: readonly string[]) => boolean;
}

/** Finds out how to start a server, and runs nothing. */
export async function resolveServer(
  spec: ServerSpec,
  around: ProgramSurroundings,
): Promise<Resolved> {
  if (!spec.project) return withProgram(spec, around, null);
  const wish = projectsWish(spec);
  if (around.isAllowed(wish.key)) return withProgram(changed(spec, spec.project), around, wish);
  const note = `This project's lockstep.json wants it to be run in another way: restart it to be asked.`;
  if (spec.program.kind === "none") {
    return { kind: "refused", wish, why: `It is this project's own: restart it to be asked.` };
  }
  const resolved = await withProgram(spec, around, null);
  return resolved.kind === "command" ? { ...resolved, open: { wish, note } } : resolved;
}

async function withProgram(
  spec: ServerSpec,
  around: ProgramSurroundings,
  given: Wish | null,
): Promise<Resolved> {
  const { name, program, runsProject } = spec;
  let needs = given;
  if (runsProject && !given) {
    needs = {
      key: ["language server", spec.id, "runs", ...around.folders],
      title: `${name} may run this project's code`,
      detail: `${name} runs ${runsProject}, which may do anything that you can do.`,
    };
    if (!around.isAllowed(needs.key)) {
      const why = `It runs ${runsProject}: restart it to be asked whether it may.`;
      return { kind: "refused", wish: needs, why };
    }
  }
  const start = (command: Command): Resolved => {
    return { kind: "command", command, spec, needs, open: null };
  };
  if (program.kind === "bundled") return start(await program.command());
  if (program.kind === "none")
    return { kind: "missing", why: `lockstep.json names no "command" for it.` };
  const { folders } = around;
  const [wanted = "", ...args] =
    program.kind === "given" ? program.command : [program.name, ...program.args];
  const path = await pathOf(wanted, around);
  if (path !== null) return start({ program: path, args });
  if (program.kind === "given")
    return { kind: "missing", why: `There is no program ${printable(wanted)}.` };
  const own = join(folders[0] ?? "/", "node_modules", ".bin", program.name);
  if (!(await isProgram(own)))
    return { kind: "missing", why: `It is not on this machine. To install it: ${program.install}` };
  const wish: Wish = {
    key: ["language server", spec.id, own, ...args],
    title: `${name} may be run from this project`,
    detail: [own, ...args].join(" "),
  };
  if (!around.isAllowed(wish.key)) {
    return { kind: "refused", wish, why: "Only this project has it: restart it to be asked." };
  }
  needs = wish;
  return start({ program: own, args });

  async function pathOf(name: string, { env }: ProgramSurroundings): Promise<string | null> {
    if (!name.includes("/")) return findProgram(name, await programFolders(env, folders), folders);
    const path = resolve(folders[0] ?? "/", name);
    return (await isProgram(path)) ? path : null;
  }
}

function projectsWish({ id, name, project, program }: ServerSpec): Wish {
  const { command, ...more } = project ?? {};
  const what = program.kind === "none" ? "its own language server" : `${name} in its own way`;
  const line = command?.map((word) => (/\s/.test(word) ? JSON.stringify(word) : word)).join(" ");
  // Settings can name programs, too: nothing that a yes allows is left out of the question.
  const rest = Object.keys(more).length > 0 ? JSON.stringify(more) : "";
  return {
    key: ["language server", id, JSON.stringify(project)],
    title: `This project may run ${what}`,
    detail: [line ?? "", rest].filter((part) => part !== "").join("\n"),
  };
}
