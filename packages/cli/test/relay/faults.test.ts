import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { run } from "../command.js";
import { expectRefused, places, relayed } from "./places.js";

describe("what a relay cannot do is said in a sentence", () => {
  it("a command line that means nothing", async () => {
    const between = await places();
    const { lockstep } = between;
    await expectRefused(between, [
      [[], "ssh, exec, listen or join", 2],
      [["tunnel"], "ssh, exec, listen or join", 2],
      [["exec"], "relay exec takes a command behind --", 2],
      [["exec", "web"], "relay exec takes a command behind --", 2],
      [["listen", "s", "--", "x"], "relay listen takes no command", 2],
      [["exec", "--map", "here=there", "--", ...lockstep], "two absolute paths", 2],
      [["ssh"], "relay ssh takes a host", 2],
      [["ssh", "--", "-oProxyCommand=true"], "relay ssh takes a host", 2],
      [["listen"], "relay listen takes a socket", 2],
      [["exec", "--ide", "1", "--", ...lockstep], "No editor announces port 1", 1],
    ]);
  });

  it("another end that is not there, or has not the folder", async () => {
    const between = await places();
    const { scene, map, lockstep } = between;
    await expectRefused(between, [
      [["exec", "--", "no-such-program"], "no-such-program cannot be started", 1],
      [["exec", "--", "sh", "-c", "exit 127", "--"], "There is no lockstep at the other end", 1],
      [
        ["exec", "--", "sh", "-c", "echo no >&2; exit 3", "--"],
        "ended with 3 before the relay began: no",
        1,
      ],
      // What says itself who is speaking, as ssh does, is not named twice.
      [["exec", "--", "sh", "-c", "echo sh: no >&2; exit 3", "--"], "\nsh: no\n", 1],
      [["exec", "--map", "/elsewhere=/x", "--", ...lockstep], "no --map names that", 1],
      [
        ["exec", "--map", `${scene.folder}=/no/such/folder`, "--", ...lockstep],
        "At the other end: There is no folder /no/such/folder.",
        1,
      ],
      [["exec", "--map", map, "--", "head", "-c", "100000", "/dev/zero"], "head ended with", 1],
    ]);
  });

  it("and nothing from elsewhere can redraw the terminal (attack 22)", async () => {
    const between = await places();
    const evil = "printf '\\033[2Jevil\\n' >&2; exit 3";
    const { stderr } = await run(
      between.scene.home,
      ["relay", "exec", "--", "sh", "-c", evil, "--"],
      between.scene.folder,
    );
    expect(stderr).toContain("evil");
    expect(stderr).not.toContain("\u001b");
    await between.server.stop();
    await between.scene.serve({ ideName: "\u001b[2J\u202eNice" });
    const { ready } = await relayed(between);
    const { ideName } = JSON.parse(await readFile(ready.lockFile, "utf8"));
    expect(ideName).toContain("Nice");
    for (const mark of ["\u001b", "\u202e"]) expect(ideName).not.toContain(mark);
  });
});
