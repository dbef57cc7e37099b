import { symlink } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { Scene } from "../scene.js";

const SECRET = "the-secret-that-nobody-may-tell";

/** Everything that an agent may ask without the person's leave. */
const QUESTIONS: [tool: string, args?: Record<string, unknown>][] = [
  ["getCurrentSelection"],
  ["getLatestSelection"],
  ["getOpenEditors"],
  ["getWorkspaceFolders"],
  ["getDiagnostics"],
  ["get_all_opened_file_paths"],
];

const places: Record<string, (scene: Scene) => Promise<string>> = {
  ".env": async () => ".env",
  "a key file": async () => "deploy/server.pem",
  "a file that the host denies": async () => "notes/private.md",
  "a file that the agent's own settings deny": async (scene) => {
    const settings = { permissions: { deny: ["Read(./vault/**)"] } };
    await scene.file(".claude/settings.json", JSON.stringify(settings));
    return "vault/a.txt";
  },
  "a git-ignored file": async (scene) => {
    await scene.file(".gitignore", "build/\n");
    return "build/out.txt";
  },
  "a harmless name that is a link to a secret": async (scene) => {
    await scene.file(".env", SECRET);
    await symlink(scene.path(".env"), scene.path("harmless.txt"));
    return "harmless.txt";
  },
};

describe("what the person selects in a file that is withheld", () => {
  for (const [place, prepare] of Object.entries(places)) {
    it(`reaches no agent by any message: ${place}`, async () => {
      await using scene = await Scene.open();
      const name = await prepare(scene);
      const open = await scene.file("open.txt", "open");
      const uri = await scene.file(name, SECRET);
      const wire: string[] = [];
      const server = await scene.serve({
        privacy: { deny: ["private.md"] },
        trace: ({ direction, text }) => void (direction === "out" && wire.push(text)),
      });
      const agent = await scene.agent(server);
      scene.editor.open(open, "open");
      await agent.notification("selection_changed");
      scene.editor.open(uri, SECRET);
      const range = {
        start: { line: 0, character: 0 },
        end: { line: 0, character: SECRET.length },
      };
      scene.editor.select(uri, range);
      scene.editor.report(uri, []);
      expect(await agent.notification("selection_changed")).toMatchObject({ text: "" });
      for (const [tool, args] of QUESTIONS) await agent.call(tool, args);
      await agent.request("getCurrentFile");
      await agent.request("getOpenFiles");
      expect(wire.length).toBeGreaterThan(QUESTIONS.length);
      for (const text of wire) {
        expect(text).not.toContain(SECRET);
      }
      await expect
        .poll(() =>
          scene.sights.some((sight) => sight.kind === "agent" && sight.event.kind === "withheld"),
        )
        .toBe(true);
    });
  }
});
