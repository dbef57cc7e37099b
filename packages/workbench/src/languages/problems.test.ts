import { fileUri } from "@lockstep/protocol";
import { expect, it, vi } from "vitest";
import { initialState } from "../state/initial-state.js";
import { Store } from "../state/store.js";
import { Problems } from "./problems.js";

const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
const items = (count: number, severity = 1, text = "x") =>
  Array.from({ length: count }, (_, index) => ({ range, severity, message: `${text}${index}` }));

function make() {
  const store = new Store(initialState("/workspace"));
  const told: string[][] = [];
  const surroundings = {
    store,
    folders: ["/workspace"],
    stateDir: "/state",
    report: () => {},
    broadcast: () => {},
  };
  const problems = new Problems(surroundings, (uris) => void told.push([...uris]));
  return { store, problems, told };
}

const a = fileUri("/workspace/src/a.ts");

it("what several servers say of a file is shown together, by its path in the workspace", async () => {
  const { store, problems, told } = make();
  problems.set("one", a, items(1));
  problems.set("two", a, items(1, 2, "y"));
  await vi.waitUntil(() => told.length === 1);
  expect(told).toEqual([[a]]);
  expect(store.state.problems[a]).toMatchObject({
    path: "src/a.ts",
    more: 0,
    items: [
      { message: "x0", severity: "error" },
      { message: "y0", severity: "warning" },
    ],
  });
  problems.set("one", a, []);
  problems.set("two", a, []);
  await vi.waitUntil(() => told.length === 2);
  expect(store.state.problems).toEqual({});
});

it("what has not changed is not told again", async () => {
  const { problems, told } = make();
  problems.set("one", a, items(3));
  await vi.waitUntil(() => told.length === 1);
  problems.set("one", a, items(3));
  problems.set("one", fileUri("/workspace/b.ts"), items(1));
  await vi.waitUntil(() => told.length === 2);
  expect(told[1]).toEqual([fileUri("/workspace/b.ts")]);
});

it("of too many, the errors are shown and the others are counted", async () => {
  const { store, problems, told } = make();
  problems.set("one", a, [...items(150, 2, "warning "), ...items(10, 1, "error ")]);
  await vi.waitUntil(() => told.length === 1);
  const shown = store.state.problems[a];
  expect(shown?.items).toHaveLength(100);
  expect(shown?.items.filter(({ severity }) => severity === "error")).toHaveLength(10);
  expect(shown?.more).toBe(60);
});

it("all of them are counted, however many are shown", async () => {
  const { store, problems, told } = make();
  problems.set("one", a, [...items(150, 2), ...items(300, 1), ...items(20, 3), ...items(5, 4)]);
  problems.set("two", a, [...items(7, 1), null, ...items(250, 2)], []);
  await vi.waitUntil(() => told.length === 1);
  const shown = store.state.problems[a];
  expect(shown?.counts).toEqual({ errors: 307, warnings: 400, informations: 20 });
});

it("a server that speaks of files without end is kept within bounds", async () => {
  const { store, problems, told } = make();
  for (let number = 0; number < 3_000; number++)
    problems.set("one", fileUri(`/workspace/${number}.ts`), items(50));
  await vi.waitUntil(() => told.length > 0);
  expect(Object.keys(store.state.problems)).toHaveLength(1_000);
  expect(problems.uris).toHaveLength(2_000);
  const kept = problems.uris.reduce((sum, uri) => sum + problems.of(uri).length, 0);
  expect(kept).toBe(20_000);
});

it("a link that is no page, and a tag or severity that does not exist, are left out", async () => {
  const { problems } = make();
  const codeDescription = { href: "javascript:alert(1)" };
  problems.set("one", a, [{ range, message: "x", severity: 9, tags: [7, 1], codeDescription }]);
  expect(problems.of(a)[0]?.problem).toEqual({
    range,
    message: "x",
    severity: "error",
    tags: ["unnecessary"],
  });
});
