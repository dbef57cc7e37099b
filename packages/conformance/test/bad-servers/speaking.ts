import type { BadServer, Json } from "../bad-server.js";
import { failing, having, introducing, lacking } from "./change.js";
import { withTexts } from "./texts.js";

const SELECTION = {
  text: "",
  filePath: "/p/a",
  selection: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
};

/** What can be wrong with frames and messages, and with when they come. */
export const SPEAKING: readonly BadServer[] = [
  {
    name: "an end at a message in frames",
    breaks: ["C10"],
    survives: (text) => !text.includes('"frames"'),
  },
  { name: "no pongs", breaks: ["C11"], autoPong: false },
  { name: "an end at a large message", breaks: ["C12"], survives: (text) => text.length < 2 ** 19 },
  { name: "no capabilities", breaks: ["C13"], reply: introducing(having("capabilities", {})) },
  {
    name: "a version that does not exist",
    breaks: ["C14"],
    reply: introducing(having("protocolVersion", "2099-01-01")),
  },
  {
    name: "ids made strings",
    breaks: ["C15"],
    reply: (message) => (message.result ? { ...message, id: String(message.id) } : message),
  },
  {
    name: "answers to notifications",
    breaks: ["C16"],
    sees: ({ id, method }, send) => {
      if (id === undefined)
        send({ jsonrpc: "2.0", error: { code: -32601, message: `${method}?` } });
    },
  },
  {
    name: "another answer to ping",
    breaks: ["C17"],
    reply: (message) =>
      JSON.stringify(message.result) === "{}" ? { ...message, result: "pong" } : message,
  },
  {
    name: "another code for an unknown method",
    breaks: ["C18"],
    reply: failing(-32601, having("error", { code: -32000, message: "?" })),
  },
  {
    name: "tools without a schema",
    breaks: ["C19"],
    reply: (message) => {
      const { tools } = (message.result ?? {}) as { tools?: readonly Json[] };
      return tools ? { ...message, result: { tools: tools.map(lacking("inputSchema")) } } : message;
    },
  },
  {
    name: "success for a tool that it does not have",
    breaks: ["C25"],
    reply: failing(-32602, (message) => withTexts(lacking("error")(message), "Done")),
  },
  {
    name: "a push at once",
    breaks: ["C46"],
    sees: ({ method }, send) => {
      if (method !== "ide_connected") return;
      send({ jsonrpc: "2.0", method: "selection_changed", params: SELECTION });
    },
  },
  {
    name: "one agent at a time",
    breaks: ["C50"],
    arrives: (others) => {
      for (const other of others) other.close();
    },
  },
  {
    name: "an end when an agent leaves its proposal",
    breaks: ["C51"],
    survivesLeaving: ({ proposing }) => !proposing,
  },
];
