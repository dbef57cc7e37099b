import type { WriteStream } from "node:tty";

export type Paint = (text: string) => string;

const CODES = { bold: 1, faint: 2, red: 31, green: 32, yellow: 33 } as const;

/** Colours for a terminal whose person wants them; for everything else the text as it is. */
export function paints(
  stream: Pick<WriteStream, "isTTY">,
  env: NodeJS.ProcessEnv = process.env,
): Readonly<Record<keyof typeof CODES, Paint>> {
  const coloured = stream.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
  const paint = (code: number): Paint =>
    coloured ? (text) => `\u001b[${code}m${text}\u001b[0m` : (text) => text;
  return {
    bold: paint(CODES.bold),
    faint: paint(CODES.faint),
    red: paint(CODES.red),
    green: paint(CODES.green),
    yellow: paint(CODES.yellow),
  };
}
