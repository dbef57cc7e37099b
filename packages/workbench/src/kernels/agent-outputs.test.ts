import { describe, expect, it } from "vitest";
import type { MimeBundle } from "../contract/kernels.js";
import { AGENT_LIMITS, agentOutputs } from "./agent-outputs.js";

const shown = (data: MimeBundle) =>
  agentOutputs([{ output_type: "display_data", data, metadata: {} }]);

describe("what an agent is told of outputs", () => {
  it("is an image where there is one, else the plainest text", () => {
    expect(shown({ "image/jpeg": "/9j/\n4A==", "text/plain": "x" })).toEqual([
      { kind: "image", mimeType: "image/jpeg", base64: "/9j/4A==" },
    ]);
    expect(shown({ "text/html": "<b>x</b>", "text/plain": "x" })).toEqual([
      { kind: "text", text: "x" },
    ]);
    expect(shown({ "text/markdown": ["# a\n", "b"] })).toEqual([{ kind: "text", text: "# a\nb" }]);
    expect(shown({ "application/json": { a: 1 } })).toEqual([
      { kind: "text", text: "[Shown to the user: application/json]" },
    ]);
    expect(shown({})).toEqual([]);
  });

  it("has no colours", () => {
    expect(
      agentOutputs([
        { output_type: "stream", name: "stdout", text: "\u001b[31mred\u001b[0m" },
        {
          output_type: "error",
          ename: "E",
          evalue: "v",
          traceback: ["\u001b[0;31mE\u001b[0m", "v"],
        },
        { output_type: "error", ename: "E", evalue: "v", traceback: [] },
      ]),
    ).toEqual([
      { kind: "text", text: "red" },
      { kind: "text", text: "E\nv" },
      { kind: "text", text: "E: v" },
    ]);
  });

  it("says what was left out of too many and too large images", () => {
    const image = (data: string) =>
      ({ output_type: "display_data", data: { "image/png": data }, metadata: {} }) as const;
    const many = Array.from({ length: AGENT_LIMITS.images + 2 }, () => image("AAAA"));
    const told = agentOutputs([image("A".repeat(AGENT_LIMITS.image + 1)), ...many]);
    expect(told).toHaveLength(AGENT_LIMITS.images + 1);
    expect(told.at(-1)).toEqual({
      kind: "text",
      text: "[Left out because it is too long: 3 images]",
    });
  });
});
