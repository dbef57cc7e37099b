import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { titled, whyNoJupyter } from "../../../../e2e/src/needs.js";
import { reaches, Screen, scene } from "./scene.js";

const reason = whyNoJupyter();

const PLOT = `import matplotlib.pyplot as plt
plt.plot([1, 2, 3])
plt.show()`;

describe.skipIf(reason)(titled("a kernel", reason), () => {
  it("prints, computes and keeps its state from run to run", async () => {
    const { session } = await scene();
    expect(session.info).toEqual({ status: "off", name: null, why: null });
    const screen = new Screen();
    const first = await session.run({ code: "x = 20\nprint('early')\nx + 1", ...screen });
    expect(first).toMatchObject({ status: "ok", executionCount: 1 });
    expect(first.outputs).toEqual([
      { output_type: "stream", name: "stdout", text: "early\n" },
      {
        output_type: "execute_result",
        execution_count: 1,
        data: { "text/plain": "21" },
        metadata: {},
      },
    ]);
    expect(screen.outputs).toEqual(first.outputs);
    const second = await session.run({ code: "x * 2" });
    expect(second).toMatchObject({
      executionCount: 2,
      outputs: [{ data: { "text/plain": "40" } }],
    });
    expect(session.info).toMatchObject({ status: "idle", name: "Python 3 (ipykernel)" });
  });

  it("draws what matplotlib plots, as a PNG", async () => {
    const { session } = await scene();
    const { outputs } = await session.run({ code: PLOT });
    const image = outputs.find((output) => output.output_type === "display_data");
    const png = Buffer.from(String(image?.data["image/png"]), "base64");
    expect(png.subarray(1, 4).toString()).toBe("PNG");
  });

  it("tells an error with its traceback, and goes on", async () => {
    const { session } = await scene();
    const failed = await session.run({ code: "1 / 0" });
    expect(failed.status).toBe("error");
    expect(failed.outputs).toMatchObject([{ output_type: "error", ename: "ZeroDivisionError" }]);
    // However soon the next comes.
    for (let attempt = 0; attempt < 20; attempt++) {
      const next = session.run({ code: "1 / 0" });
      expect(await session.run({ code: "1" })).toMatchObject({ status: "ok" });
      expect(await next).toMatchObject({ status: "error" });
    }
  });

  it("refuses input, because nobody could answer", async () => {
    const { session } = await scene();
    const { outputs } = await session.run({ code: "input('name? ')" });
    expect(outputs).toMatchObject([{ output_type: "error", ename: "StdinNotImplementedError" }]);
  });

  it("is interrupted in the middle of a cell, and what waits is taken back", async () => {
    const { session } = await scene();
    const screen = new Screen();
    const running = session.run({
      code: "import time\nprint('runs', flush=True)\ntime.sleep(600)",
      ...screen,
    });
    const waiting = session.run({ code: "print('never')" });
    await screen.shows("runs");
    expect(session.info.status).toBe("busy");
    session.interrupt();
    expect(await running).toMatchObject({
      status: "error",
      outputs: [{ text: "runs\n" }, { ename: "KeyboardInterrupt" }],
    });
    expect(await waiting).toMatchObject({ status: "aborted", outputs: [] });
    expect(await session.run({ code: "1" })).toMatchObject({ status: "ok" });
  });

  it("is interrupted however soon", async () => {
    const { session } = await scene();
    for (let attempt = 0; attempt < 10; attempt++) {
      const stop = new AbortController();
      const code = "import time; time.sleep(600)";
      const onStart = () => stop.abort();
      const { status } = await session.run({ code, onStart, signal: stop.signal });
      expect(status).not.toBe("ok");
    }
    expect(await session.run({ code: "1" })).toMatchObject({ status: "ok" });
  });

  it("that is interrupted while it starts runs nothing of what it was started for", async () => {
    const { session, folder } = await scene();
    const first = session.run({ code: "open('ran', 'w').close()" });
    session.interrupt();
    expect(await first).toMatchObject({ status: "aborted", outputs: [] });
    expect(await session.run({ code: "1" })).toMatchObject({ status: "ok", executionCount: 1 });
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });

  it("that is killed in the middle of a cell says so, and starts again", async () => {
    const { session } = await scene();
    const screen = new Screen();
    const running = session.run({
      code: "y = 1\nimport time\nprint('runs', flush=True)\ntime.sleep(600)",
      ...screen,
    });
    await screen.shows("runs");
    process.kill(session.pid ?? 0, "SIGKILL");
    await expect(running).rejects.toThrow(
      "The kernel died while this code ran (signal SIGKILL). Restart it and run again.",
    );
    expect(session.info).toMatchObject({ status: "dead", why: expect.stringContaining("died") });
    await session.restart();
    expect(await session.run({ code: "y" })).toMatchObject({
      status: "error",
      outputs: [{ ename: "NameError" }],
    });
  });

  it("that dies between runs is told as dead", async () => {
    const { session } = await scene();
    await session.start();
    process.kill(session.pid ?? 0, "SIGKILL");
    await reaches(session, "dead");
    expect(session.info.why).toBe(
      "The kernel died by itself (signal SIGKILL). Restart it and run again.",
    );
  });

  it("goes on when those who listen to it fail", async () => {
    const { session, faults } = await scene();
    const fail = () => {
      throw new Error("deaf");
    };
    session.subscribe(fail);
    const code = "print('one')";
    expect(await session.run({ code, onStart: fail, onOutput: fail })).toMatchObject({
      outputs: [{ text: "one\n" }],
    });
    expect(await session.run({ code })).toMatchObject({ status: "ok" });
    expect(String(faults[0])).toBe("Error: deaf");
  });

  it("loses its state when it is restarted", async () => {
    const { session } = await scene();
    await session.run({ code: "z = 1" });
    await session.restart();
    expect(await session.run({ code: "z" })).toMatchObject({ status: "error", executionCount: 1 });
  });
});
