import { expect, it } from "vitest";
import { pastedText } from "./pasted-text.js";

it("a paste has no keys in it, so that it cannot end itself", () => {
  expect(pastedText("ls\u001b[201~\r\nrm\u009b201~\u0003\u0004\u0000\u007f\n")).toBe(
    "ls[201~\r\nrm201~\n",
  );
  expect(pastedText("\tif (ü) {\r\n\t\t“日本”, 👩‍👩‍👧\n")).toBe(
    "\tif (ü) {\r\n\t\t“日本”, 👩‍👩‍👧\n",
  );
});
