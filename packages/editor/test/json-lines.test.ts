import { PassThrough } from "node:stream";
import { fileUri } from "@lockstep/protocol";
import { describe, expect, it, vi } from "vitest";
import { type Abilities, type Change, InMemoryEditor, withAbilities } from "../src/index.js";
import { exposeEditor, linesOver, remoteEditor } from "../src/json-lines/index.js";

/** A plugin in another language: whatever it writes, and what it is sent. */
function plugin() {
  const out = new PassThrough();
  const incoming = new PassThrough();
  const received: string[] = [];
  linesOver(incoming, out).read(
    (line) => void received.push(line),
    () => {},
  );
  return {
    write: (message: unknown) =>
      out.write(`${JSON.stringify({ jsonrpc: "2.0", ...(message as object) })}\n`),
    raw: (text: string | Buffer) => out.write(text),
    end: () => out.end(),
    received,
    lines: linesOver(out, incoming),
  };
}

const call = { agent: { id: "1", name: "a" }, signal: new AbortController().signal };
const uri = fileUri("/workspace/a.ts");

/** An editor with these abilities, seen from the other end of its lines. */
async function exposed(abilities: Abilities, options?: { pid: number }) {
  const [toEditor, toEngine] = [new PassThrough(), new PassThrough()];
  const editor = withAbilities(new InMemoryEditor(), () => abilities);
  const left = exposeEditor(editor, linesOver(toEditor, toEngine), options);
  const remote = await remoteEditor(linesOver(toEngine, toEditor));
  return { remote, left, leave: () => void toEditor.end() };
}

const hello = (more: object = {}) => ({
  method: "hello",
  params: { name: "Vim", folders: ["file:///p"], abilities: ["selection"], ...more },
});

describe("an editor in another language", () => {
  it("may cut its lines anywhere, and write U+2028 as it is", async () => {
    const { raw, lines } = plugin();
    const opened = remoteEditor(lines);
    const line = Buffer.from(
      `${JSON.stringify({ jsonrpc: "2.0", ...hello({ name: "Vim\u2028😀" }) })}\r\n\n`,
    );
    for (const byte of line) raw(Buffer.from([byte]));
    expect((await opened).name).toBe("Vim\u2028😀");
  });

  it("may spell its URIs as it likes", async () => {
    const { write, lines } = plugin();
    const opened = remoteEditor(lines);
    write(hello({ folders: ["file:///a b/ü"] }));
    expect((await opened).folders).toEqual(["file:///a%20b/%C3%BC"]);
  });

  it("changes its folders and abilities by saying hello again", async () => {
    const { write, lines } = plugin();
    const opened = remoteEditor(lines);
    write(hello());
    const editor = await opened;
    const changes: Change[] = [];
    const told = new Promise<void>((resolve) => {
      editor.subscribe((change) => {
        changes.push(change);
        if (change.kind === "selection") resolve();
      });
    });
    write(hello({ abilities: ["tabs"] }));
    write(hello({ abilities: ["tabs"], folders: ["file:///q"] }));
    write(hello({ abilities: ["tabs"], folders: ["file:///q"] }));
    write({ method: "changed", params: { kind: "selection" } });
    await told;
    expect(changes.map(({ kind }) => kind)).toEqual(["abilities", "folders", "selection"]);
    expect(Object.keys(editor.abilities)).toEqual(["tabs"]);
    expect(editor.folders).toEqual(["file:///q"]);
  });

  it("is not believed what makes no sense, and goes on being heard", async () => {
    const { write, raw, lines, received } = plugin();
    const opened = remoteEditor(lines);
    write(hello());
    const editor = await opened;
    const warned = new Promise((resolve) => process.once("warning", resolve));
    write({ method: "changed", params: { kind: "no such kind" } });
    raw("garbage\nnull\n[]\n");
    const answer = editor.abilities.selection?.(undefined, call);
    await expect.poll(() => received.length).toBeGreaterThan(0);
    const asked = received
      .map((line) => JSON.parse(line))
      .find(({ method }) => method === "selection");
    write({ id: asked.id, result: { uri: "not a uri", range: null, text: 7 } });
    await expect(answer).rejects.toThrow('"selection" is not valid');
    expect(await warned).toBeInstanceOf(Error);
  });

  it("is gone when its lines end, before or after it said hello", async () => {
    const early = plugin();
    const never = remoteEditor(early.lines);
    early.end();
    await expect(never).rejects.toThrow("before it said hello");

    const late = plugin();
    const opened = remoteEditor(late.lines);
    late.write(hello());
    const editor = await opened;
    const answer = editor.abilities.selection?.(undefined, call);
    late.end();
    await editor.closed;
    await expect(answer).rejects.toThrow("closed");
  });
});

