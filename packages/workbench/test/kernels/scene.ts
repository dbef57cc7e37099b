import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileUri, type Uri } from "@lockstep/protocol";
import { onTestFinished } from "vitest";
import type { CellOutput, KernelStatus, OutputChange } from "../../src/contract/kernels.js";
import type { KernelSession } from "../../src/kernels/kernel-session.js";
import { Kernels, type KernelsOptions } from "../../src/kernels/kernels.js";
import { Permissions } from "../../src/permissions/permissions.js";
import { initialState } from "../../src/state/initial-state.js";
import { Store } from "../../src/state/store.js";

export interface Scene {
  readonly folder: string;
  readonly uri: Uri;
  readonly kernels: Kernels;
  readonly session: KernelSession;
  readonly store: Store;
  readonly permissions: Permissions;
  /** What the person was asked. */
  readonly asked: string[];
  /** What was reported, for nobody to do anything about. */
  readonly faults: readonly unknown[];
}

/** A project with kernels as the machine has them. All ends with the test. */
export async function scene(
  options: Partial<KernelsOptions> & {
    readonly answer?: boolean;
    /** A folder of the project that comes first on the PATH. */
    readonly first?: string;
    readonly prepare?: (folder: string) => Promise<void>;
  } = {},
): Promise<Scene> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "lockstep-kernels-")));
  const [folder, stateDir] = [join(home, "project"), join(home, "state")];
  await Promise.all([mkdir(folder), mkdir(stateDir)]);
  await options.prepare?.(folder);
  const store = new Store(initialState(folder));
  const faults: unknown[] = [];
  const report = (problem: unknown) => void faults.push(problem);
  const surroundings = { store, folders: [folder], stateDir, report, broadcast: () => {} };
  const asked: string[] = [];
  const permissions = await Permissions.open(surroundings);
  const kernels = new Kernels({
    folders: [folder],
    env: {
      ...process.env,
      ...(options.first ? { PATH: `${join(folder, options.first)}:${process.env.PATH}` } : {}),
      HOME: home,
      VIRTUAL_ENV: undefined,
      CONDA_PREFIX: undefined,
    },
    permissions,
    report,
    ask: async ({ title }) => {
      asked.push(title);
      return options.answer ?? false;
    },
    ...options,
  });
  onTestFinished(async () => {
    await kernels[Symbol.asyncDispose]();
    await rm(home, { recursive: true, force: true });
  });
  const uri = fileUri(join(folder, "a.ipynb"));
  return { folder, uri, kernels, session: kernels.of(uri), store, permissions, asked, faults };
}

/** Resolves when the kernel is in this state. */
export function reaches(session: KernelSession, status: KernelStatus): Promise<void> {
  return new Promise((resolve) => {
    const subscription = session.subscribe(look);
    function look() {
      if (session.info.status !== status) return;
      subscription[Symbol.dispose]();
      resolve();
    }
    look();
  });
}

/** What is to be seen in a cell, and a promise of the moment in which it is as wanted. */
export class Screen {
  outputs: readonly CellOutput[] = [];
  #look = () => {};

  readonly onOutput = ({ from, outputs }: OutputChange): void => {
    this.outputs = [...this.outputs.slice(0, from), ...outputs];
    this.#look();
  };

  get text(): string {
    return this.outputs.map((each) => ("text" in each ? each.text : "")).join("");
  }

  shows(wanted: string): Promise<void> {
    return new Promise((resolve) => {
      this.#look = () => {
        if (this.text.includes(wanted)) resolve();
      };
      this.#look();
    });
  }
}

/** A kernelspec with this command, in a folder of Jupyter's. */
export async function writeSpec(
  data: string,
  name: string,
  argv: readonly string[],
  more: object = {},
): Promise<void> {
  const folder = join(data, "kernels", name);
  await mkdir(folder, { recursive: true });
  const spec = { argv, display_name: name, language: "python", ...more };
  await writeFile(join(folder, "kernel.json"), JSON.stringify(spec));
}
