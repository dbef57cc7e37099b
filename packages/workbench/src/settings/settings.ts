import { unwatchFile, watchFile } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import {
  DEFAULTS,
  type Settings,
  type SettingsState,
  type settingsCalls,
} from "../contract/settings.js";
import { WorkbenchError } from "../errors.js";
import { Queue } from "../queue.js";
import type { Surroundings } from "../surroundings.js";
import type { Handlers } from "../windows/router.js";
import { readSettings, type Scope, type SettingsReading, writeSetting } from "./settings-file.js";
import {
  expectation,
  isForProjects,
  isValid,
  type SettingName,
  takesOut,
} from "./settings-rules.js";

/** How often the files are looked at; they may not exist yet, nor their folders. */
const LOOK_MS = 1_000;

/** `lockstep.json` in the user's folder of configuration. */
export function userSettingsFile(env: Readonly<Record<string, string | undefined>>): string {
  const given = env.XDG_CONFIG_HOME;
  const folder = given && isAbsolute(given) ? given : join(env.HOME || homedir(), ".config");
  return join(folder, "lockstep", "lockstep.json");
}

export interface SettingsFiles {
  readonly userFile: string;
  readonly projectFile: string;
}

/** The settings that hold, and the slice `settings` of the store, both as the two files say. */
export class SettingsStore {
  readonly #surroundings: Surroundings;
  readonly #files: Readonly<Record<Scope, string>>;
  readonly #listeners = new Set<(now: Required<Settings>) => void>();
  #now: Required<Settings> = DEFAULTS;
  /** Reads and writes happen one after the other, so that no entry is lost between them. */
  readonly #queue = new Queue();

  private constructor(surroundings: Surroundings, { userFile, projectFile }: SettingsFiles) {
    this.#surroundings = surroundings;
    this.#files = { user: userFile, project: projectFile };
  }

  static async open(surroundings: Surroundings, files: SettingsFiles): Promise<SettingsStore> {
    const store = new SettingsStore(surroundings, files);
    await store.#read();
    for (const path of Object.values(store.#files))
      watchFile(path, { persistent: false, interval: LOOK_MS }, store.#look);
    return store;
  }

  get now(): Required<Settings> {
    return this.#now;
  }

  readonly handlers: Handlers<typeof settingsCalls> = {
    "settings.set": ({ scope, name, value }) => this.#set(scope, name, value),
  };

  /** Hears of each change of what holds, until disposed. */
  onChange(listener: (now: Required<Settings>) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Something changed at these paths; reads again if a file of settings is among them. */
  async noticeDisk(paths: readonly string[]): Promise<void> {
    if (Object.values(this.#files).some((path) => paths.includes(path)))
      await this.#queue.take(() => this.#read());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const path of Object.values(this.#files)) unwatchFile(path, this.#look);
    this.#listeners.clear();
    await this.#queue.idle();
  }

  readonly #look = (): void => {
    this.#queue.take(() => this.#read()).catch(this.#surroundings.report);
  };

  #set(scope: Scope, name: SettingName, value: unknown): Promise<void> {
    if (value !== null && !isValid(name, value))
      throw new WorkbenchError(`“${name}” must be ${expectation(name)}.`);
    // To take one out is always right: the file may have it from elsewhere.
    if (value !== null && scope === "project" && !isForProjects(name))
      throw new WorkbenchError(`“${name}” can only be set in your own settings.`);
    if (scope === "project" && Array.isArray(value) && value.some(takesOut))
      throw new WorkbenchError("A project cannot take files out by “!”: use your own settings.");
    return this.#queue.take(async () => {
      await writeSetting(this.#files[scope], scope, name, value);
      await this.#read();
    });
  }

  async #read(): Promise<void> {
    const [user, project] = await Promise.all([
      readSettings(this.#files.user, "user"),
      readSettings(this.#files.project, "project"),
    ]);
    const state = this.#compose(user, project);
    const changed = JSON.stringify(state.now) !== JSON.stringify(this.#now);
    this.#now = state.now;
    this.#surroundings.store.set("settings", state);
    if (changed) for (const listener of [...this.#listeners]) listener(this.#now);
  }

  #compose(user: SettingsReading, project: SettingsReading): SettingsState {
    return {
      now: {
        ...DEFAULTS,
        ...user.settings,
        ...project.settings,
        languageServers: {
          ...user.settings.languageServers,
          ...project.settings.languageServers,
        },
        // A project may keep more files private, never fewer.
        privateFiles: [
          ...new Set([
            ...(user.settings.privateFiles ?? []),
            ...(project.settings.privateFiles ?? []),
          ]),
        ],
      },
      user: user.settings,
      project: project.settings,
      files: { ...this.#files },
      problems: [...user.problems, ...project.problems],
    };
  }
}
