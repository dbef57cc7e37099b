import { access, constants, readdir, readFile, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, delimiter, isAbsolute, join } from "node:path";
import { isWithin, printable } from "@lockstep/protocol";
import * as z from "zod/mini";
import type { KernelChoice } from "../contract/kernels.js";
import { run } from "../files/process.js";

/** How a kernel is started. */
export interface KernelSpec extends KernelChoice {
  /** As notebooks name it, such as "python3". */
  readonly name: string;
  /** `{connection_file}` stands for the path of that file. */
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly interruptMode: "signal" | "message";
}

const kernelJson = z.object({
  argv: z.array(z.string()).check(z.minLength(1)),
  display_name: z.string(),
  language: z._default(z.string(), "python"),
  interrupt_mode: z.catch(z.enum(["signal", "message"]), "signal"),
  env: z.catch(z.record(z.string(), z.string()), {}),
});

/** Where a project keeps an environment of its own, by custom. */
const PROJECT_ENVIRONMENTS = [".venv", "venv", "env"];
/** Where the system has its programs. */
const SYSTEMS = ["/usr/local", "/usr"];
/** A Python that does not say within this time whether it has a kernel has none. */
const PROBE_MS = 20_000;

/**
 * The kernels of this machine, the nearest first: those of the project's own environment, of the
 * environment that is active, of the user, of the system. Nothing of the project is run to find them.
 */
export async function findKernels(
  folders: readonly string[],
  env: NodeJS.ProcessEnv,
  systems: readonly string[] = SYSTEMS,
): Promise<readonly KernelSpec[]> {
  const home = env.HOME || homedir();
  const projects = folders.flatMap((folder) =>
    PROJECT_ENVIRONMENTS.map((name) => join(folder, name)),
  );
  const active = [env.VIRTUAL_ENV, env.CONDA_PREFIX].filter((path) => path !== undefined);
  const prefixes = [...projects, ...active.filter(isAbsolute)];
  const places = [
    ...listOf(env.JUPYTER_PATH).map((data) => ({ data, prefix: null })),
    ...prefixes.map((prefix) => ({ data: join(prefix, "share", "jupyter"), prefix })),
    { data: userData(home, env), prefix: null },
    ...systems.map((prefix) => ({ data: join(prefix, "share", "jupyter"), prefix })),
  ];
  const named = await Promise.all(places.map((place) => specsIn(place, folders, env)));
  const found = named.flat();
  // An environment may have the kernel without its description.
  const bare = await Promise.all(
    prefixes
      .filter((prefix) => !found.some(({ source }) => isWithin(source, prefix)))
      .map((prefix) => bareEnvironment(prefix, folders)),
  );
  const all = unique([...bare.flatMap((spec) => spec ?? []), ...found]);
  return all.length > 0 ? all : pythonsOnPath(env, folders, systems);
}

/** The one that a notebook names, else the first of its language; null if there is none. */
export function chooseKernel(
  specs: readonly KernelSpec[],
  wanted: { readonly name?: string | undefined; readonly language?: string | undefined },
): KernelSpec | null {
  const language = wanted.language?.toLowerCase() ?? "python";
  const speaking = specs.filter((spec) => spec.language.toLowerCase() === language);
  const named = specs.filter(({ name }) => name === wanted.name);
  return named[0] ?? speaking[0] ?? null;
}

function userData(home: string, env: NodeJS.ProcessEnv): string {
  if (env.JUPYTER_DATA_DIR) return env.JUPYTER_DATA_DIR;
  if (process.platform === "darwin") return join(home, "Library", "Jupyter");
  return join(env.XDG_DATA_HOME || join(home, ".local", "share"), "jupyter");
}

const listOf = (paths: string | undefined): string[] =>
  (paths ?? "").split(delimiter).filter(isAbsolute);

