import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, writeFileSync } from "node:fs";
import { appendFile, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { after, before, TurnScene } from "./scene.js";

describe("what a turn leaves alone", () => {
  it("is a document with unsaved edits, and lines that the person has edited as well", async () => {
    await using scene = await TurnScene.open({ "a.txt": before });
    const { page } = scene;
    const uri = scene.bench.uri("a.txt");
    const { id: turn } = await scene.prompt();
    await writeFile(scene.bench.path("a.txt"), after);
    const file = await scene.file("edited");
    await page.call("tab.open", { uri, preview: false });
    const { epoch, version, text } = await page.call("text.attach", { name: uri });
    expect(text).toBe(after);
    const at = after.indexOf("FOUR");
    const changes = [at, [0, "my "], after.length - at];
    await page.call("text.push", {
      ...{ name: uri, epoch, version },
      updates: [{ clientID: "me", changes }],
    });
    await scene.files(([first]) => first?.conflict != null);
    const told = await page.call("turn.decide", { turn, file: file.id, decision: "undone" });
    expect(told.refused[0]).toMatch(/unsaved edits/);
    expect(scene.bytes("a.txt").toString()).toBe(after);
    await page.call("document.save", { uri });
    await scene.files(([first]) => first?.conflict === null);
    const { review } = await page.call("turn.attach", { turn, file: file.id });
    expect(review?.shown.text).toContain("my FOUR");
    expect(review?.hunks?.map(({ stuck }) => stuck !== undefined)).toEqual([false, true, false]);
    const again = await page.call("turn.decide", { turn, file: file.id, decision: "undone" });
    expect(again.refused[0]).toMatch(/edited these lines yourself/);
    expect(scene.bytes("a.txt").toString()).toBe(before.replace("four", "my FOUR"));
    // The open document has it too, saved.
    await page.until(({ documents }) => documents[uri]?.dirty === false);
    expect((await page.call("text.attach", { name: uri })).text).toBe(
      before.replace("four", "my FOUR"),
    );
  });

  it("is what is typed while something is undone: it is unsaved on top of it, and no clash", async () => {
    await using scene = await TurnScene.open({ "a.txt": before });
    const { page } = scene;
    const uri = scene.bench.uri("a.txt");
    await page.call("tab.open", { uri, preview: false });
    const { id: turn } = await scene.prompt();
    await writeFile(scene.bench.path("a.txt"), after);
    const { id: file } = await scene.file("edited");
    const { review } = await page.call("turn.attach", { turn, file });
    const hunk = review?.hunks?.[0]?.id ?? 0;
    for (let wait = 0; wait < 24; wait++) {
      const decision = wait % 2 === 0 ? "undone" : "kept";
      const deciding = page.call("turn.decide", { turn, file, hunk, decision });
      // Sooner or later while it is at work.
      for (let step = 0; step < wait * 3; step++) await page.call("turn.files", { turn });
      const { epoch, version, text } = await page.call("text.attach", { name: uri });
      const updates = [{ clientID: "me", changes: [text.length, [0, "x"]] }];
      const isTyped = await page.call("text.push", { name: uri, epoch, version, updates });
      const { refused } = await deciding;
      if (refused.length === 0)
        expect(scene.bytes("a.txt").toString()).toMatch(decision === "undone" ? /^one/ : /^ONE/);
      const now = (await page.call("text.attach", { name: uri })).text;
      expect(now.split("x").length - 1).toBe(text.split("x").length - (isTyped ? 0 : 1));
      expect(page.state.documents[uri]?.clash).toBe(null);
      await page.call("document.save", { uri });
    }
  });

  it("is a new file that the person has made, or has edited as well", async () => {
    await using scene = await TurnScene.open({ "a.txt": before });
    const { page } = scene;
    const { id: turn } = await scene.prompt();
    await writeFile(scene.bench.path("theirs.txt"), "theirs\n");
    await writeFile(scene.bench.path("both.txt"), "theirs\n");
    await page.call("files.create", { uri: scene.bench.uri("mine.txt"), kind: "file" });
    await scene.files((files) => files.length === 3);
    for (const name of ["both.txt", "mine.txt"]) {
      const uri = scene.bench.uri(name);
      await page.call("tab.open", { uri, preview: false });
      const { epoch, version, text } = await page.call("text.attach", { name: uri });
      const changes = [[0, "mine", ""], ...(text.length > 0 ? [text.length] : [])];
      const updates = [{ clientID: "me", changes }];
      await page.call("text.push", { name: uri, epoch, version, updates });
      await page.call("document.save", { uri });
    }
    const files = await scene.files((all) => all.filter(({ conflict }) => conflict).length === 2);
    const { refused } = await page.call("turn.decide", { turn, decision: "undone" });
    expect(refused.map((why) => why.split(":")[0]).sort()).toEqual(["both.txt", "mine.txt"]);
    expect(scene.bytes("both.txt").toString()).toBe("mine\ntheirs\n");
    expect(scene.bytes("mine.txt").toString()).toBe("mine\n");
    expect(existsSync(scene.bench.path("theirs.txt"))).toBe(false);
    // Whoever writes it next does not make it any less the person's.
    await writeFile(scene.bench.path("both.txt"), "theirs again\n");
    const file = files.find(({ path }) => path === "both.txt")?.id;
    await page.call("turn.attach", { turn, file: file ?? "" });
    const again = await page.call("turn.decide", { turn, file, decision: "undone" });
    expect(again.refused[0]).toMatch(/edited this new file yourself/);
    expect(existsSync(scene.bench.path("both.txt"))).toBe(true);
  });

  it("is not what an agent has formatted in an open document", async () => {
    await using scene = await TurnScene.open({ "a.json": '{"a":1}\n' });
    const { page } = scene;
    const uri = scene.bench.uri("a.json");
    await page.call("tab.open", { uri, preview: false });
    const { id: turn } = await scene.prompt();
    const call = { agent: { id: "a", name: "Agent" }, signal: new AbortController().signal };
    await scene.bench.workbench.abilities.format?.({ uri }, call);
    const { id: file } = await scene.file("edited");
    const { review } = await page.call("turn.attach", { turn, file });
    expect(review?.hunks?.map(({ stuck }) => stuck)).toEqual([undefined]);
    expect(scene.running.unseen).toBe(0);
    await page.call("turn.decide", { turn, file, decision: "undone" });
    expect(scene.bytes("a.json").toString()).toBe('{"a":1}\n');
  });

  it("is what the person has saved: it is not counted as news, unless something else in it is", async () => {
    await using scene = await TurnScene.open({ "a.txt": before, "b.txt": before });
    const { page } = scene;
    await scene.prompt();
    await writeFile(scene.bench.path("b.txt"), after);
    await scene.file("edited");
    expect(scene.running.unseen).toBe(1);
    for (const name of ["a.txt", "b.txt"]) {
      const uri = scene.bench.uri(name);
      await page.call("tab.open", { uri, preview: false });
      const { epoch, version, text } = await page.call("text.attach", { name: uri });
      const updates = [{ clientID: "me", changes: [text.length, [0, "mine"]] }];
      await page.call("text.push", { name: uri, epoch, version, updates });
      await page.call("document.save", { uri });
      await scene.files((all) => all.some(({ path, added }) => path === name && (added ?? 0) % 3));
    }
    const files = await scene.files((all) => all.length === 2);
    expect(files.map(({ path, seen }) => [path, seen])).toEqual([
      ["a.txt", true],
      ["b.txt", false],
    ]);
    expect(scene.running.unseen).toBe(1);
  });

  it("is what cannot be read: a pipe in the place of a file of an old turn keeps nobody waiting", async () => {
    await using scene = await TurnScene.open({ "a.txt": before });
    const { id: turn } = await scene.prompt();
    await writeFile(scene.bench.path("a.txt"), after);
    const { id: file } = await scene.file("edited");
    await scene.prompt();
    await unlink(scene.bench.path("a.txt"));
    execFileSync("mkfifo", [scene.bench.path("a.txt")]);
    const { review } = await scene.page.call("turn.attach", { turn, file });
    expect(review?.shown.text).toBe(after);
    const { refused } = await scene.page.call("turn.decide", { turn, file, decision: "undone" });
    expect(refused[0]).toMatch(/has changed since/);
    expect(lstatSync(scene.bench.path("a.txt")).isFIFO()).toBe(true);
  });

  it("is what git ignores, and what has no copy is shown with the reason", async () => {
    await using scene = await TurnScene.open(
      { ".gitignore": "dist/\n", "dist/a.js": "1\n" },
      {
        git: true,
        prepare: (folder) =>
          writeFileSync(join(folder, "huge.bin"), Buffer.alloc(9 * 1024 * 1024, 1)),
      },
    );
    const { id: turn } = await scene.prompt();
    await scene.bench.write("dist/a.js", "2\n");
    await scene.bench.write("dist/b.js", "2\n");
    await appendFile(scene.bench.path("huge.bin"), "more");
    const file = await scene.file("edited");
    expect(file).toMatchObject({ path: "huge.bin", content: "unknown" });
    expect(file.lost).toMatch(/larger than 8 MB/);
    const told = await scene.page.call("turn.decide", { turn, decision: "undone" });
    expect(told.refused[0]).toMatch(/huge.bin: It is larger/);
    expect(scene.bytes("huge.bin")).toHaveLength(9 * 1024 * 1024 + 4);
  });

  it("is what a link leads to, and whatever is outside of the workspace", async () => {
    await using scene = await TurnScene.open({ "src/a.txt": "a\n", "b.txt": "b\n" });
    const outside = join(scene.bench.root, "outside");
    await scene.bench.write("../outside/a.txt", "secret\n");
    const { id: turn } = await scene.prompt();
    await writeFile(scene.bench.path("src/a.txt"), "A\n");
    const file = await scene.file("edited");
    await rm(scene.bench.path("src"), { recursive: true });
    await symlink(outside, scene.bench.path("src"));
    const told = await scene.page
      .call("turn.decide", { turn, file: file.id, decision: "undone" })
      .catch(String);
    expect(JSON.stringify(told)).toMatch(/outside|changed|no change/);
    expect(scene.bytes("../outside/a.txt").toString()).toBe("secret\n");
  });
});
