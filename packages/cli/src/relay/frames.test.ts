import fc from "fast-check";
import { expect, it } from "vitest";
import { encodeFrame, type Frame, FrameReader } from "./frames.js";

it("frames come out as they went in, however the wire cuts them", () => {
  const frame = fc.record({
    kind: fc.constantFrom("note", "open", "text", "close"),
    channel: fc.nat(),
    body: fc.string({ unit: "binary" }),
  });
  fc.assert(
    fc.property(fc.array(frame), fc.array(fc.integer({ min: 1, max: 20 })), (frames, cuts) => {
      const bytes = Buffer.concat(frames.map((each) => encodeFrame(each as Frame)));
      const reader = new FrameReader();
      const read: Frame[] = [];
      for (let at = 0, cut = 0; at < bytes.length; cut++) {
        const length = cuts[cut % Math.max(1, cuts.length)] ?? bytes.length;
        read.push(...reader.read(bytes.subarray(at, at + length)));
        at += length;
      }
      expect(read).toEqual(frames);
    }),
  );
});

it("what is no frame is refused, before anything is kept of it", () => {
  for (const bytes of [
    Buffer.from("GET / HTTP/1.1\r\n"),
    Buffer.from([0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 1]),
    Buffer.from([0, 0, 0, 1, 9, 0, 0, 0, 1]),
  ])
    expect(() => [...new FrameReader().read(bytes)]).toThrow("no frame");
});
