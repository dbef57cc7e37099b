import { createServer } from "node:http";
import { expect, it } from "vitest";
import { listen } from "./listen.js";

it("is at no port that browsers refuse, wanted or not", async () => {
  const server = createServer();
  expect(await listen(server, 10_080)).not.toBe(10_080);
  server.close();
});
