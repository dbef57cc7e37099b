import type { BadServer } from "../bad-server.js";

export const nullText: BadServer = {
  name: "null for the text of an empty selection",
  breaks: ["C45"],
  reply: (message) => {
    const params = message.params as { text?: string } | undefined;
    if (message.method !== "selection_changed" || params?.text !== "") return message;
    return { ...message, params: { ...params, text: null } };
  },
};
