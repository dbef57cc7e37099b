import { mkdir, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Scene } from "./scene.js";
import type { WireAgent } from "./wire-agent.js";

const all = { start: { line: 0, character: 0 }, end: { line: 0, character: 6 } };

/** What an agent gets to know of a file with a secret in it that the person has selected. */
async function seen(scene: Scene, agent: WireAgent, name: string) {
  const uri = await scene.file(name, "secret");
  scene.editor.open(uri, "secret");
  scene.editor.select(uri, all);
  return JSON.stringify([
    await agent.ask("getCurrentSelection"),
    await agent.ask("getLatestSelection"),
    await agent.ask("getOpenEditors"),
    await agent.call("get_all_opened_file_paths"),
  ]);
}

const settings = (...deny: string[]) => JSON.stringify({ permissions: { deny } });

describe("agents are not told of", () => {
  it("files that hold secrets by custom", async () => {
    await using scene = await Scene.open();
    const agent = await scene.agent();
    const secrets = [
      ".env",
      ".env.local",
      "a/.ENV",
      "key.pem",
      "id_rsa",
      ".ssh/config",
      "x/.npmrc",
      "x/.kube/config",
      ".docker/config.json",
      ".claude/.credentials.json",
      ".claude/ide/12345.lock",
    ];
    for (const name of secrets) expect(await seen(scene, agent, name)).not.toContain("secret");
    for (const name of [".env.example", "id_rsa.pub", "environment.ts"]) {
      expect(await seen(scene, agent, name)).toContain("secret");
    }
  });

  it("what the host denies", async () => {
    await using scene = await Scene.open();
    const paths = ["config/prod.yml", "notes/**", "/top.ts", "!notes/open.md"];
    const privacy = { deny: ["private/", "*.secret.ts", "!.env.local", ...paths] };
    const agent = await scene.agent(await scene.serve({ privacy }));
    expect(await seen(scene, agent, "private/deep/a.ts")).not.toContain("secret");
    expect(await seen(scene, agent, "a.secret.ts")).not.toContain('"secret"');
    expect(await seen(scene, agent, ".env.local")).toContain("secret");
    for (const name of ["config/prod.yml", "a/config/prod.yml", "notes/deep/b.md", "top.ts"])
      expect(await seen(scene, agent, name), name).not.toContain("secret");
    for (const name of ["below/top.ts", "config/test.yml", "notes/open.md"])
      expect(await seen(scene, agent, name), name).toContain("secret");
  });

  it("what the host comes to deny while it serves, and the host can ask why", async () => {
    await using scene = await Scene.open();
    const server = await scene.serve();
    const agent = await scene.agent(server);
    expect(await seen(scene, agent, "notes.md")).toContain("secret");
    server.keepBack({ deny: ["notes.md"] });
    expect(await seen(scene, agent, "notes.md")).not.toContain("secret");
    expect(await server.whyWithheld(await scene.file("notes.md", "secret"))).toBe("denied-here");
    expect(await server.whyWithheld(await scene.file("open.md", "secret"))).toBeNull();
    server.keepBack({});
    expect(await seen(scene, agent, "notes.md")).toContain("secret");
  });

  it("what the agent's own settings deny it", async () => {
    await using scene = await Scene.open();
    await scene.file(
      ".claude/settings.json",
      settings("Read(./one.ts)", "Bash(rm:*)", "Read(two/**)"),
    );
    const winding = `file://${scene.folder}/../x.ts`;
    const local = settings(`Read(//${scene.home.slice(1)}/outside.ts)`, "Read(~/three.ts)", "Edit");
    await scene.file(".claude/settings.local.json", local);
    const agent = await scene.agent();
    expect(await seen(scene, agent, "one.ts")).not.toContain("secret");
    expect(await seen(scene, agent, "two/deep/a.ts")).not.toContain("secret");
    expect(await seen(scene, agent, "../outside.ts")).not.toContain("secret");
    expect(await seen(scene, agent, "below/one.ts")).toContain("secret");
    // Which is no path below the folder, though it begins like one.
    expect((await agent.call("getDiagnostics", { uri: winding })).isError).toBe(false);
    expect(homedir()).not.toBe(scene.home);
    expect(await seen(scene, agent, "three.ts")).toContain("secret");
  });

  it("what the agent's settings for all projects deny it", async () => {
    await using scene = await Scene.open();
    const agent = await scene.agent();
    const everywhere = settings("Read(one.ts)", `Read(//${scene.home.slice(1)}/outside.ts)`);
    await writeFile(join(scene.home, ".claude", "settings.json"), everywhere);
    await scene.file(".claude/settings.json", settings("Read(./two.ts)"));
    for (const name of ["one.ts", "below/one.ts", "two.ts", "../outside.ts"])
      expect(await seen(scene, agent, name)).not.toContain("secret");
    expect(await seen(scene, agent, "three.ts")).toContain("secret");
  });

  it("anything, where the settings deny all reading; nonsense in them denies nothing", async () => {
    await using scene = await Scene.open();
    const agent = await scene.agent();
    for (const nonsense of ["{", "[]", '{"permissions":{"deny":[7,null,"Read("]}}']) {
      await scene.file(".claude/settings.json", nonsense);
      expect(await seen(scene, agent, `a${nonsense.length}.ts`)).toContain("secret");
    }
    await scene.file(".claude/settings.json", settings("Read"));
    expect(await seen(scene, agent, "b.ts")).not.toContain('"text":"secret"');
  });

  it("what git ignores, by the closest rule", async () => {
    await using scene = await Scene.open();
    await scene.file(".gitignore", "dist/\n*.log\nsealed/\n");
    await scene.file("sealed/deep/.gitignore", "!*\n");
    await scene.file("keep/.gitignore", "!*.log\n");
    await scene.file(".git/info/exclude", "notes.md\n");
    const agent = await scene.agent();
    for (const name of ["dist/a.js", "a.log", "deep/b.log", "notes.md", "sealed/deep/c.md"]) {
      expect(await seen(scene, agent, name)).not.toContain("secret");
    }
    expect(await seen(scene, agent, "keep/a.log")).toContain("secret");
    const open = await scene.agent(await scene.serve({ privacy: { shareGitIgnored: true } }));
    expect(await seen(scene, open, "dist/a.js")).toContain("secret");
  });

  it("what the repository around the workspace ignores", async () => {
    await using scene = await Scene.open();
    await mkdir(join(scene.home, ".git"));
    await writeFile(join(scene.home, ".gitignore"), "/project/out/\n");
    const agent = await scene.agent();
    expect(await seen(scene, agent, "out/a.ts")).not.toContain("secret");
    expect(await seen(scene, agent, "in/a.ts")).toContain("secret");
  });

  it("a secret behind a link with a harmless name", async () => {
    await using scene = await Scene.open();
    await mkdir(scene.path("sub"));
    await writeFile(scene.path(".env"), "secret");
    await symlink(scene.path(".env"), scene.path("sub/harmless.txt"));
    const agent = await scene.agent();
    expect(await seen(scene, agent, "sub/harmless.txt")).not.toContain("secret");
  });

  it("problems in secret files", async () => {
    await using scene = await Scene.open();
    const secret = await scene.file(".env", "PASSWORD=hunter2");
    const plain = await scene.file("a.ts", "");
    const agent = await scene.agent();
    const item = { message: "hunter2 is weak", severity: "error", range: all } as const;
    scene.editor.report(secret, [item]);
    scene.editor.report(plain, [{ ...item, message: "other" }]);
    expect(JSON.stringify(await agent.ask("getDiagnostics", {}))).not.toContain("hunter2");
    const one = await agent.ask("getDiagnostics", { uri: secret });
    expect(one).toEqual([{ uri: secret, diagnostics: [] }]);
    const told = await agent.notification("diagnostics_changed");
    expect(told.uris).toEqual([`file://${scene.path("a.ts")}`]);
  });
});

