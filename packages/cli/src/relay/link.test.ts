import { once } from "node:events";
import { PassThrough, Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { Frame } from "./frames.js";
import { Link } from "./link.js";

const frame = (body: string): Frame => ({ kind: "text", channel: 1, body });

/** One end, and what it hears. */
function end(input: PassThrough, output: Writable) {
  const heard: Frame[] = [];
  const blocked: boolean[] = [];
  const link = new Link({
    input,
    output,
    onFrame: (each) => void heard.push(each),
    onBlocked: (now) => void blocked.push(now),
  });
  return { link, heard, blocked };
}

describe("a link", () => {
  it("passes over what shells say before the other end speaks", async () => {
    const [there, back] = [new PassThrough(), new PassThrough()];
    there.write("Welcome to box!\nlockstep-relay is installed here\n");
    const near = end(there, back);
    const far = end(back, there);
    far.link.send(frame("hello"));
    await expect.poll(() => near.heard).toEqual([frame("hello")]);
    far.link.close();
    expect(await near.link.ended).toBeNull();
  });

  it("gives up on somebody who never speaks as a relay", async () => {
    const input = new PassThrough();
    const { link } = end(input, new PassThrough());
    for (let written = 0; written <= 64; written++) input.write("x".repeat(1024));
    expect((await link.ended)?.message).toBe("There is no relay at the other end.");
  });

  it("says when the wire takes no more, and when it does again", async () => {
    let take: () => void = () => {};
    const slow = new Writable({
      write: (_chunk, _encoding, done) => {
        take = done;
      },
    });
    const { link, blocked } = end(new PassThrough(), slow);
    link.send(frame("x".repeat(1024 * 1024)));
    link.send(frame("more"));
    expect(blocked).toEqual([true]);
    const drained = once(slow, "drain");
    while (slow.writableLength > 0) {
      take();
      await new Promise(setImmediate);
    }
    await drained;
    expect(blocked).toEqual([true, false]);
    link.close();
  });
});
