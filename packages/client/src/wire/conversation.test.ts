import { Peer } from "@lockstep/protocol";
import { describe, expect, it } from "vitest";
import { connectionOver } from "./connection.js";
import { converse } from "./conversation.js";
import { EventHub } from "./events.js";
import type { Socket, SocketListener } from "./socket.js";

/** An editor at the other end of a socket that is not Node's. */
function editorSocket(answer: (method: string) => unknown) {
  let listener: SocketListener | undefined;
  const editor = new Peer({
    send: (text) => listener?.message(text),
    onRequest: (method) => answer(method),
  });
  const socket: Socket = {
    send: (text) => editor.receive(text),
    close: () => listener?.closed(1000, ""),
    listen: (given) => {
      listener = given;
    },
  };
  return { socket, editor, drop: (code: number) => listener?.closed(code, "") };
}

describe("a conversation over any socket", () => {
  it("has typed tools and events", async () => {
    const { socket, editor } = editorSocket((method) =>
      method === "tools/call"
        ? { content: [{ type: "text", text: "/p/a\n/p/b" }] }
        : { serverInfo: { name: "Elsewhere" } },
    );
    const events = new EventHub();
    const onNotification = events.receive.bind(events);
    const connection = connectionOver(await converse(socket, { onNotification }, {}), events);
    expect(connection.server.name).toBe("Elsewhere");
    expect(await connection.tools.get_all_opened_file_paths()).toEqual(["/p/a", "/p/b"]);
    const seen: unknown[] = [];
    connection.on("at_mentioned", (mention) => seen.push(mention));
    editor.notify("at_mentioned", { filePath: "/p/a" });
    expect(seen).toEqual([{ filePath: "/p/a", lines: null }]);
    expect(await editor.request("ping")).toEqual({});
    await expect(editor.request("sampling/createMessage")).rejects.toThrow("Method not found");
    await connection.close();
    await connection.closed;
  });

  it("is refused by a close with 1008 instead of an answer", async () => {
    const { socket, drop } = editorSocket(() => new Promise(() => {}));
    const begun = converse(socket, {}, {});
    drop(1008);
    await expect(begun).rejects.toMatchObject({ code: "wrong-token" });
  });

  it("ends where the editor does not answer initialize", async () => {
    const { socket } = editorSocket(() => new Promise(() => {}));
    await expect(converse(socket, {}, { timeoutMs: 1 })).rejects.toThrow("initialize");
  });
});