describe("what is withheld", () => {
  it("reaches the agent as an empty selection in the last file that it knows", async () => {
    await using scene = await Scene.open();
    const agent = await scene.agent();
    const known = await scene.file("known.ts", "known");
    scene.editor.open(known, "known");
    expect(await agent.notification("selection_changed")).toMatchObject({
      filePath: scene.path("known.ts"),
    });
    const secret = await scene.file(".env", "secret");
    scene.editor.open(secret, "secret");
    scene.editor.select(secret, all);
    expect(await agent.notification("selection_changed")).toMatchObject({
      text: "",
      filePath: scene.path("known.ts"),
      selection: { isEmpty: true },
    });
  });

  it("is told to the editor, once for each file and agent", async () => {
    await using scene = await Scene.open();
    const agent = await scene.agent();
    await scene.sight("agent");
    await seen(scene, agent, ".env");
    const uri = `file://${scene.path(".env")}`;
    const { event } = await scene.sight("agent");
    expect(event).toMatchObject({
      kind: "withheld",
      uri,
      why: "denied-here",
      agent: { name: "test-agent" },
    });
    expect(scene.sights.filter(({ kind }) => kind === "agent")).toEqual([]);
    await scene.file(".claude/settings.json", settings("Read(x.ts)"));
    await seen(scene, agent, "x.ts");
    const reasons = scene.sights.map(
      (sight) => sight.kind === "agent" && "why" in sight.event && sight.event.why,
    );
    expect(reasons).toContain("denied-by-agent");
  });
});

