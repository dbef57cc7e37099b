import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";
import { Journal } from "./journal.js";
import { type ModelReply, sendReply, text } from "./model-reply.js";
import { ModelRequest, type RequestBody } from "./model-request.js";

/**
 * A stand-in for the Anthropic Messages API on loopback: the model says what the test has scripted.
 * What the CLI asks on the side (a title, say) is answered with harmless words and uses up no line
 * of the script.
 */
export class MessagesApi {
  readonly url: string;
  readonly requests = new Journal<ModelRequest>("request to the model", (request) => request.news);
  readonly #server: Server;
  #script: ModelReply[] = [];
  #count = 0;

  private constructor(server: Server, port: number) {
    this.url = `http://127.0.0.1:${port}`;
    this.#server = server;
    server.on("request", (request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<MessagesApi> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (typeof address !== "object" || !address) throw new Error("no port for the Messages API");
    return new MessagesApi(server, address.port);
  }

  /** What the model says next, one reply per request of the conversation. */
  script(...replies: readonly ModelReply[]): void {
    this.#script = [...replies];
  }

  /** The first request of the conversation whose news hold the words. */
  nextRequest(words: string): Promise<ModelRequest> {
    return this.requests.waitFor(({ isTurn, news }) => isTurn && news.includes(words));
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", this.url);
    if (request.method === "POST" && pathname === "/v1/messages")
      return this.#reply(JSON.parse(await readText(request)) as RequestBody, response);
    if (request.method === "POST" && pathname === "/v1/messages/count_tokens")
      return void response
        .writeHead(200, { "content-type": "application/json" })
        .end('{"input_tokens":1}');
    // Probes of the connection want any answer; for all else a missing page is one.
    response.writeHead(pathname === "/" ? 200 : 404).end();
  }

  #reply(body: RequestBody, response: ServerResponse): void {
    const request = new ModelRequest(body);
    const unscripted = text("(The test has scripted no answer to this.)");
    const reply = request.isTurn ? (this.#script.shift() ?? unscripted) : text("Fine.");
    this.#count += 1;
    sendReply(response, reply, {
      id: String(this.#count),
      model: body.model,
      stream: body.stream === true,
    });
    this.requests.note(request);
  }
}
