import { describe, expect, it } from "vitest";
import { inputLine } from "../src/claude.js";
import { text, toolUse } from "../src/model-reply.js";
import { titled, whyNoClaude } from "../src/needs.js";
import { DONE, proposed } from "../src/propose.js";
import { OPEN_FILE, Scene } from "../src/scene.js";

const reason = whyNoClaude();
const twoLines = { start: { line: 1, character: 0 }, end: { line: 2, character: 5 } };

describe.skipIf(reason)(titled("what the real CLI knows of the editor", reason), () => {
  it("is the selection, at its prompt and in the next request, once", async () => {
    const scene = await Scene.open();
    const { claude, api } = await scene.connect();
    const path = scene.workspace.path(OPEN_FILE);

    await scene.ide.select(path, twoLines);

    await claude.terminal.waitFor((screen) => inputLine(screen).includes("⧉ 2 lines selected"));
    const frames = scene.ide.wire.entries.filter(
      ({ message }) => message.method === "selection_changed",
    );
    expect(frames.at(-1)?.message.params).toMatchObject({
      text: "two\nthree",
      filePath: path,
      selection: twoLines,
    });
    api.script(text("Two lines."), text("Nothing."));
    await claude.submit("what is it");
    const selected = `The user selected the lines 2 to 3 from ${path}:\ntwo\nthree\n`;
    expect((await api.nextRequest("what is it")).news).toContain(selected);
    expect(inputLine(await claude.terminal.waitFor("Two lines."))).not.toContain("⧉");

    await claude.submit("and now");
    const next = await api.nextRequest("and now");
    expect(next.news).not.toContain("The user selected");
    expect(next.all.split(selected)).toHaveLength(2);
    await claude.terminal.waitFor("Nothing.");
  });

  it("is what the person mentions, as @file#L2-4 at the prompt", async () => {
    const scene = await Scene.open();
    const { claude, api } = await scene.connect();

    await scene.ide.mention(scene.workspace.path(OPEN_FILE), { first: 1, last: 3 });

    await claude.terminal.waitFor((screen) => inputLine(screen).includes(`@${OPEN_FILE}#L2-4`));
    const frame = await scene.ide.wire.waitFor(({ message }) => message.method === "at_mentioned");
    expect(frame.message.params).toEqual({
      filePath: scene.workspace.path(OPEN_FILE),
      lineStart: 1,
      lineEnd: 3,
    });
    api.script(text("Three lines."));
    await claude.submit("explain");
    const { news } = await api.nextRequest("explain");
    expect(news).toContain(`@${OPEN_FILE}#L2-4 explain`);
    expect(news).toContain("2\ttwo\n3\tthree\n4\tfour\n");
    expect(news).not.toMatch(/\tone|\tfive/);
    await claude.terminal.waitFor("Three lines.");
  });

  it("is what an edit has broken, and not what was broken before", async () => {
    const scene = await Scene.open();
    const agent = await scene.connect();
    const path = await scene.workspace.write("a.txt", "one\nBROKEN before\n");
    const input = { file_path: path, old_string: "one", new_string: "BROKEN now" };
    agent.api.script(toolUse("Edit", input), text(DONE));
    await agent.claude.submit("break it");
    const proposal = await proposed(scene, agent, path);

    await scene.ide.accept(proposal.id);

    const { news } = await agent.api.nextRequest("<new-diagnostics>");
    expect(news).toContain(`[Line 1:1] "BROKEN now" is broken (toy)`);
    expect(news).not.toContain("BROKEN before");
    await agent.claude.terminal.waitFor("Found 1 new diagnostic issue in 1 file");
    await agent.claude.terminal.waitFor(DONE);
    expect(await diagnosed(scene, { uri: `file://${path}` })).toEqual(["BROKEN before"]);
    expect(await diagnosed(scene, {})).toEqual(["BROKEN now", "BROKEN before"]);
    expect(await scene.workspace.read("a.txt")).toBe("BROKEN now\nBROKEN before\n");
  });
});

/** The lines that were reported as broken when the CLI asked with these arguments. */
async function diagnosed(scene: Scene, args: object): Promise<unknown[]> {
  const { wire } = scene.ide;
  const asked = JSON.stringify(args);
  const call = await wire.waitFor(
    (frame) =>
      frame.calls("getDiagnostics") && JSON.stringify(frame.message.params?.arguments) === asked,
  );
  const { texts } = await wire.waitFor((frame) => frame.answers(call));
  const files = JSON.parse(texts?.[0] ?? "") as { diagnostics: { message: string }[] }[];
  return files.flatMap(({ diagnostics }) =>
    diagnostics.map(({ message }) => message.match(/BROKEN \w+/)?.[0]),
  );
}
