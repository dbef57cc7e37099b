import { describe, it } from "vitest";
import { editorContract, type Subject } from "../src/contract/index.js";
import { inMemorySubject } from "./in-memory-subject.js";
import { remoteSubject } from "./remote-subject.js";

const subjects: Record<string, () => Subject | Promise<Subject>> = {
  "the in-memory editor": inMemorySubject,
  "the in-memory editor in another process": remoteSubject,
};

for (const [name, open] of Object.entries(subjects)) {
  describe(`the Editor contract, kept by ${name}`, () => {
    for (const { sentence, check } of editorContract) {
      it(sentence, async () => {
        await using subject = await open();
        await check(subject);
      });
    }
  });
}