async function specsIn(
  { data, prefix }: { readonly data: string; readonly prefix: string | null },
  folders: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<readonly KernelSpec[]> {
  const folder = join(data, "kernels");
  const names = await readdir(folder).catch(() => []);
  const specs = names.sort().map(async (name): Promise<KernelSpec | null> => {
    const source = join(folder, name);
    const file = await readFile(join(source, "kernel.json"), "utf8").catch(() => "");
    const parsed = kernelJson.safeParse(parse(file)).data;
    const [program, ...rest] = parsed?.argv ?? [];
    if (!parsed || program === undefined) return null;
    const argv = [await onPath(ownPython(program, prefix), env), ...rest] as const;
    return {
      id: source,
      name: name.toLowerCase(),
      displayName: printable(parsed.display_name).slice(0, 100) || name,
      language: parsed.language,
      source,
      insideProject: await isOfProject([source, ...argv], folders),
      argv: [...argv],
      env: parsed.env,
      interruptMode: parsed.interrupt_mode,
    };
  });
  return (await Promise.all(specs)).filter((spec) => spec !== null);
}

/** A description that says "python" means the one of its own environment. */
function ownPython(program: string, prefix: string | null): string {
  const isPython = /^python[\d.]*$/.test(program);
  return isPython && prefix !== null ? join(prefix, "bin", program) : program;
}

/** What would be started by that name, so that it can be seen where it lies. */
async function onPath(program: string, env: NodeJS.ProcessEnv): Promise<string> {
  if (program.includes("/")) return program;
  for (const folder of listOf(env.PATH)) {
    const path = join(folder, program);
    if (await exists(path)) return path;
  }
  return program;
}

async function bareEnvironment(
  prefix: string,
  folders: readonly string[],
): Promise<KernelSpec | null> {
  const versions = await readdir(join(prefix, "lib")).catch(() => []);
  const packages = versions.map((version) =>
    join(prefix, "lib", version, "site-packages", "ipykernel", "__init__.py"),
  );
  const present = await Promise.all(packages.map(exists));
  return present.includes(true) ? pythonSpec(join(prefix, "bin", "python"), folders) : null;
}

/** Those that say themselves that they have a kernel. */
async function pythonsOnPath(
  env: NodeJS.ProcessEnv,
  folders: readonly string[],
  systems: readonly string[],
): Promise<readonly KernelSpec[]> {
  const specs = pathsOf(env, systems).map(async (program) => {
    const spec = await pythonSpec(program, folders);
    return !spec.insideProject && (await hasKernel(program, env)) ? spec : null;
  });
  return unique((await Promise.all(specs)).filter((spec) => spec !== null));
}

function pathsOf(env: NodeJS.ProcessEnv, systems: readonly string[]): string[] {
  const programs = systems.map((prefix) => join(prefix, "bin"));
  return [...new Set([...listOf(env.PATH), ...programs].map((dir) => join(dir, "python3")))];
}

async function hasKernel(program: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  if (!(await exists(program))) return false;
  const signal = AbortSignal.timeout(PROBE_MS);
  // At the root, because Python would look for the module in the working folder first.
  const asked = await run(program, ["-c", "import ipykernel"], { cwd: "/", env, signal }).catch(
    () => null,
  );
  return asked?.code === 0;
}

async function pythonSpec(program: string, folders: readonly string[]): Promise<KernelSpec> {
  return {
    id: program,
    name: "python3",
    displayName: `Python (${program})`,
    language: "python",
    source: program,
    insideProject: await isOfProject([program], folders),
    argv: [program, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
    env: {},
    interruptMode: "signal",
  };
}

/**
 * Whether any of these paths leads into the project, by its name or by where its links lead. A part of
 * a command that is no absolute path, but could be one within the project, counts as such.
 */
async function isOfProject(parts: readonly string[], folders: readonly string[]): Promise<boolean> {
  const isInside = (path: string) => folders.some((folder) => isWithin(path, folder));
  for (const part of parts) {
    if (isAbsolute(part)) {
      if (isInside(part) || isInside(await realpath(part).catch(() => part))) return true;
    } else if (part.includes("/") && !part.includes("{")) return true;
  }
  return false;
}

function unique(specs: readonly KernelSpec[]): readonly KernelSpec[] {
  return [...new Map(specs.map((spec) => [spec.id, spec] as const)).values()];
}

function exists(path: string): Promise<boolean> {
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/** What to type to get a kernel. */
export async function installCommand(program?: string): Promise<string> {
  const isDebian = await exists("/etc/debian_version");
  const isSystems = program === undefined || program.startsWith("/usr/bin/");
  if (isDebian && isSystems) return "sudo apt install python3-ipykernel";
  const isNamed = program !== undefined && basename(program).startsWith("python");
  return isNamed ? `${program} -m pip install ipykernel` : "pip install ipykernel";
}
