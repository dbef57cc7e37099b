import { chmodSync, existsSync, readFileSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DirectScene } from "./direct-scene.js";

const line = fc.constantFrom("a", "b", "c", "", "ä", "}", "a b");
const end = fc.constantFrom("\n", "\n", "\n", "\r\n", "\r");
const text = fc
  .tuple(fc.constantFrom("", "", "\ufeff"), fc.array(fc.tuple(line, end), { maxLength: 12 }), line)
  .map(([mark, lines, last]) => mark + lines.map((each) => each.join("")).join("") + last);

type Step =
  | { readonly do: "write"; readonly text: string }
  | { readonly do: "mode"; readonly mode: number }
  | { readonly do: "delete" }
  | { readonly do: "hunk"; readonly at: number; readonly decision: "kept" | "undone" }
  | { readonly do: "file"; readonly decision: "kept" | "undone" }
  | { readonly do: "back" }
  | { readonly do: "again" };

const decision = fc.constantFrom("kept" as const, "undone" as const, "undone" as const);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("write" as const), text }) },
  fc.record({ do: fc.constant("mode" as const), mode: fc.constantFrom(0o644, 0o755, 0o600) }),
  fc.record({ do: fc.constant("delete" as const) }),
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("hunk" as const), at: fc.nat(5), decision }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("file" as const), decision }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("back" as const) }) },
  fc.record({ do: fc.constant("again" as const) }),
);

/** All there is to a file: null for none. */
interface Sight {
  readonly bytes: string;
  readonly mode: number;
}
function look(path: string): Sight | null {
  if (!existsSync(path)) return null;
  return { bytes: readFileSync(path).toString("hex"), mode: statSync(path).mode & 0o777 };
}

describe("any sequence of outside changes, decisions and ways back", () => {
  it("gives the exact bytes, and ends where it began when all is undone", async () => {
    await fc.assert(
      fc.asyncProperty(fc.option(text), fc.array(step, { maxLength: 10 }), async (first, steps) => {
        await using scene = await DirectScene.open((folder) => {
          writeFileSync(`${folder}/other.txt`, "other\n");
          if (first !== null) writeFileSync(`${folder}/a.txt`, first, { mode: 0o644 });
        });
        await scene.prompt();
        const path = scene.path("a.txt");
        const began = look(path);
        for (const each of steps) await take(scene, path, each);
        const [file] = await scene.changed("a.txt");
        if (!file) return void expect(look(path)).toEqual(began);
        expect(await scene.decide("undone", file.id)).toEqual({ refused: [] });
        expect(look(path)).toEqual(began);
        expect(look(scene.path("other.txt"))?.bytes).toBe(Buffer.from("other\n").toString("hex"));
      }),
      { numRuns: 25 },
    );
  }, 120_000);
});

async function take(scene: DirectScene, path: string, each: Step): Promise<void> {
  const before = look(path);
  if (each.do === "write") writeFileSync(path, each.text);
  else if (each.do === "delete") before && unlinkSync(path);
  else if (each.do === "mode") before && chmodSync(path, each.mode);
  else return decide(scene, path, each, before);
  await scene.changed("a.txt");
}

/** A decision that is taken back leaves no trace, and so does one that is refused. */
async function decide(
  scene: DirectScene,
  path: string,
  each: Exclude<Step, { do: "write" | "delete" | "mode" }>,
  before: Sight | null,
): Promise<void> {
  const { undo, redo } = scene.running;
  const [file] = await scene.files();
  if (each.do === "back" || each.do === "again") {
    const name = each.do === "back" ? "undo" : "redo";
    if ((name === "undo" ? undo : redo) === null) return;
    const { refused } = await scene.act(name);
    if (refused.length > 0) return;
    const after = look(path);
    // And there and back again.
    await scene.act(name === "undo" ? "redo" : "undo");
    expect(look(path)).toEqual(before);
    await scene.act(name);
    expect(look(path)).toEqual(after);
    return;
  }
  if (!file) return;
  const hunks = each.do === "hunk" ? ((await scene.hunks(file.id))?.hunks ?? []) : [];
  const hunk = each.do === "hunk" ? hunks[each.at % Math.max(1, hunks.length)]?.id : undefined;
  if (each.do === "hunk" && hunk === undefined) return;
  const { refused } = await scene.decide(each.decision, file.id, hunk);
  if (refused.length > 0) return void expect(look(path)).toEqual(before);
  const after = look(path);
  if (scene.running.undo === null) return void expect(after).toEqual(before);
  await scene.act("undo");
  const changed = JSON.stringify(after) !== JSON.stringify(before);
  if (changed) expect(look(path)).toEqual(before);
  await scene.act("redo");
  expect(look(path)).toEqual(after);
}
