import { expect, it } from "vitest";
import { markdown } from "./markdown.js";

it("whatever form a server's words have, they are Markdown", () => {
  expect(markdown(null)).toBe("");
  expect(markdown("**a**")).toBe("**a**");
  expect(markdown({ kind: "markdown", value: "*a*" })).toBe("*a*");
  expect(markdown({ kind: "plaintext", value: "a *b*\n<i>" })).toBe("a \\*b\\*  \n\\<i\\>");
  expect(markdown(["a", { language: "ts", value: "let b" }, " "])).toBe("a\n\n```ts\nlet b\n```");
});

it("code cannot end its own fence, nor name more than a language", () => {
  expect(markdown({ language: "a\nb` <c>", value: "```\n# x" })).toBe("````abc\n```\n# x\n````");
});
