import assert from "node:assert/strict";
import { ability, type Clause, call, failsWithReason, nextChange } from "./clause.js";

const at = (line: number, character: number) => ({ line, character });

/** What is open and selected. */
export const documentClauses: readonly Clause[] = [
  {
    sentence: "folders are absolute file URIs",
    needs: [],
    async check({ editor }) {
      assert.ok(editor.folders.length > 0);
      for (const folder of editor.folders) assert.match(folder, /^file:\/\/\//);
    },
  },
  {
    sentence: "there is no selection while nothing is open",
    needs: ["selection", "tabs"],
    async check({ editor }) {
      assert.equal(await ability(editor, "selection")(undefined, call), null);
      assert.deepEqual(await ability(editor, "tabs")(undefined, call), []);
    },
  },
  {
    sentence: "a file that the person opens is the one active tab, with an empty selection",
    needs: ["selection", "tabs"],
    async check({ editor, person, file }) {
      const first = await file("first.ts", "1\n2\n");
      const second = await file("second.md", "# two");
      await person.open(first);
      const told = [nextChange(editor, "tabs"), nextChange(editor, "selection")];
      await person.open(second);
      await Promise.all(told);
      const tabs = await ability(editor, "tabs")(undefined, call);
      assert.deepEqual(
        tabs.map(({ uri, label, languageId, lineCount, active, dirty }) => {
          return { uri, label, languageId, lineCount, active, dirty };
        }),
        [
          {
            uri: first,
            label: "first.ts",
            languageId: "typescript",
            lineCount: 3,
            active: false,
            dirty: false,
          },
          {
            uri: second,
            label: "second.md",
            languageId: "markdown",
            lineCount: 1,
            active: true,
            dirty: false,
          },
        ],
      );
      const selection = await ability(editor, "selection")(undefined, call);
      assert.deepEqual(selection, {
        uri: second,
        range: { start: at(0, 0), end: at(0, 0) },
        text: "",
      });
    },
  },
  {
    sentence: "a selection is told by 0-based lines, UTF-16 columns and its text in LF",
    needs: ["selection"],
    async check({ editor, person, file }) {
      const uri = await file("emoji.txt", "😀 one\r\ntwo\r\nthree");
      await person.open(uri);
      const told = nextChange(editor, "selection");
      const range = { start: at(0, 3), end: at(1, 2) };
      await person.select(uri, range);
      await told;
      const selection = await ability(editor, "selection")(undefined, call);
      assert.deepEqual(selection, { uri, range, text: "one\ntw" });
    },
  },
  {
    sentence: "an unsaved edit makes its tab dirty and is the document's text",
    needs: ["tabs", "text"],
    async check({ editor, person, file }) {
      const uri = await file("edited.txt", "as saved");
      await person.open(uri);
      await person.type(uri, "as typed\nnow");
      const [tab] = await ability(editor, "tabs")(undefined, call);
      assert.equal(tab?.dirty, true);
      assert.equal(tab?.lineCount, 2);
      const text = await ability(editor, "text")({ uri }, call);
      assert.deepEqual(text, { text: "as typed\nnow", dirty: true });
    },
  },
  {
    sentence: "a document that is not open has no text",
    needs: ["text"],
    async check({ editor, file }) {
      const uri = await file("closed.txt", "on the disk");
      assert.equal(await ability(editor, "text")({ uri }, call), null);
    },
  },
  {
    sentence: "a file that an agent opens with focus becomes active, with the range selected",
    needs: ["open", "selection"],
    async check({ editor, file }) {
      const uri = await file("opened.txt", "zero\none\ntwo");
      const range = { start: at(1, 0), end: at(1, 3) };
      await ability(editor, "open")({ uri, range, focus: true, preview: false }, call);
      const selection = await ability(editor, "selection")(undefined, call);
      assert.deepEqual(selection, { uri, range, text: "one" });
    },
  },
  {
    sentence: "a file that an agent opens without focus leaves the person where they were",
    needs: ["open", "selection", "tabs"],
    async check({ editor, person, file }) {
      const mine = await file("mine.txt", "mine");
      const theirs = await file("theirs.txt", "theirs");
      await person.open(mine);
      await ability(editor, "open")({ uri: theirs, focus: false, preview: false }, call);
      const selection = await ability(editor, "selection")(undefined, call);
      assert.equal(selection?.uri, mine);
      const tabs = await ability(editor, "tabs")(undefined, call);
      assert.deepEqual(new Set(tabs.map(({ uri }) => uri)), new Set([mine, theirs]));
    },
  },
  {
    sentence: "opening a file that does not exist fails with a reason and opens nothing",
    needs: ["open", "tabs"],
    async check({ editor, missingFile }) {
      const uri = missingFile("nowhere.txt");
      await failsWithReason(ability(editor, "open")({ uri, focus: true, preview: false }, call));
      assert.deepEqual(await ability(editor, "tabs")(undefined, call), []);
    },
  },
  {
    sentence: "a clean tab closes; a tab that is not there is absent",
    needs: ["close", "tabs"],
    async check({ editor, person, file }) {
      const uri = await file("clean.txt", "clean");
      await person.open(uri);
      assert.equal(await ability(editor, "close")({ uri }, call), "closed");
      assert.equal(await ability(editor, "close")({ uri }, call), "absent");
      assert.deepEqual(await ability(editor, "tabs")(undefined, call), []);
    },
  },
  {
    sentence: "unsaved work is kept when an agent closes its tab",
    needs: ["close", "text"],
    async check({ editor, person, file }) {
      const uri = await file("precious.txt", "old");
      await person.open(uri);
      await person.type(uri, "precious");
      assert.equal(await ability(editor, "close")({ uri }, call), "kept");
      assert.equal((await ability(editor, "text")({ uri }, call))?.text, "precious");
    },
  },
  {
    sentence: "a saved document is clean, keeps its text, and may be saved again",
    needs: ["save", "text"],
    async check({ editor, person, file }) {
      const uri = await file("saved.txt", "old");
      await person.open(uri);
      await person.type(uri, "new");
      for (let times = 0; times < 2; times++) {
        await ability(editor, "save")({ uri }, call);
        const text = await ability(editor, "text")({ uri }, call);
        assert.deepEqual(text, { text: "new", dirty: false });
      }
    },
  },
  {
    sentence: "saving a document that is not open fails with a reason",
    needs: ["save"],
    async check({ editor, file }) {
      const uri = await file("closed.txt", "old");
      await failsWithReason(ability(editor, "save")({ uri }, call));
    },
  },
  {
    sentence: "what the person types while an agent saves is not lost",
    needs: ["save", "text"],
    async check({ editor, person, file }) {
      const uri = await file("raced.txt", "old");
      await person.open(uri);
      await person.type(uri, "new");
      const saving = ability(editor, "save")({ uri }, call);
      await person.type(uri, "newer");
      await saving;
      assert.equal((await ability(editor, "text")({ uri }, call))?.text, "newer");
    },
  },
  {
    sentence: "what the person types while an agent opens the same file is not lost",
    needs: ["open", "text"],
    async check({ editor, person, file }) {
      const uri = await file("raced.txt", "old");
      const opening = ability(editor, "open")({ uri, focus: true, preview: false }, call);
      await person.open(uri);
      await person.type(uri, "new");
      await opening;
      assert.equal((await ability(editor, "text")({ uri }, call))?.text, "new");
    },
  },
  {
    sentence: "what the person types while an agent formats is not lost; the format may fail",
    needs: ["format", "text"],
    async check({ editor, person, file }) {
      const uri = await file("raced.json", '{"a":1}');
      await person.open(uri);
      const formatting = ability(editor, "format")({ uri }, call);
      await Promise.all([
        person.type(uri, '{"typed":1}'),
        formatting.catch(() => failsWithReason(formatting)),
      ]);
      assert.match((await ability(editor, "text")({ uri }, call))?.text ?? "", /"typed"/);
    },
  },
  {
    sentence:
      "formatting an unsaved document leaves it unsaved; a missing file fails with a reason",
    needs: ["format", "text"],
    async check({ editor, person, file, missingFile }) {
      const uri = await file("formatted.json", "{}");
      await person.open(uri);
      await person.type(uri, '{"a":1}');
      await ability(editor, "format")({ uri }, call);
      assert.equal((await ability(editor, "text")({ uri }, call))?.dirty, true);
      await failsWithReason(ability(editor, "format")({ uri: missingFile("none.json") }, call));
    },
  },
  {
    sentence: "diagnostics of one file are one entry, empty for a clean file",
    needs: ["diagnostics"],
    async check({ editor, file }) {
      const uri = await file("clean.ts", "export {};\n");
      const found = await ability(editor, "diagnostics")({ uri, settleMs: 100 }, call);
      assert.deepEqual(found, [{ uri, items: [] }]);
    },
  },
];
