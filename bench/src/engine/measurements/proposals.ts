import type { Agent } from "../agent.js";

const MEGABYTE = 1_000_000;
/** Code, so that JSON has line ends, quotes and backslashes to escape. */
const LINE = '  if (name === "openDiff") return path.replace(/\\\\/g, "/"); // as on disk\n';

/** One openDiff of a certain size, made once and sent to all. */
export class LargeProposal {
  readonly #request: string;
  readonly #text: string;

  constructor(megabytes: number) {
    this.#text = LINE.repeat(Math.ceil((megabytes * MEGABYTE) / LINE.length));
    this.#request = JSON.stringify({
      jsonrpc: "2.0",
      id: "large",
      method: "tools/call",
      params: {
        name: "openDiff",
        arguments: {
          old_file_path: "/nowhere/new.ts",
          new_file_path: "/nowhere/new.ts",
          new_file_contents: this.#text,
          // The CLI's labels hold such signs, and they decide how a text is kept in memory.
          tab_name: "✻ [Claude Code] new.ts (e0b2cb) ⧉",
        },
      },
    });
  }

  /**
   * Milliseconds until the answer with the full text is there. Making the request and parsing the
   * answer are the agent's work and not counted.
   */
  async measure(agent: Agent): Promise<number> {
    const began = performance.now();
    const reply = await agent.exchange(this.#request, this.#text.length);
    const took = performance.now() - began;
    this.#verify(reply);
    return took;
  }

  #verify(reply: Buffer): void {
    const { result } = JSON.parse(reply.toString()) as { result: { content: { text: string }[] } };
    const [saved, text] = result.content;
    if (saved?.text !== "FILE_SAVED" || text?.text !== this.#text)
      throw new Error("The answer to openDiff is not the proposed text");
  }
}
