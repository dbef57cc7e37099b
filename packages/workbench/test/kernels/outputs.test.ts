import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { titled, whyNoJupyter } from "../../../../e2e/src/needs.js";
import { LIMITS } from "../../src/kernels/output-list.js";
import { Screen, scene } from "./scene.js";

const reason = whyNoJupyter();

/** Sends an output as the kernel does itself, after `change` was made to its frames. */
const sendOutput = (change: string) => `
kernel = get_ipython().kernel
message = kernel.session.msg("stream", {"name": "stdout", "text": "sent"}, parent=kernel.get_parent())
frames = kernel.session.serialize(message, ident=b"stream")
${change}
kernel.iopub_socket.send_multipart(frames)
`;

describe.skipIf(reason)(titled("what a kernel prints", reason), () => {
  it("goes over itself after a carriage return, so that a progress bar is one line", async () => {
    const { session } = await scene();
    const code = `import sys
for i in range(5000):
    sys.stdout.write(f"\\r{i} of 5000")
    if i % 100 == 0: sys.stdout.flush()
print("\\nab\\bc")`;
    const { outputs } = await session.run({ code });
    expect(outputs).toEqual([
      { output_type: "stream", name: "stdout", text: "4999 of 5000\nac\n" },
    ]);
  });

  it("keeps standard output and errors apart and in order", async () => {
    const { session } = await scene();
    const code = `import sys
print("one", flush=True)
print("two", file=sys.stderr, flush=True)
print("three")`;
    const { outputs } = await session.run({ code });
    expect(outputs).toEqual([
      { output_type: "stream", name: "stdout", text: "one\n" },
      { output_type: "stream", name: "stderr", text: "two\n" },
      { output_type: "stream", name: "stdout", text: "three\n" },
    ]);
  });

  it("is bounded when it floods, says how much was left out, and keeps the error", async () => {
    const { session } = await scene();
    const code = `for i in range(400): print("x" * 99_999)
1 / 0`;
    const { outputs } = await session.run({ code });
    expect(outputs).toHaveLength(3);
    expect(outputs[0]).toMatchObject({ text: expect.stringMatching(/^x{99999}\n/) });
    expect(String(outputs[0] && "text" in outputs[0] && outputs[0].text)).toHaveLength(LIMITS.text);
    expect(outputs[1]).toMatchObject({
      text: "\n[Left out here: 39,000,000 more characters]\n",
    });
    expect(outputs[2]).toMatchObject({ ename: "ZeroDivisionError" });
  });

  it("that never ends can still be interrupted", async () => {
    const { session } = await scene();
    const screen = new Screen();
    const endless = session.run({ code: "while True: print('y')", ...screen });
    await screen.shows("[Left out here");
    session.interrupt();
    const { status, outputs } = await endless;
    expect(status).toBe("error");
    expect(outputs.at(-1)).toMatchObject({ ename: "KeyboardInterrupt" });
    expect(await session.run({ code: "1" })).toMatchObject({ status: "ok" });
  });

  it("is lost where it is too much for one message, which is said, and the rest comes", async () => {
    const { session } = await scene();
    const screen = new Screen();
    const code = `print("z" * 70_000_000, flush=True)
input()`;
    const result = await session.run({ code, ...screen });
    expect(result.outputs).toMatchObject([
      { text: "\n[Left out here: more output than could be taken in at once]\n" },
      { ename: "StdinNotImplementedError" },
    ]);
    expect(await session.run({ code: "print('after')" })).toMatchObject({
      outputs: [{ text: "after\n" }],
    });
  });

  it("is heard after the run as well, where a thread goes on", async () => {
    const { session, folder } = await scene();
    const screen = new Screen();
    const code = `import os, threading, time
def later():
    while not os.path.exists("go"): time.sleep(0.01)
    print("late", flush=True)
threading.Thread(target=later).start()`;
    expect(await session.run({ code, ...screen })).toMatchObject({ outputs: [] });
    await writeFile(join(folder, "go"), "");
    await screen.shows("late");
  });
});

