import { describe, expect, it } from "vitest";
import { text, toolUse } from "../src/model-reply.js";
import { titled, whyNoClaude } from "../src/needs.js";
import { answerTo, DONE, proposed } from "../src/propose.js";
import { Scene } from "../src/scene.js";

const reason = whyNoClaude();

// The CLI drops one newline from the end of every text that comes back for a Write. Where there was
// no file before, the server sends one more; elsewhere the CLI would take that for the person's edit.
describe.skipIf(reason)(titled("a Write that the real CLI proposes", reason), () => {
  it("makes a new file with its last newline", async () => {
    const scene = await Scene.open();
    const agent = await scene.connect();
    const path = scene.workspace.path("new.txt");
    agent.api.script(toolUse("Write", { file_path: path, content: "hello\n" }), text(DONE));
    await agent.claude.submit("write it");
    const proposal = await proposed(scene, agent, path);

    await scene.ide.accept(proposal.id);

    expect(await answerTo(scene, proposal)).toEqual(["FILE_SAVED", "hello\n\n"]);
    const { news } = await agent.api.nextRequest("File created successfully");
    expect(news).not.toContain("modified");
    await agent.claude.terminal.waitFor(DONE);
    expect(await scene.workspace.read("new.txt")).toBe("hello\n");
  });

  it("loses the last newline of a file that is there, which is the CLI's fault", async () => {
    const scene = await Scene.open();
    const agent = await scene.connect();
    const path = await scene.workspace.write("old.txt", "old\n");
    agent.api.script(
      toolUse("Read", { file_path: path }),
      toolUse("Write", { file_path: path, content: "hello\n\n" }),
      text(DONE),
    );
    await agent.claude.submit("write it");
    const proposal = await proposed(scene, agent, path);

    await scene.ide.accept(proposal.id);

    expect(await answerTo(scene, proposal)).toEqual(["FILE_SAVED", "hello\n\n"]);
    await agent.api.nextRequest("updated successfully");
    await agent.claude.terminal.waitFor(DONE);
    expect(await scene.workspace.read("old.txt")).toBe("hello\n");
  });
});
