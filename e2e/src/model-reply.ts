import type { ServerResponse } from "node:http";

/** What the model says in one answer. */
export type ModelReply =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly name: string; readonly input: object };

export function text(words: string): ModelReply {
  return { type: "text", text: words };
}

export function toolUse(name: string, input: object): ModelReply {
  return { type: "tool_use", name, input };
}

/** Answers `POST /v1/messages` the way the API does, as a stream or as a whole. */
export function sendReply(
  response: ServerResponse,
  reply: ModelReply,
  request: { readonly id: string; readonly model: string; readonly stream: boolean },
): void {
  const message = {
    id: `msg_${request.id}`,
    type: "message",
    role: "assistant",
    model: request.model,
    content: [] as object[],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  const block = reply.type === "tool_use" ? { ...reply, id: `toolu_${request.id}` } : reply;
  const stop = {
    stop_reason: reply.type === "tool_use" ? "tool_use" : "end_turn",
    stop_sequence: null,
  };
  if (!request.stream) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ...message, content: [block], ...stop }));
    return;
  }
  const delta =
    reply.type === "tool_use"
      ? { type: "input_json_delta", partial_json: JSON.stringify(reply.input) }
      : { type: "text_delta", text: reply.text };
  // A block starts empty; its content comes as deltas.
  const start = reply.type === "tool_use" ? { ...block, input: {} } : { ...block, text: "" };
  const events: [string, object][] = [
    ["message_start", { message }],
    ["content_block_start", { index: 0, content_block: start }],
    ["content_block_delta", { index: 0, delta }],
    ["content_block_stop", { index: 0 }],
    ["message_delta", { delta: stop, usage: { output_tokens: 1 } }],
    ["message_stop", {}],
  ];
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const [type, data] of events)
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  response.end();
}
