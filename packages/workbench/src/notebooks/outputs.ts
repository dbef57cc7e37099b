import type { CellOutput } from "../contract/kernels.js";
import type { ShownOutput } from "../contract/notebooks.js";
import { linesOf } from "./source-edit.js";

type Fields = Readonly<Record<string, unknown>>;

/** The forms that the page can show, the richest first. */
const SHOWN = [
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/svg+xml",
  "text/html",
  "text/markdown",
  "text/latex",
  "application/json",
  "text/plain",
] as const;

/** The outputs of a cell, by the JSON of its field; whatever is in there, the page can name it. */
export const readOutputs = (raw: string): readonly ShownOutput[] =>
  (JSON.parse(raw) as unknown[]).map((output) => {
    try {
      return shownOutput(output);
    } catch {
      // Nested deeper than can be printed.
      return { kind: "unknown", type: "unreadable" };
    }
  });

/** An output as a file has it, or a kernel, as the page shows it. */
export function shownOutput(output: unknown): ShownOutput {
  const { output_type: type, ...fields } = record(output);
  switch (type) {
    case "stream":
      return {
        kind: "stream",
        name: fields.name === "stderr" ? "stderr" : "stdout",
        text: joined(fields.text),
      };
    case "error":
      return {
        kind: "error",
        name: joined(fields.ename),
        message: joined(fields.evalue),
        traceback: Array.isArray(fields.traceback) ? fields.traceback.map(word).join("\n") : "",
      };
    case "display_data":
    case "execute_result":
      return shownData(record(fields.data), record(fields.metadata));
    default:
      return { kind: "unknown", type: typeof type === "string" ? type : "nothing" };
  }
}

function shownData(data: Fields, metadata: Fields): ShownOutput {
  const types = Object.keys(data);
  const mime = SHOWN.find((each) => types.includes(each)) ?? types.find(isJson) ?? null;
  const plain = "text/plain" in data ? joined(data["text/plain"]) : null;
  const text = mime === null ? "" : isJson(mime) ? printed(data[mime]) : joined(data[mime]);
  const size = sizeOf(record(metadata[mime ?? ""]));
  return {
    ...{ kind: "data", mime, text, plain: mime === "text/plain" ? null : plain, types },
    ...(Object.keys(size).length > 0 ? { size } : {}),
  };
}

/** A figure for a dense screen has twice the pixels, and says how large it is meant. */
function sizeOf({ width, height }: Fields): { width?: number; height?: number } {
  return { ...(isLength(width) ? { width } : {}), ...(isLength(height) ? { height } : {}) };
}

/** Pixels; more than any page shows are a mistake. */
const isLength = (value: unknown): value is number =>
  typeof value === "number" && value > 0 && value <= 20_000;

const isJson = (mime: string): boolean => mime === "application/json" || mime.endsWith("+json");
const printed = (value: unknown): string => JSON.stringify(value, null, 2) ?? "";

/** Texts stand in files as one string or as a list of lines. */
function joined(value: unknown): string {
  return Array.isArray(value) ? value.map(word).join("") : word(value);
}

/** A record that stands where a text should is printed: it may have a "toString" of its own. */
function word(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const record = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};

/** An output of a kernel as Jupyter writes it into a file: names in order, texts as lists of lines. */
export function writtenOutput(output: CellOutput): Readonly<Record<string, unknown>> {
  switch (output.output_type) {
    case "stream":
      return { name: output.name, output_type: "stream", text: linesOf(output.text) };
    case "error": {
      const { ename, evalue, output_type, traceback } = output;
      return { ename, evalue, output_type, traceback };
    }
    case "display_data":
      return { data: written(output.data), metadata: output.metadata, output_type: "display_data" };
    case "execute_result":
      return {
        data: written(output.data),
        execution_count: output.execution_count,
        metadata: output.metadata,
        output_type: "execute_result",
      };
  }
}

function written(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const isLines = (mime: string) => mime.startsWith("text/") || mime === "image/svg+xml";
  return Object.fromEntries(
    Object.entries(data)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([mime, value]) => [
        mime,
        isLines(mime) && typeof value === "string" ? linesOf(value) : value,
      ]),
  );
}

/** The pictures of a markdown cell as data: addresses, by the JSON of its field. */
export function readAttachments(raw: string): Readonly<Record<string, string>> {
  const entries = Object.entries(record(JSON.parse(raw))).flatMap(([name, forms]) => {
    const found = Object.entries(record(forms)).find(([mime]) => IMAGE.test(mime));
    return found ? [[name, `data:${found[0]};base64,${joined(found[1])}`] as const] : [];
  });
  return Object.fromEntries(entries);
}

const IMAGE = /^image\/(png|jpeg|gif|webp)$/;
