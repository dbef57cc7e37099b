import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Peer, RpcError } from "@lockstep/protocol";
import { describe, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { LARGEST_MESSAGE } from "../contract/index.js";
import { WorkbenchError } from "../errors.js";
import { Bodies } from "./bodies.js";
import { openChannel } from "./channel.js";
import type { AllHandlers } from "./router.js";
import type { Window } from "./window.js";

/** A page and the workbench's end of its socket, with handlers of the test's own. */
async function open(handlers: Partial<AllHandlers>) {
  const http = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => http.once("listening", resolve));
  const bodies = new Bodies();
  const faults: unknown[] = [];
  const joined = new Promise<Window>((resolve) => {
    new WebSocketServer({ server: http }).on("connection", (socket) =>
      resolve(
        openChannel(socket, {
          number: 1,
          handlers: handlers as AllHandlers,
          bodies,
          report: (problem) => faults.push(problem),
        }),
      ),
    );
  });
  const socket = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`);
  await new Promise((resolve) => socket.once("open", resolve));
  const events: [string, unknown][] = [];
  const page = new Peer({
    send: (text) => socket.send(text),
    onNotification: (method, params) => events.push([method, params]),
  });
  socket.on("message", (data) => page.receive(data.toString()));
  return {
    page,
    bodies,
    faults,
    events,
    window: await joined,
    async [Symbol.asyncDispose]() {
      socket.terminate();
      http.close();
    },
  };
}

describe("a page's call", () => {
  it("is answered, and one that the workbench does not know is an error", async () => {
    await using scene = await open({ "files.undo": () => "Delete a.ts" });
    expect(await scene.page.request("files.undo", {})).toBe("Delete a.ts");
    await expect(scene.page.request("files.burn", {})).rejects.toThrow("Method not found");
    await expect(scene.page.request("constructor", {})).rejects.toThrow("Method not found");
  });

  it.each([
    ["no input", undefined],
    ["a relative path", { uri: "a.ts", preview: true }],
    ["a number for a URI", { uri: 3, preview: true }],
    ["too long a URI", { uri: `file:///${"a".repeat(10_000)}`, preview: true }],
    ["a list", []],
  ])("with %s is refused before anything sees it", async (_, input) => {
    let seen = 0;
    await using scene = await open({ "tab.open": () => void seen++ });
    await expect(scene.page.request("tab.open", input)).rejects.toThrow("Invalid params");
    expect(seen).toBe(0);
  });

  it("that fails says why in a sentence; a fault of ours says nothing of its inside", async () => {
    await using scene = await open({
      "files.undo": () => {
        throw new WorkbenchError("Nothing is there to be undone.");
      },
      "document.saveAll": () => {
        throw new Error("secret inside");
      },
    });
    await expect(scene.page.request("files.undo", {})).rejects.toThrow("Nothing is there");
    const error = await scene.page.request("document.saveAll", {}).catch((problem) => problem);
    expect(error).toBeInstanceOf(RpcError);
    expect(String(error)).not.toContain("secret");
    expect(scene.faults).toHaveLength(1);
  });
});

describe("a long message", () => {
  const long = "x".repeat(LARGEST_MESSAGE + 1);

  it("does not travel on the socket, in either direction", async () => {
    let heard = "";
    await using scene = await open({
      "text.attach": () => ({ epoch: "e", version: 0, text: long }),
      "search.replace": ({ replacement }) => {
        heard = replacement;
        return { files: 0, matches: 0 };
      },
    });
    const answer = (await scene.page.request("text.attach", { name: "a" })) as { $body: string };
    expect(JSON.parse(scene.bodies.take(answer.$body) ?? "").text).toBe(long);
    const query = { text: "a", regex: false, caseSensitive: false, wholeWord: false };
    const input = { query: { ...query, include: "", exclude: "" }, uris: [], replacement: "b" };
    const $body = scene.bodies.put(JSON.stringify(input));
    await scene.page.request("search.replace", { $body });
    expect(heard).toBe("b");
    await expect(scene.page.request("search.replace", { $body })).rejects.toThrow("not there");
  });

  it("that is an event is fetched as well", async () => {
    await using scene = await open({ "files.undo": () => null });
    scene.window.send("review.base", { id: "1", base: long, moves: 1 });
    await scene.page.request("files.undo", {});
    const [[name, params] = []] = scene.events;
    expect(name).toBe("review.base");
    expect(scene.bodies.take((params as { $body: string }).$body)).toContain(long);
  });
});

describe("a page that goes", () => {
  it("is told of to those who still want to know", async () => {
    const told: string[] = [];
    await using scene = await open({});
    scene.window.onClose(() => told.push("first"));
    const listening = scene.window.onClose(() => told.push("second"));
    const gone = new Promise<void>((resolve) => scene.window.onClose(resolve));
    listening[Symbol.dispose]();
    await scene[Symbol.asyncDispose]();
    await gone;
    expect(told).toEqual(["first"]);
  });
});
