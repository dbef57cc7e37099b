import { expect, it } from "vitest";
import { Scene } from "./scene.js";

it("environment() tells an agent in a terminal where to connect, past any proxy", async () => {
  await using scene = await Scene.open();
  const server = await scene.serve();
  const CLAUDE_CODE_SSE_PORT = String(server.port);
  const fixed = { CLAUDE_CODE_SSE_PORT, ENABLE_IDE_INTEGRATION: "true" };
  const loopback = "127.0.0.1,localhost,::1";
  expect(server.environment({})).toEqual({ ...fixed, NO_PROXY: loopback, no_proxy: loopback });
  const base = {
    NO_PROXY: "intra.example, localhost",
    no_proxy: "intra.example,10.0.0.1",
    PATH: "/bin",
  };
  const merged = "intra.example,localhost,10.0.0.1,127.0.0.1,::1";
  expect(server.environment(base)).toEqual({ ...fixed, NO_PROXY: merged, no_proxy: merged });
});