describe("the first hello", () => {
  it("is refused with a sentence if it is not valid", async () => {
    const { write, lines } = plugin();
    const opened = remoteEditor(lines);
    write(hello({ folders: ["/home/ada"] }));
    await expect(opened).rejects.toThrow(/^The editor's "hello" is not valid: .*not a URI/);
  });

  it("may tell the editor's process", async () => {
    for (const [told, pid] of [
      [{ pid: 4711 }, 4711],
      [{ pid: null }, undefined],
      [{}, undefined],
    ] as const) {
      const { write, lines } = plugin();
      const opened = remoteEditor(lines);
      write(hello(told));
      expect((await opened).pid).toBe(pid);
    }
    for (const pid of [0, -1, 1.5, "4711"]) {
      const { write, lines } = plugin();
      const opened = remoteEditor(lines);
      write(hello({ pid }));
      await expect(opened).rejects.toThrow("pid");
    }
  });
});

it("an editor that is disposed of is closed, and its answers come no more", async () => {
  const { write, lines } = plugin();
  const opened = remoteEditor(lines);
  write(hello());
  const editor = await opened;
  const answer = editor.abilities.selection?.(undefined, call);
  const refused = expect(answer).rejects.toThrow("closed");
  await editor[Symbol.asyncDispose]();
  await editor.closed;
  await refused;
});

describe("an editor that is exposed", () => {
  it("tells its own process, or the one it is given", async () => {
    expect((await exposed({})).remote.pid).toBe(process.pid);
    expect((await exposed({}, { pid: 4711 })).remote.pid).toBe(4711);
  });

  it("fails with its reason", async () => {
    const { remote } = await exposed({
      save: () => Promise.reject(new Error("The disk is full")),
      open: () => {
        throw new Error("The window is closed");
      },
      format: () => Promise.reject(new Error("")),
    });
    const { save, open, format } = remote.abilities;
    await expect(save?.({ uri }, call)).rejects.toThrow("The disk is full");
    const opening = open?.({ uri, focus: true, preview: false }, call);
    await expect(opening).rejects.toThrow("The window is closed");
    await expect(format?.({ uri }, call)).rejects.toThrow("gave no reason");
  });

  it("warns of what fails with nobody to answer to", async () => {
    const { remote } = await exposed({
      activity: () => {
        throw new Error("The status line is gone");
      },
    });
    const warned = new Promise((resolve) => process.once("warning", resolve));
    remote.abilities.activity?.({ kind: "turn", agent: call.agent });
    expect(await warned).toMatchObject({ message: "The status line is gone" });
  });

  it("outlives a proposal that cannot be withdrawn when the engine goes", async () => {
    let show = () => {};
    const shown = new Promise<void>((resolve) => {
      show = resolve;
    });
    const { remote, leave, left } = await exposed({
      review: () => {
        show();
        return {
          outcome: new Promise(() => {}),
          withdraw: () => Promise.reject(new Error("The tab is gone")),
        };
      },
    });
    const proposal = { id: "1", uri, label: "l", base: null, text: "", outside: false };
    remote.abilities.review?.(proposal, call);
    await shown;
    // Unhandled, the rejection would fail this run.
    const warned = new Promise((resolve) => process.once("warning", resolve));
    leave();
    await left;
    expect(await warned).toMatchObject({ message: "The tab is gone" });
  });
});

it("a long line is gone over once, in however many chunks it comes", () => {
  const input = new PassThrough();
  const lines: string[] = [];
  linesOver(input, new PassThrough()).read(
    (line) => void lines.push(line),
    () => {},
  );
  const chunk = "a".repeat(100);
  const split = vi.spyOn(String.prototype, "split");
  for (let sent = 0; sent < 1_000; sent++) input.emit("data", Buffer.from(chunk));
  input.emit("data", Buffer.from("b\nc\n\nd"));
  input.emit("data", Buffer.from("e\n"));
  const searched = split.mock.contexts.reduce((sum: number, text) => sum + String(text).length, 0);
  split.mockRestore();
  expect(lines).toEqual([`${chunk.repeat(1_000)}b`, "c", "de"]);
  expect(searched).toBeLessThan(2 * chunk.length * 1_000);
});
