import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished, vi } from "vitest";
import { initialState } from "../state/initial-state.js";
import { Store } from "../state/store.js";
import { LanguageServer } from "./language-server.js";
import { Problems } from "./problems.js";

const fake = fileURLToPath(new URL("../../test/languages/fake-server.mjs", import.meta.url));

function make(args: readonly string[]) {
  const store = new Store(initialState("/tmp"));
  const surroundings = {
    store,
    folders: ["/tmp"],
    stateDir: "/tmp",
    report: () => {},
    broadcast: () => {},
  };
  const spec = {
    id: "fake",
    name: "Fake",
    languageIds: ["lua"],
    program: { kind: "none" },
  } as const;
  let starts = 0;
  const server = new LanguageServer({
    spec,
    store,
    folders: ["/tmp"],
    env: async () => ({}),
    texts: () => [],
    problems: new Problems(surroundings, () => {}),
    resolve: async () => {
      starts++;
      const command = { program: process.execPath, args };
      return { kind: "command", command, spec, needs: null, open: null };
    },
    applyEdit: async () => false,
    backOffMs: [10, 10],
  });
  onTestFinished(() => server.close());
  return { server, starts: () => starts, info: () => store.state.languageServers.fake };
}

it("a server that ends again and again is given up, until a person starts it", async () => {
  const { server, starts, info } = make(["-e", "process.exit(7)"]);
  server.need();
  await vi.waitUntil(() => info()?.status === "failed", 20_000);
  expect(starts()).toBe(3);
  expect(info()?.detail).toBe(
    "It ended with code 7. It is not started any more: restart it by hand.",
  );
  server.need();
  expect(starts()).toBe(3);
  await server.restart();
  await vi.waitUntil(() => info()?.status === "failed" && starts() === 6, 20_000);
});

it("a program that does not exist is told as such", async () => {
  const { server, info } = make(["/no/such/script"]);
  server.need();
  await vi.waitUntil(() => info()?.status === "failed", 20_000);
  expect(info()?.detail).toContain("It ended with code 1");
});

it("one that complains at length is quoted with its error, and not with where that was", async () => {
  const said =
    "info: starting\nerror: unknown component 'x'\n\nBacktrace:\n  0: main\n  1: <unknown>\n";
  const { server, info } = make([
    "-e",
    `process.stderr.write(${JSON.stringify(said)}, () => process.exit(1))`,
  ]);
  server.need();
  await vi.waitUntil(() => info()?.status === "failed", 20_000);
  expect(info()?.detail).toBe(
    "It ended with code 1: error: unknown component 'x'. It is not started any more: restart it by hand.",
  );
});

it("one that is closed while it starts leaves nothing behind", async () => {
  const { server, info } = make([fake, "mute"]);
  server.need();
  await vi.waitUntil(() => info()?.status === "working", 20_000);
  await server.close();
  expect(info()).toBeUndefined();
  expect(await server.ready(AbortSignal.timeout(10))).toBeNull();
});
