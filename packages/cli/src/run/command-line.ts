import { parseArgs } from "node:util";

/**
 * Where the options of our own end and somebody else's command begins: at `--`, or at the first word
 * that is no option. What follows is the command's, whatever it looks like.
 */
export function splitCommandLine(
  args: readonly string[],
  options: NonNullable<Parameters<typeof parseArgs>[0]>["options"],
): { readonly own: readonly string[]; readonly command: readonly string[] } {
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const end = tokens.find(({ kind }) => kind !== "option");
  if (!end) return { own: args, command: [] };
  const from = end.kind === "option-terminator" ? end.index + 1 : end.index;
  return { own: args.slice(0, end.index), command: args.slice(from) };
}