describe.skipIf(reason)(titled("what a kernel shows", reason), () => {
  it("is cleared and replaced as it says, also what an earlier run has shown", async () => {
    const { session } = await scene();
    const cleared = await session.run({
      code: `from IPython.display import clear_output, display
print("gone")
clear_output(wait=True)
print("here")`,
    });
    expect(cleared.outputs).toMatchObject([{ text: "here\n" }]);
    const screen = new Screen();
    await session.run({ code: "handle = display('first', display_id=True)", ...screen });
    expect(screen.outputs).toMatchObject([{ data: { "text/plain": "'first'" } }]);
    const later = await session.run({ code: "handle.update('second')" });
    expect(later.outputs).toEqual([]);
    await expect
      .poll(() => screen.outputs)
      .toMatchObject([{ output_type: "display_data", data: { "text/plain": "'second'" } }]);
  });

  it("is bounded in number and size", async () => {
    const { session } = await scene();
    const many = await session.run({
      code: `from IPython.display import display
for i in range(${LIMITS.outputs + 5}): display(i)`,
    });
    expect(many.outputs).toHaveLength(LIMITS.outputs + 1);
    expect(many.outputs.at(-1)).toMatchObject({
      text: "\n[Left out here: 5 more outputs, 20 more characters]\n",
    });
    const huge = await session.run({
      code: `display({"image/png": "A" * ${LIMITS.data}, "text/plain": "?"}, raw=True)
print("after")`,
    });
    expect(huge.outputs).toMatchObject([
      { text: "\n[Left out here: 1 more outputs, 30,000,001 more characters]\n" },
      { text: "after\n" },
    ]);
  });

  it("that makes no sense is left out, and what comes after it is heard", async () => {
    const { session, faults } = await scene();
    const deep = `'{"data": {"application/json": ' + "[" * 50_000 + "]" * 50_000 + "}}"`;
    const { outputs } = await session.run({
      code: `kernel = get_ipython().kernel
def send(kind, content):
    parent = kernel.get_parent()
    kernel.session.send(kernel.iopub_socket, kind, content.encode(), parent=parent, ident=b"x")
send("error", '{"ename": 1, "evalue": [], "traceback": [{"toString": 1, "valueOf": 1}, "line"]}')
send("display_data", ${deep})
send("update_display_data", ${deep})
send("stream", '{"text": {"toString": 1}}')
print("after")`,
    });
    expect(outputs).toEqual([
      { output_type: "error", ename: "", evalue: "", traceback: ["", "line"] },
      { output_type: "stream", name: "stderr", text: "\n[Left out here: 1 more outputs]\n" },
      { output_type: "stream", name: "stdout", text: "after\n" },
    ]);
    expect(faults).toEqual([]);
  });

  it("has a table's text beside its HTML, and help as a page", async () => {
    const { session } = await scene();
    const { outputs } = await session.run({
      code: "import pandas\npandas.DataFrame({'a': [1, 2]})",
    });
    expect(outputs).toMatchObject([
      {
        output_type: "execute_result",
        data: { "text/html": expect.stringContaining("<table"), "text/plain": expect.any(String) },
      },
    ]);
    const help = await session.run({ code: "len?" });
    expect(help.outputs).toMatchObject([
      { data: { "text/plain": expect.stringContaining("Return the number of items") } },
    ]);
  });
});

describe.skipIf(reason)(
  titled("a message with a signature that is not the kernel's", reason),
  () => {
    it("is not heard, and one with the kernel's is", async () => {
      const { session } = await scene();
      const honest = await session.run({ code: sendOutput("") });
      expect(honest.outputs).toMatchObject([{ text: "sent" }]);
      for (const change of [
        'frames[2] = b"0" * 64',
        'frames[2] = b""',
        "frames[2] = frames[2][:-1]",
        'frames[6] = b\'{"name": "stdout", "text": "forged"}\'',
        "frames = frames[:4]",
        "frames = frames[2:]",
        'frames = [b"<IDS|MSG>"]',
      ]) {
        const forged = await session.run({ code: sendOutput(change) });
        expect(forged).toMatchObject({ status: "ok", outputs: [] });
      }
    });
  },
);
