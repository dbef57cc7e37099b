import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { chooseIde, connect, findIdes, type Ide, isUsable } from "@lockstep/client";
import { isWithin } from "@lockstep/protocol";

export interface FindEditorOptions {
  /** This one and no other. */
  readonly port: number | undefined;
  /** Without links. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Told of all that were looked at. */
  readonly onFound?: (ides: readonly Ide[]) => void;
}

/** The editor that the command is to connect to, and why that one. */
export interface FoundEditor {
  readonly ide: Ide;
  readonly why: string;
  /** Those that fit as well. */
  readonly others: readonly Ide[];
}

/** A live editor answers at once. */
const ANSWER_MS = 5_000;

/**
 * The editor that an agent in this folder would take, and that lets it in; null if there is none.
 * Where several fit, the agent would take none: here the closest one is named to it.
 */
export async function findEditor(options: FindEditorOptions): Promise<FoundEditor | null> {
  const { port, folder, env } = options;
  const places = await searchedFolders(env);
  const ides = (await findIdes({ env })).filter((ide) =>
    ide.lockFiles.some((file) => places.includes(dirname(file))),
  );
  options.onFound?.(ides);
  if (port !== undefined) {
    const ide = chooseIde(ides, { port });
    await answers(ide, true);
    return { ide, why: "--ide names it", others: [] };
  }
  const named = ides.find((ide) => isNamed(ide, env) && isUsable(ide));
  if (named && (await answers(named)))
    return { ide: named, why: "this terminal belongs to it", others: [] };
  let fitting = ides.filter(
    (ide) => isUsable(ide) && ide.folders.some((open) => isWithin(folder, open)),
  );
  while (fitting.length > 0) {
    const ide = chooseIde(fitting, { cwd: folder, env: {} });
    const others = fitting.filter((other) => other !== ide);
    if (await answers(ide)) return { ide, why: whyOf(ide, others, folder), others };
    fitting = others;
  }
  return null;
}

const isNamed = ({ port }: Ide, env: NodeJS.ProcessEnv) =>
  String(port) === env.CLAUDE_CODE_SSE_PORT;

/** The agent looks in these, and in no other. */
async function searchedFolders(env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const parents = [env.CLAUDE_CONFIG_DIR, join(env.HOME || homedir(), ".claude")];
  const folders = parents.flatMap((parent) => (parent ? [join(parent, "ide")] : []));
  return Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
}

/** Whether a conversation with it comes about. */
async function answers(ide: Ide, mustAnswer = false): Promise<boolean> {
  try {
    await (await connect(ide, { timeoutMs: ANSWER_MS })).close();
    return true;
  } catch (error) {
    if (mustAnswer) throw error;
    return false;
  }
}

function whyOf(ide: Ide, others: readonly Ide[], folder: string): string {
  if (others.length === 0) return "it has this folder open";
  const closeness = ({ folders }: Ide) =>
    Math.max(...folders.map((open) => (isWithin(folder, open) ? open.length : 0)));
  const closer = others.every((other) => closeness(other) < closeness(ide));
  return closer ? "its folder is the closest one" : "it was started last";
}
