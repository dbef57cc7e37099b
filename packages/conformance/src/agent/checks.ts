import {
  AUTH_HEADER,
  ErrorCode,
  Notification,
  PROTOCOL_VERSIONS,
  SUBPROTOCOL,
} from "@lockstep/protocol";
import { type Check, expect, seen } from "../check.js";
import { isObject, NO_MESSAGES } from "../message.js";
import type { AgentUnderTest } from "./agent-under-test.js";

/** All on one connection, in this order: the last drops it. */
export const AGENT_CHECKS: readonly Check<AgentUnderTest>[] = [
  {
    clause: "C5",
    title: "An agent finds the editor by its lock file",
    async check(agent) {
      await agent.line();
    },
  },
  {
    clause: "C9",
    title: "An agent offers the subprotocol mcp",
    async check(agent) {
      const { headers } = await agent.line();
      const offered = headers["sec-websocket-protocol"];
      const all = offered?.split(",").map((name) => name.trim()) ?? [];
      expect(all.includes(SUBPROTOCOL), `it offers ${seen(offered)}`);
    },
  },
  {
    clause: "C58",
    title: "An agent sends the lock file's token as a header",
    async check(agent) {
      const { headers } = await agent.line();
      const given = headers[AUTH_HEADER];
      expect(given !== undefined, "it sends no token");
      expect(given === agent.ide.token, "it sends another token");
    },
  },
  {
    clause: "C62",
    title: "An agent sends no Origin",
    async check(agent) {
      const { origin } = (await agent.line()).headers;
      expect(origin === undefined, `it sends ${seen(origin)}`);
    },
  },
  {
    clause: "C20",
    title: "An agent begins with initialize",
    async check(agent) {
      const line = await agent.line();
      const first = await line.received.next(() => true, agent.answerMs);
      expect(isObject(first) && first.method === "initialize", `it begins with ${seen(first)}`);
      expect(first.id !== undefined, "initialize has no id");
      const { protocolVersion, clientInfo } = isObject(first.params) ? first.params : {};
      const exists = PROTOCOL_VERSIONS.some((version) => version === protocolVersion);
      expect(exists, `protocolVersion is ${seen(protocolVersion)}`);
      const named = isObject(clientInfo) && typeof clientInfo.name === "string";
      expect(named, `clientInfo is ${seen(clientInfo)}`);
    },
  },
  {
    clause: "C21",
    title: "An agent says notifications/initialized, then ide_connected with its process",
    async check(agent) {
      const line = await agent.line();
      const ready = await line.heard(Notification.initialized, agent.answerMs);
      expect(ready, "notifications/initialized did not come");
      const connected = await line.heard(Notification.ideConnected, agent.answerMs);
      expect(connected, "ide_connected did not come");
      const { entries } = line.received;
      expect(entries.indexOf(ready) < entries.indexOf(connected), "ide_connected came first");
      const pid = isObject(connected.params) ? connected.params.pid : undefined;
      expect(Number.isInteger(pid), `its pid is ${seen(pid)}`);
    },
  },
  {
    clause: "C22",
    title: "An agent asks for the tools, and again when they have changed",
    async check(agent) {
      const line = await agent.line();
      expect(await line.heard("tools/list", agent.answerMs), "tools/list did not come");
      const before = line.received.entries.length;
      line.notify(Notification.toolsListChanged);
      const again = await line.received.next(
        (message) =>
          isObject(message) &&
          message.method === "tools/list" &&
          line.received.entries.indexOf(message) >= before,
        agent.answerMs,
      );
      expect(again, "tools/list did not come again");
    },
  },
  {
    clause: "C11",
    title: "WebSocket pings are answered",
    async check(agent) {
      expect(await (await agent.line()).ping(agent.answerMs), "no pong came");
    },
  },
  {
    clause: "C17",
    title: "ping is answered with an empty result",
    async check(agent) {
      const { result, error } = await (await agent.line()).request("ping", agent.answerMs);
      expect(isObject(result), `it was answered with ${seen(error ?? result)}`);
    },
  },
  {
    clause: "C18",
    title: "An unknown method is answered with -32601",
    async check(agent) {
      const line = await agent.line();
      const { result, error } = await line.request("lockstep/noSuchMethod", agent.answerMs);
      const code = isObject(error) ? error.code : undefined;
      expect(code === ErrorCode.methodNotFound, `it was answered with ${seen(error ?? result)}`);
    },
  },
  {
    clause: "C23",
    title: "What is no JSON-RPC message ends neither the connection nor the other side",
    async check(agent) {
      const line = await agent.line();
      for (const text of NO_MESSAGES) line.send(text);
      await line.request("ping", agent.answerMs);
    },
  },
  {
    clause: "C52",
    title: "An agent connects again after a drop, with the same token",
    async check(agent) {
      const line = await agent.line();
      line.drop();
      const next = await agent.ide.lines.next((other) => other !== line, agent.startMs);
      expect(next, "it did not connect again");
      expect(next.headers[AUTH_HEADER] === agent.ide.token, "it sends another token");
    },
  },
];
