import { describe, expect, it } from "vitest";
import { linkHint, webAddress } from "./web-address.js";

const hint = (address: string) => linkHint(address, "Ctrl+click");

describe("a link in the terminal", () => {
  it.each([
    "javascript:alert(1)",
    "\tjavascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "vscode://x",
    "//x",
    "",
  ])("is opened only if it leads to the web (%j)", (address) => {
    expect(webAddress(address)).toBeNull();
    expect(hint(address)).toMatch(/not opened$/);
  });

  it("tells where it leads, whatever it looks like", () => {
    expect(hint("https://example.com/a b")).toBe("https://example.com/a%20b\nCtrl+click to open");
    expect(hint("https://\u0430pple.com/")).toMatch(/^https:\/\/xn--pple-43d\.com\/\n/);
    expect(hint("https://a.example/\u202emoc.knab//:sptth")).toContain("/%E2%80%AEmoc");
    expect(hint("x:\u202e")).toContain("x:\ufffd");
  });
});
