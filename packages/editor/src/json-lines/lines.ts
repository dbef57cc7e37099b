import type { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/** One JSON text per line, both ways. */
export interface Lines {
  write(line: string): void;
  /** Called once. `onEnd` comes once, after the last line. */
  read(onLine: (line: string) => void, onEnd: () => void): void;
}

/** No message is longer; a stream without line ends is cut off here instead of filling the memory. */
const LONGEST_LINE = 128 * 1024 * 1024;

/**
 * Lines over a pair of streams, such as a process's standard output and input. Only LF ends a line:
 * Node's own readline also splits at U+2028, which JSON text may hold unescaped.
 */
export function linesOver(input: Readable, output: Writable): Lines {
  return {
    write(line) {
      if (output.writable) output.write(`${line}\n`);
    },
    read(onLine, onEnd) {
      const decoder = new StringDecoder("utf8");
      // Of the line that has not ended yet. Joined once, at its end: a long line comes in thousands
      // of chunks, and to go over all of it at each would take quadratic time.
      let pieces: string[] = [];
      let length = 0;
      let ended = false;
      const end = () => {
        if (ended) return;
        ended = true;
        onEnd();
      };
      input.on("data", (chunk: Buffer) => {
        const tails = decoder.write(chunk).split("\n");
        const rest = tails.pop() ?? "";
        for (const tail of tails) {
          const line = pieces.join("") + tail;
          pieces = [];
          length = 0;
          if (line.trim() !== "") onLine(line);
        }
        pieces.push(rest);
        length += rest.length;
        if (length > LONGEST_LINE) input.destroy(new Error("A line is too long"));
      });
      input.on("end", end);
      input.on("close", end);
      input.on("error", end);
      output.on("error", end);
    },
  };
}