describe("the off switch", () => {
  it("stops telling what the person looks at, at once, and starts again", async () => {
    await using scene = await Scene.open();
    const server = await scene.serve();
    const agent = await scene.agent(server);
    const uri = await scene.file("a.ts", "secret");
    scene.editor.open(uri, "secret");
    scene.editor.select(uri, all);
    expect(await agent.notification("selection_changed")).toMatchObject({ text: "secret" });
    server.sharing = false;
    expect(await agent.notification("selection_changed")).toMatchObject({
      text: "",
      filePath: scene.path("a.ts"),
    });
    const other = await scene.file("b.ts", "secret");
    scene.editor.open(other, "secret");
    scene.editor.select(other, all);
    expect(await agent.notification("selection_changed")).toMatchObject({
      filePath: scene.path("a.ts"),
    });
    expect(await agent.ask("getOpenEditors")).toEqual({ tabs: [] });
    server.sharing = true;
    expect(await agent.notification("selection_changed")).toMatchObject({
      text: "secret",
      filePath: scene.path("b.ts"),
    });
  });

  it("may be off from the start; proposals and mentions go on, being the person's own acts", async () => {
    await using scene = await Scene.open();
    const agent = await scene.agent(await scene.serve({ privacy: { sharing: false } }));
    expect(await seen(scene, agent, "a.ts")).not.toContain("secret");
    const uri = await scene.file("a.ts", "x");
    scene.editor.mention(uri);
    expect(await agent.notification("at_mentioned")).toEqual({ filePath: scene.path("a.ts") });
    const args = { old_file_path: scene.path("a.ts"), new_file_contents: "y", tab_name: "t" };
    const answer = agent.call("openDiff", args);
    scene.editor.accept((await scene.proposal()).id);
    expect((await answer).texts).toEqual(["FILE_SAVED", "y"]);
  });
});

it("openFile tells nobody what is in a file that is withheld, not even by guesses", async () => {
  await using scene = await Scene.open();
  await scene.file(".env", "PASSWORD=hunter2");
  const agent = await scene.agent();
  const guess = async (startText: string) =>
    (await agent.call("openFile", { filePath: ".env", startText })).texts;
  expect(await guess("PASSWORD=h")).toEqual(await guess("PASSWORD=x"));
});
