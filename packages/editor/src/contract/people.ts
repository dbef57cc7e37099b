import assert from "node:assert/strict";
import type { Change } from "../port.js";
import { ability, type Clause, call, nextChange } from "./clause.js";

/** What passes between the person and an agent. */
export const peopleClauses: readonly Clause[] = [
  {
    sentence: "a mention carries its file and lines, and no lines for a whole file",
    needs: [],
    async check({ editor, person, file }) {
      const uri = await file("mentioned.txt", "0\n1\n2\n3");
      const lines = nextChange(editor, "mention");
      await person.mention(uri, { first: 1, last: 2 });
      assert.deepEqual((await lines).uri, uri);
      assert.deepEqual((await lines).lines, { first: 1, last: 2 });
      const whole = nextChange(editor, "mention");
      await person.mention(uri);
      assert.equal((await whole).lines, undefined);
    },
  },
  {
    sentence: "a question gets the person's answer, and no while nobody said yes",
    needs: ["confirm"],
    async check({ editor, person }) {
      const question = { title: "May I?", detail: "It is harmless." };
      assert.equal(await ability(editor, "confirm")(question, call), false);
      await person.answerQuestions(true);
      assert.equal(await ability(editor, "confirm")(question, call), true);
    },
  },
  {
    sentence: "a yes that was meant to last is told when it is taken back, and asked for again",
    needs: ["confirm"],
    async check({ editor, person }) {
      if (!person.takeBack) return;
      const question = { title: "May I?", detail: "From now on.", lasting: "run-code" } as const;
      const confirm = ability(editor, "confirm");
      assert.equal(await confirm(question, call), false);
      await person.answerQuestions(true);
      assert.equal(await confirm(question, call), true);
      await person.answerQuestions(false);
      const told = nextChange(editor, "consents");
      await person.takeBack();
      await told;
      assert.equal(await confirm(question, call), false);
    },
  },
  {
    sentence: "changes come in order, and a question after one sees at least that state",
    needs: ["selection"],
    async check({ editor, person, file }) {
      const uri = await file("order.txt", "abcdefghij");
      await person.open(uri);
      const ends: number[] = [];
      const pulls: Promise<void>[] = [];
      const subscription = editor.subscribe((change) => {
        if (change.kind !== "selection") return;
        const pull = ability(editor, "selection")(undefined, call);
        pulls.push(pull.then((selection) => void ends.push(selection?.range.end.character ?? -1)));
      });
      for (let end = 1; end <= 5; end++) {
        const told = nextChange(editor, "selection");
        await person.select(uri, {
          start: { line: 0, character: 0 },
          end: { line: 0, character: end },
        });
        await told;
      }
      await Promise.all(pulls);
      subscription[Symbol.dispose]();
      assert.equal(ends.at(-1), 5);
      assert.deepEqual(ends, [...ends].sort());
      for (const [index, end] of ends.entries()) assert.ok(end >= index + 1);
    },
  },
  {
    sentence: "a listener that has unsubscribed hears nothing more, and the others go on",
    needs: [],
    async check({ editor, person, file }) {
      const uri = await file("heard.txt", "");
      const heard: Change[] = [];
      editor.subscribe((change) => void heard.push(change))[Symbol.dispose]();
      const other = nextChange(editor, "mention");
      await person.mention(uri);
      await other;
      assert.deepEqual(heard, []);
    },
  },
  {
    sentence: "what agents do is taken note of and never fails",
    needs: ["activity"],
    async check({ editor }) {
      for (const kind of ["connected", "turn", "left"] as const) {
        ability(editor, "activity")({ kind, agent: call.agent });
      }
    },
  },
];
