import { describe, expect, it } from "vitest";
import { shownOutput } from "../../src/notebooks/outputs.js";

const picture = (size: unknown) =>
  shownOutput({
    output_type: "display_data",
    data: { "image/png": "iVBORw0KGgo=" },
    metadata: { "image/png": size },
  });

describe("a picture in a notebook", () => {
  it("is as large as it was meant, as a figure for a dense screen is", () => {
    expect(picture({ width: 320, height: 240 })).toMatchObject({
      size: { width: 320, height: 240 },
    });
    expect(picture({ width: 320 })).toMatchObject({ size: { width: 320 } });
  });

  it("has its own size where none was said, or what was said is none", () => {
    for (const size of [
      undefined,
      null,
      "large",
      {},
      { width: "320" },
      { width: -1 },
      { width: 1e9 },
    ]) {
      expect(picture(size)).not.toHaveProperty("size");
    }
  });
});
