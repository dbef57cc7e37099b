import type { WireAgent } from "../wire-agent.js";

/**
 * A text in which every way of counting gives another number: the word is on line 2 from 0, and
 * before it are 10 UTF-16 units, 9 characters, 14 bytes.
 */
export const PROBE = {
  text: "one\ntwo\nfour äö😀 needle\nfive\n",
  word: "needle",
  start: { line: 2, character: 10 },
  end: { line: 2, character: 16 },
} as const;

/** Opens a file, and selects the word if told to. All arguments, because some servers want them all. */
export async function openProbe(agent: WireAgent, filePath: string, startText = ""): Promise<void> {
  await agent.callTool("openFile", {
    filePath,
    preview: false,
    startText,
    endText: "",
    selectToEndOfLine: false,
    makeFrontmost: true,
  });
}
