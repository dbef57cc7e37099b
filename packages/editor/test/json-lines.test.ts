import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import type { Change } from "../src/index.js";
import { linesOver, remoteEditor } from "../src/json-lines/index.js";

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
    const call = { agent: { id: "1", name: "a" }, signal: new AbortController().signal };
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
    const call = { agent: { id: "1", name: "a" }, signal: new AbortController().signal };
    const answer = editor.abilities.selection?.(undefined, call);
    late.end();
    await editor.closed;
    await expect(answer).rejects.toThrow("closed");
  });
});
