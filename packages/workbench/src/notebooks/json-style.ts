import type { Node } from "jsonc-parser";

/** How a JSON file is laid out, so that what is added to it looks like what is there. */
export interface JsonStyle {
  /** Of one level; null where everything stands on one line. */
  readonly indent: string | null;
  /** Between a name and its value, with the colon. */
  readonly colon: string;
  /** Between two things on one line, with the comma. */
  readonly comma: string;
}

/** As Jupyter writes it. */
export const JUPYTER: JsonStyle = { indent: " ", colon: ": ", comma: ", " };

/** Learned from the outermost object, which a notebook always has. */
export function styleOf(text: (from: number, to: number) => string, root: Node): JsonStyle {
  const [first, second] = root.children ?? [];
  const [name, value] = first?.children ?? [];
  if (!first || !name || !value) return JUPYTER;
  const lead = text(root.offset + 1, first.offset);
  const colon = text(name.offset + name.length, value.offset);
  const broken = lead.lastIndexOf("\n");
  const gap = second ? text(first.offset + first.length, second.offset) : ",";
  return {
    indent: broken < 0 ? null : lead.slice(broken + 1),
    colon: /^[ \t]*:[ \t]*$/.test(colon) ? colon : ": ",
    comma: /^[ \t]*,[ \t]*$/.test(gap) ? gap : ", ",
  };
}

/** What stands before each thing at this depth, and before the bracket that closes the one above it. */
export const lineAt = ({ indent }: JsonStyle, depth: number): string =>
  indent === null ? "" : `\n${indent.repeat(depth)}`;

/** Between two things at this depth. */
export const between = (style: JsonStyle, depth: number): string =>
  style.indent === null ? style.comma : `,${lineAt(style, depth)}`;

/** A value as JSON that stands at this depth. */
export function printJson(value: unknown, style: JsonStyle, depth: number): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const inner = Array.isArray(value)
    ? value.map((item) => printJson(item, style, depth + 1))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([name, item]) => printEntry(name, printJson(item, style, depth + 1), style));
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (inner.length === 0) return open + close;
  const lead = lineAt(style, depth + 1);
  return open + lead + inner.join(between(style, depth + 1)) + lineAt(style, depth) + close;
}

/** A name and a value that is JSON already. */
export const printEntry = (name: string, raw: string, { colon }: JsonStyle): string =>
  JSON.stringify(name) + colon + raw;
