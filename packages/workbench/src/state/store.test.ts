import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Patch, State } from "../contract/state.js";
import { initialState } from "./initial-state.js";
import { Store } from "./store.js";

/** What a window does with a patch. */
function applied(state: State, patch: Patch): State {
  if (patch.kind === "slice") return { ...state, [patch.slice]: patch.value };
  const { [patch.key]: _, ...rest } = state[patch.collection] as Record<string, unknown>;
  const entries = patch.value === null ? rest : { ...rest, [patch.key]: patch.value };
  return { ...state, [patch.collection]: entries };
}

const key = fc.constantFrom("a", "b", "__proto__", "constructor");
const act = fc.oneof(
  fc.record({ do: fc.constant("put" as const), key, text: fc.string() }),
  fc.record({ do: fc.constant("remove" as const), key, text: fc.constant("") }),
  fc.record({ do: fc.constant("set" as const), key, text: fc.string() }),
);

describe("the store", () => {
  it("keeps every copy that applies its patches equal to itself, with no number left out", () => {
    fc.assert(
      fc.property(fc.array(act), (acts) => {
        const store = new Store(initialState("/workspace"));
        let copy = store.state;
        const numbers: number[] = [];
        store.subscribe((patch) => {
          numbers.push(patch.sequence);
          copy = applied(copy, JSON.parse(JSON.stringify(patch)));
        });
        for (const { do: what, key: id, text } of acts) {
          if (what === "put") store.put("notices", id, { id, severity: "error", text });
          else if (what === "remove") store.remove("notices", id);
          else store.set("fileUndo", text);
        }
        expect(copy).toEqual(store.state);
        expect(numbers).toEqual(numbers.map((_, index) => index + 1));
        expect(store.sequence).toBe(numbers.length);
      }),
    );
  });

  it("tells nothing where nothing has changed", () => {
    const store = new Store(initialState("/workspace"));
    const heard: Patch[] = [];
    store.subscribe((patch) => heard.push(patch));
    store.set("tabs", []);
    store.remove("notices", "none");
    store.put("notices", "a", { id: "a", severity: "error", text: "x" });
    store.put("notices", "a", { id: "a", severity: "error", text: "x" });
    expect(heard).toHaveLength(1);
  });
});
