import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { chooseIde, connect, findIdes } from "@lockstep/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { openJson, run, serveJson, start } from "./command.js";
import { project } from "./project.js";

const BEFORE = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", ""];
const AFTER = ["ONE", "two", "three", "four", "FIVE", "six", "seven", "eight", "NINE", ""];

/** A project with the editor on it, and an agent that proposes three changes of one file. */
async function scene(command: typeof openJson = openJson) {
  const { home, folder } = await project();
  const path = join(folder, "numbers.txt");
  await writeFile(path, BEFORE.join("\n"));
  const editor = await command(home, [folder]);
  onTestFinished(() => editor[Symbol.asyncDispose]());
  const configDir = join(home, ".claude");
  const ides = await findIdes({ configDir });
  const connection = await connect(chooseIde(ides, { port: editor.ready.port }));
  onTestFinished(() => connection.close());
  const propose = () =>
    connection.tools.openDiff({
      old_file_path: path,
      new_file_path: path,
      new_file_contents: AFTER.join("\n"),
      tab_name: "numbers",
    });
  return { home, folder, path, connection, propose };
}

/** A person who types these lines. */
async function review(
  home: string,
  folder: string,
  lines: readonly string[],
  { env = {}, args = [] }: { env?: NodeJS.ProcessEnv; args?: readonly string[] } = {},
) {
  const child = start(home, ["review", ...args], folder, env);
  let printed = "";
  child.stdout?.on("data", (chunk) => (printed += chunk));
  child.stderr?.on("data", (chunk) => (printed += chunk));
  child.stdin?.end(lines.map((line) => `${line}\n`).join(""));
  const [code] = await once(child, "close");
  return { code, printed };
}

/** As soon as the proposal is in the queue. */
async function untilProposed(home: string, folder: string): Promise<void> {
  await expect
    .poll(async () => JSON.parse((await run(home, ["review", "--json"], folder)).stdout), {
      timeout: 20_000,
    })
    .toHaveLength(1);
}

describe("lockstep review", () => {
  it("shows each change, and sends what was made of them", async () => {
    const { home, folder, path, propose } = await scene();
    const answer = propose();
    await untilProposed(home, folder);
    const { code, printed } = await review(home, folder, ["k", "d", "n", "A"]);
    expect(code).toBe(0);
    expect(printed).toContain("numbers.txt, proposed by lockstep");
    expect(printed).toContain("@@ -1,1 +1,1 @@\n-one\n+ONE\n two\n three\n four\n");
    expect(printed).toContain("That was all. 1 kept, 1 dropped, 1 undecided (kept, if you accept)");
    const kept = BEFORE.with(0, "ONE").with(8, "NINE").join("\n");
    expect(await answer).toEqual({ kind: "saved", text: kept });
    // The agent writes the file, never the editor.
    expect(await readFile(path, "utf8")).toBe(BEFORE.join("\n"));
  });

  it("lets a hunk be edited in one's own editor, and decisions be undone", async () => {
    const { home, folder, propose } = await scene();
    const answer = propose();
    await untilProposed(home, folder);
    const editor = join(home, "editor.sh");
    await writeFile(editor, "#!/bin/sh\nprintf 'first\\nof all\\n' > \"$1\"\n", { mode: 0o755 });
    const { printed } = await review(home, folder, ["d", "u", "b", "e", "b", "A"], {
      env: { EDITOR: editor },
    });
    expect(printed).toContain("+first\n");
    const text = ["first", "of all", ...AFTER.slice(1)].join("\n");
    expect(await answer).toEqual({ kind: "saved", text });
  });

  it("rejects with a reason, and works with lockstep serve as well", async () => {
    const { home, folder, propose } = await scene(serveJson);
    const answer = propose();
    await untilProposed(home, folder);
    const { printed } = await review(home, folder, ["R", "Keep the names small."]);
    expect(printed).toContain("Rejected.");
    expect(await answer).toMatchObject({ kind: "rejected" });
  });

  it("answers nothing when the person only looks, leaves, or puts it off", async () => {
    const { home, folder, propose } = await scene();
    let answered = false;
    // It ends unanswered, when the agent leaves at the end.
    void propose().then(
      () => {
        answered = true;
      },
      () => {},
    );
    await untilProposed(home, folder);
    for (const lines of [[], ["q"], ["l"], ["?", "nonsense", "q"]]) {
      expect((await review(home, folder, lines)).code).toBe(0);
    }
    await untilProposed(home, folder);
    expect(answered).toBe(false);
  });

  it("goes through what an agent has written without asking, and undoes it in the file", async () => {
    const { home, folder, path, connection } = await scene();
    await connection.tools.closeAllDiffTabs({});
    await writeFile(path, AFTER.join("\n"));
    await writeFile(join(folder, "new.txt"), "new\n");
    const changed = async () =>
      JSON.parse((await run(home, ["review", "--turn", "--json"], folder)).stdout);
    await expect.poll(changed, { timeout: 20_000 }).toMatchObject({
      files: [
        { path: "new.txt", kind: "created" },
        { path: "numbers.txt", kind: "edited" },
      ],
    });
    const args = ["--turn"];
    const { printed } = await review(home, folder, ["k", "k", "d", "d", "u", "q"], { args });
    expect(printed).toContain("new.txt (created)");
    expect(printed).toContain("-five\n+FIVE\n");
    expect(printed).toMatch(/Taken back: .*numbers\.txt/);
    const undone = AFTER.with(4, "five").join("\n");
    await expect.poll(() => readFile(path, "utf8"), { timeout: 20_000 }).toBe(undone);
  });

  it("says what it does where it is asked to, without the keys of the page", async () => {
    const { home, folder } = await project();
    await using _editor = await openJson(home, [folder]);
    const log = join(home, "review.log");
    const { code, stdout, stderr } = await run(
      home,
      ["review", "--json", "--verbose", "--log", log],
      folder,
    );
    expect([code, JSON.parse(stdout)]).toEqual([0, []]);
    expect(stderr).toMatch(/^found {2}\{.*launch=\[token\]"\}\nsent {2}\{.*window\.hello/);
    const lines = (await readFile(log, "utf8")).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).what)).toEqual(
      expect.arrayContaining(["found", "sent", "received"]),
    );
    const quiet = await run(home, ["review", "--quiet"], folder);
    expect(quiet).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("says what to do where nothing runs or nothing waits", async () => {
    const { home, folder } = await project();
    const nobody = await run(home, ["review"], folder);
    expect(nobody).toMatchObject({ code: 1, stdout: "" });
    expect(nobody.stderr).toContain("Start it: lockstep serve");
    await using _editor = await openJson(home, [folder]);
    expect((await review(home, folder, [])).printed).toBe("Nothing waits for review.\n");
  });
});
