import { ErrorCode, PROTOCOL_VERSIONS } from "@lockstep/protocol";
import { expect, seen } from "../../check.js";
import { isObject, type Json, NO_MESSAGES } from "../../message.js";
import { readToolAnswer } from "../wire-agent.js";
import type { IdeCheck } from "./ide-check.js";

const introduction = (protocolVersion: string) => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: "lockstep-verify", version: "1.0.0" },
});

export const handshake: readonly IdeCheck[] = [
  {
    clause: "C13",
    title: "initialize is answered with a version, the capabilities and the server's name",
    async check(ide) {
      const agent = await ide.open();
      const reply = await agent.result("initialize", introduction("2025-06-18"));
      const { protocolVersion, capabilities, serverInfo } = reply;
      expect(typeof protocolVersion === "string", `protocolVersion is ${seen(protocolVersion)}`);
      expect(isObject(capabilities), `capabilities is ${seen(capabilities)}`);
      const named = isObject(serverInfo) && typeof serverInfo.name === "string";
      expect(named, `serverInfo is ${seen(serverInfo)}`);
      const { tools } = capabilities;
      expect(isObject(tools), "the capability tools is missing, so no agent asks for tools");
    },
  },
  {
    clause: "C14",
    title: "The version that the editor chooses is one that exists",
    async check(ide) {
      for (const asked of ["2024-11-05", "2025-11-25", "2099-01-01"]) {
        const agent = await ide.open();
        const { protocolVersion } = await agent.result("initialize", introduction(asked));
        const exists = PROTOCOL_VERSIONS.some((version) => version === protocolVersion);
        expect(exists, `${asked} was answered with ${seen(protocolVersion)}`);
      }
    },
  },
  {
    clause: "C15",
    title: "An answer carries its request's id, be it 0, negative or a string",
    async check(ide) {
      const agent = await ide.open();
      await agent.request("initialize", introduction("2025-06-18"), 0);
      for (const id of ["a string", -1, ""]) await agent.request("tools/list", {}, id);
    },
  },
  {
    clause: "C16",
    title: "Notifications are not answered",
    async check(ide) {
      const agent = await ide.connect();
      agent.notify("lockstep/noSuchNotification", {});
      await agent.request("tools/list", {});
      const stray = agent.arrivals.find(
        ({ message }) =>
          isObject(message) && !("method" in message) && (message.id ?? null) === null,
      );
      expect(!stray, `a notification was answered: ${seen(stray?.message)}`);
    },
  },
  {
    clause: "C17",
    title: "ping is answered with an empty result",
    async check(ide) {
      const agent = await ide.connect();
      const { result, error } = await agent.request("ping");
      expect(isObject(result), `it was answered with ${seen(error ?? result)}`);
    },
  },
  {
    clause: "C18",
    title: "An unknown method is answered with -32601",
    async check(ide) {
      const agent = await ide.connect();
      const { result, error } = await agent.request("lockstep/noSuchMethod", {});
      const code = isObject(error) ? error.code : undefined;
      expect(code === ErrorCode.methodNotFound, `it was answered with ${seen(error ?? result)}`);
    },
  },
  {
    clause: "C19",
    title: "tools/list describes each tool by a name and a schema of its arguments",
    async check(ide) {
      const agent = await ide.connect();
      const { tools } = await agent.result("tools/list", {});
      expect(Array.isArray(tools), `tools is ${seen(tools)}`);
      for (const tool of tools as Json[]) {
        expect(typeof tool.name === "string", `a tool has no name: ${seen(tool)}`);
        const { inputSchema } = tool;
        const described = isObject(inputSchema) && inputSchema.type === "object";
        expect(described, `the schema of ${tool.name} is ${seen(inputSchema)}`);
      }
    },
  },
  {
    clause: "C23",
    title: "What is no JSON-RPC message ends neither the connection nor the other side",
    async check(ide) {
      const agent = await ide.connect();
      for (const text of NO_MESSAGES) {
        agent.send(text);
        await agent.answer(agent.start("tools/list", {}), `what came after ${seen(text)}`);
      }
      await (await ide.connect()).toolNames();
    },
  },
  {
    clause: "C25",
    title: "A tool that does not exist, or with arguments that do not fit, is an error",
    async check(ide) {
      const agent = await ide.connect();
      const offered = await agent.toolNames();
      const unfit = offered.includes("openDiff") ? [["openDiff", {}] as const] : [];
      for (const [name, args] of [["lockstepNoSuchTool", {}] as const, ...unfit]) {
        const reply = await agent.answer(agent.startTool(name, args), name);
        expect(readToolAnswer(reply).failed, `${name} answered ${seen(reply.result)}`);
      }
    },
  },
];
