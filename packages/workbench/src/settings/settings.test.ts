import { execFileSync } from "node:child_process";
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DEFAULTS, type State } from "../contract/index.js";
import { Store } from "../state/store.js";
import type { Window } from "../windows/window.js";
import { SettingsStore, userSettingsFile } from "./settings.js";

let folder: string;
let userFile: string;
let projectFile: string;
let store: Store;
let opened: SettingsStore[] = [];
const window = {} as Window;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "settings-"));
  userFile = join(folder, "home/.config/lockstep/lockstep.json");
  projectFile = join(folder, "project/lockstep.json");
  await mkdir(dirname(projectFile), { recursive: true });
  store = new Store({} as State);
});
afterEach(async () => {
  for (const settings of opened) await settings[Symbol.asyncDispose]();
  opened = [];
  await rm(folder, { recursive: true, force: true });
});

async function open(): Promise<SettingsStore> {
  const surroundings = {
    store,
    folders: [dirname(projectFile)],
    stateDir: join(folder, "state"),
    report: (problem: unknown) => {
      throw problem;
    },
    broadcast: () => {},
  };
  const settings = await SettingsStore.open(surroundings, { userFile, projectFile });
  opened.push(settings);
  return settings;
}
async function write(path: string, text: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
const set = (settings: SettingsStore, scope: "user" | "project", name: string, value: unknown) =>
  Promise.resolve().then(() =>
    settings.handlers["settings.set"]({ scope, name: name as "theme", value }, window),
  );

describe("settings", () => {
  it("are the defaults where there are no files", async () => {
    const settings = await open();
    expect(settings.now).toEqual(DEFAULTS);
    expect(store.state.settings).toEqual({
      now: DEFAULTS,
      user: {},
      project: {},
      files: { user: userFile, project: projectFile },
      problems: [],
    });
  });

  it("are the project's, else the user's, else the default", async () => {
    await write(userFile, '{ "fontSize": 15, "tabSize": 8 }');
    await write(projectFile, '{ "$schema": "x", "tabSize": 4 }');
    expect((await open()).now).toEqual({ ...DEFAULTS, fontSize: 15, tabSize: 4 });
  });

  it("may keep more files private in a project, never fewer", async () => {
    await write(userFile, '{ "privateFiles": ["a", "b"] }');
    await write(projectFile, '{ "privateFiles": ["b", "c"] }');
    expect((await open()).now.privateFiles).toEqual(["a", "b", "c"]);
  });

  it("of a project cannot take out what the secrets and the person keep private", async () => {
    await write(userFile, '{ "privateFiles": ["notes/", "!notes/todo"] }');
    await write(projectFile, '{\n"privateFiles": ["!**", "drafts/", "!.env", "x\\n!.env"] }');
    expect((await open()).now.privateFiles).toEqual([
      "notes/",
      "!notes/todo",
      "drafts/",
      "x\n!.env",
    ]);
    expect(store.state.settings.problems).toEqual([
      `${projectFile}, line 2: “privateFiles” of a project cannot take files out by “!”.`,
    ]);
  });

  it.each([
    "x; } * { display: none } x {",
    "x} body{background:red",
    "url(//evil.example/x)",
    '"x',
    "x\\",
    "x/*",
    "x\n",
    "</style>",
  ])("cannot write into a style sheet by the name of a font (%s)", async (fontFamily) => {
    await write(projectFile, JSON.stringify({ fontFamily }));
    expect((await open()).now).toEqual(DEFAULTS);
    expect(store.state.settings.problems[0]).toMatch(/must be names of fonts/);
  });

  it.each(["", "JetBrains Mono", `"Fira Code", 'SF Mono', ui-monospace`, "Noto Sans日本語, M+ 1m"])(
    "take names of fonts as people write them (%s)",
    async (fontFamily) => {
      await write(projectFile, JSON.stringify({ fontFamily }));
      expect((await open()).now.fontFamily).toBe(fontFamily);
    },
  );

  it("of a project cannot hide what agents change", async () => {
    await write(projectFile, '{ "diffWhitespace": "ignore", "diffLayout": "inline" }');
    expect((await open()).now).toEqual({ ...DEFAULTS, diffLayout: "inline" });
    expect(store.state.settings.problems[0]).toMatch(
      /“diffWhitespace” can only be set in your own/,
    );
  });

  it("of a project cannot name a program, nor share what git ignores; the rest holds", async () => {
    await write(
      projectFile,
      '{\n"tabSize": 4,\n"terminalShell": "/tmp/x",\n"shareGitIgnored": true }',
    );
    const settings = await open();
    expect(settings.now).toEqual({ ...DEFAULTS, tabSize: 4 });
    expect(store.state.settings.problems).toEqual([
      `${projectFile}, line 3: “terminalShell” can only be set in your own settings, not by a project.`,
      `${projectFile}, line 4: “shareGitIgnored” can only be set in your own settings, not by a project.`,
    ]);
    await expect(set(settings, "project", "terminalShell", "/bin/sh")).rejects.toThrow(/your own/);
    await set(settings, "project", "terminalShell", null);
    expect(await readFile(projectFile, "utf8")).not.toContain("terminalShell");
  });

  it("are read from the user's folder of configuration", () => {
    expect(userSettingsFile({ XDG_CONFIG_HOME: "/c" })).toBe("/c/lockstep/lockstep.json");
    expect(userSettingsFile({ XDG_CONFIG_HOME: "c", HOME: "/h" })).toBe(
      "/h/.config/lockstep/lockstep.json",
    );
  });
});

describe("a file that is wrong", () => {
  it.each([
    [
      '{\n  "fontSize": "big",\n  "theme": "pink"\n}',
      "line 2: “fontSize” must be a whole number from 8 to 40.",
    ],
    ['{ "theme": "pink" }', 'line 1: “theme” must be one of "system", "light", "dark".'],
    ['{ "wordWrap": 1 }', "line 1: “wordWrap” must be true or false."],
    ['{ "privateFiles": "x" }', "line 1: “privateFiles” must be a list of texts."],
    [
      '{ "fontFamily": null }',
      "line 1: “fontFamily” must be names of fonts with commas between them, at most 200 characters.",
    ],
    ['{ "__proto__": { "theme": "dark" } }', "line 1: “__proto__” is not a setting of Lockstep."],
    ['{ "constructor": 1 }', "line 1: “constructor” is not a setting of Lockstep."],
    ['{\n// mine\n"tabSize": 4 }', "line 2: comments are not allowed in JSON; take them out."],
    ["[1]", "line 1: settings must stand between { and }."],
  ])("is told with the line, not used, and never overwritten (%#)", async (text, problem) => {
    await write(userFile, text);
    await write(projectFile, '{ "tabSize": 3 }');
    const settings = await open();
    expect(settings.now).toEqual({ ...DEFAULTS, tabSize: 3 });
    expect(store.state.settings.problems[0]).toBe(`${userFile}, ${problem}`);
    await expect(set(settings, "user", "tabSize", 5)).rejects.toThrow(/nothing was changed/);
    expect(await readFile(userFile, "utf8")).toBe(text);
    expect(({} as { theme?: string }).theme).toBeUndefined();
  });

  it.each([
    [
      "too large",
      async () => write(projectFile, `{ "theme": "${"x".repeat(10_000_000)}" }`),
      /larger/,
    ],
    ["a FIFO", async () => void execFileSync("mkfifo", [projectFile]), /not a file/],
    ["a folder", async () => void (await mkdir(projectFile)), /not a file/],
    ["a link", async () => symlink("/etc/passwd", projectFile), /symbolic link/],
    ["not UTF-8", async () => write(projectFile, Buffer.from([0x7b, 0xff, 0x7d])), /not UTF-8/],
  ])("is told when it is %s, at once", async (_name, make, problem) => {
    await make();
    const settings = await open();
    expect(settings.now).toEqual(DEFAULTS);
    expect(store.state.settings.problems).toEqual([expect.stringMatching(problem)]);
    await expect(set(settings, "project", "tabSize", 5)).rejects.toThrow(problem);
  });
});

describe("a setting that is made on the page", () => {
  it("makes the file and its folder", async () => {
    const settings = await open();
    const heard: number[] = [];
    settings.onChange(({ fontSize }) => heard.push(fontSize));
    await set(settings, "user", "fontSize", 16);
    expect(await readFile(userFile, "utf8")).toBe('{\n  "fontSize": 16\n}\n');
    expect(settings.now.fontSize).toBe(16);
    expect(store.state.settings.user).toEqual({ fontSize: 16 });
    expect(heard).toEqual([16]);
  });

  it("keeps the rest of the file, its indentation, line ends and mode", async () => {
    await write(
      userFile,
      '{\r\n\t"theme": "dark",\r\n\t"$schema": "s",\r\n\t"tabSize": 4\r\n}\r\n',
    );
    await chmod(userFile, 0o600);
    const settings = await open();
    await set(settings, "user", "theme", "light");
    await set(settings, "user", "tabSize", null);
    await set(settings, "user", "wordWrap", true);
    expect(await readFile(userFile, "utf8")).toBe(
      '{\r\n\t"theme": "light",\r\n\t"$schema": "s",\r\n\t"wordWrap": true\r\n}\r\n',
    );
    expect((await stat(userFile)).mode & 0o777).toBe(0o600);
    expect(await readdir(dirname(userFile))).toEqual(["lockstep.json"]);
  });

  it("is refused with what it must be, and changes nothing", async () => {
    const settings = await open();
    await expect(set(settings, "user", "tabSize", 0)).rejects.toThrow(
      "“tabSize” must be a whole number from 1 to 16.",
    );
    await expect(set(settings, "user", "tabSize", undefined)).rejects.toThrow("must be");
    await expect(readFile(userFile)).rejects.toThrow("ENOENT");
  });

  it("loses none of those that are made at the same time", async () => {
    const settings = await open();
    await Promise.all([
      set(settings, "project", "tabSize", 4),
      set(settings, "project", "wordWrap", true),
      set(settings, "project", "theme", "dark"),
    ]);
    expect(JSON.parse(await readFile(projectFile, "utf8"))).toEqual({
      tabSize: 4,
      wordWrap: true,
      theme: "dark",
    });
  });

  it("goes through the link of a person who keeps their files elsewhere", async () => {
    const real = join(folder, "dotfiles.json");
    await write(real, "{}");
    await mkdir(dirname(userFile), { recursive: true });
    await symlink(real, userFile);
    await set(await open(), "user", "tabSize", 4);
    expect(JSON.parse(await readFile(real, "utf8"))).toEqual({ tabSize: 4 });
  });
});

describe("a file that changes", () => {
  it("is read again when the disk is noticed", async () => {
    const settings = await open();
    await write(projectFile, '{ "tabSize": 7 }');
    await settings.noticeDisk([join(folder, "project/other.json")]);
    expect(settings.now.tabSize).toBe(DEFAULTS.tabSize);
    await settings.noticeDisk([projectFile]);
    expect(settings.now.tabSize).toBe(7);
  });

  it("is noticed by itself, also where its folder was not there before", async () => {
    const settings = await open();
    const changed = new Promise<number>((resolve) =>
      settings.onChange(({ tabSize }) => resolve(tabSize)),
    );
    await write(userFile, '{ "tabSize": 6 }');
    expect(await changed).toBe(6);
  });
});
