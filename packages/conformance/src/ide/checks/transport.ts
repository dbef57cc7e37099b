import { once } from "node:events";
import { SUBPROTOCOL } from "@lockstep/protocol";
import { expect, seen } from "../../check.js";
import type { IdeCheck } from "./ide-check.js";

const MEGABYTE = 1024 * 1024;

export const transport: readonly IdeCheck[] = [
  {
    clause: "C7",
    title: "A WebSocket is served at / on 127.0.0.1",
    async check(ide) {
      const { status, closeCode } = await ide.upgrade({ token: await ide.token() });
      expect(status === 101, `the upgrade was answered with ${status}`);
      expect(closeCode === null, `the connection was closed at once with ${closeCode}`);
    },
  },
  {
    clause: "C8",
    title: "The editor selects the subprotocol mcp",
    async check(ide) {
      const { socket } = await ide.open();
      expect(socket.protocol === SUBPROTOCOL, `it selected ${seen(socket.protocol)}`);
    },
  },
  {
    clause: "C10",
    title: "A message may come in several frames",
    async check(ide) {
      const agent = await ide.connect();
      const text = JSON.stringify({ jsonrpc: "2.0", id: "frames", method: "tools/list" });
      agent.socket.send(text.slice(0, 20), { fin: false });
      agent.socket.send(text.slice(20), { fin: true });
      await agent.answer("frames", "a request in two frames");
    },
  },
  {
    clause: "C11",
    title: "WebSocket pings are answered",
    async check(ide) {
      const { socket } = await ide.connect();
      const pong = once(socket, "pong", { signal: AbortSignal.timeout(ide.patienceMs) });
      socket.ping("lockstep");
      const [payload] = await pong.catch(() => [null]);
      expect(payload !== null, "no pong came");
      expect(String(payload) === "lockstep", "the pong has another payload");
    },
  },
  {
    clause: "C12",
    title: "A message of a megabyte is taken",
    async check(ide) {
      const agent = await ide.connect();
      const args = { text: "x".repeat(MEGABYTE) };
      await agent.answer(agent.startTool("lockstep-verify-no-such-tool", args), "a large request");
    },
  },
];
