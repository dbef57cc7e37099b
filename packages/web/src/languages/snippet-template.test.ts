// biome-ignore-all lint/suspicious/noTemplateCurlyInString: snippets are written like this
import { describe, expect, it } from "vitest";
import { snippetTemplate } from "./snippet-template.js";

describe("a server's snippet", () => {
  it.each([
    ["plain", "plain"],
    ["for ($1; $2) $0", "for (${1}; ${2}) ${0}"],
    ["log(${1:message})$0", "log(${1:message})${0}"],
    ["${1|public,private|} x", "${1:public} x"],
    ["${1:outer ${2:inner}}", "${1:outer inner}"],
    ["if (${1}) {\n\t$0\n}", "if (${1}) \\{\n\t${0}\n\\}"],
    ["\\$notField \\} \\\\", "$notField \\} \\"],
    ["$TM_FILENAME ${TM_SELECTED_TEXT:none}", " none"],
    ["${1:{}}", "\\{\\}"],
    ["${1:unclosed", "$\\{1:unclosed"],
    ["cost: 5$", "cost: 5$"],
    ["", ""],
  ])("%j becomes %j", (snippet, template) => {
    expect(snippetTemplate(snippet)).toBe(template);
  });

  it("of any length is read: what is tried at each field is not tried again for all before it", () => {
    expect(snippetTemplate("${1:".repeat(5_000))).toBeTypeOf("string");
  });
});
