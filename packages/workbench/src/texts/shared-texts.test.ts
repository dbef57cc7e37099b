import { describe, expect, it } from "vitest";
import type { Window } from "../windows/window.js";
import { SharedText } from "./shared-text.js";
import { SharedTexts } from "./shared-texts.js";

/** A window that can be closed, and counts who waits for that. */
class TestWindow implements Window {
  readonly number = 1;
  readonly closers: (() => void)[] = [];
  send(): void {}
  onClose(listener: () => void): Disposable {
    this.closers.push(listener);
    return { [Symbol.dispose]: () => {} };
  }
}

describe("a window that shows shared texts", () => {
  it("has none of them any more when it is closed", () => {
    const texts = new SharedTexts();
    const window = new TestWindow();
    for (const name of ["a", "b"]) {
      texts.add(name, new SharedText(name));
      texts.attach(name, window);
    }
    for (const close of window.closers) close();
    expect([...texts.windows("a"), ...texts.windows("b")]).toEqual([]);
  });

  it("is not held on to by each text that it ever showed", () => {
    const texts = new SharedTexts();
    const window = new TestWindow();
    for (let count = 0; count < 100; count++) {
      texts.add("a", new SharedText("a"));
      texts.attach("a", window);
      texts.handlers["text.detach"]({ name: "a" }, window);
    }
    expect(window.closers).toHaveLength(1);
  });
});
