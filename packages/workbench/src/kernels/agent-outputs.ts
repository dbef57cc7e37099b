import { stripVTControlCharacters } from "node:util";
import type { Output } from "@lockstep/editor";
import type { CellOutput, MimeBundle } from "../contract/kernels.js";

/** What an agent gets of one run: its model reads no more, and cannot be shown more. */
export const AGENT_LIMITS = {
  /** Characters of text. */
  text: 60_000,
  images: 20,
  /** Characters of one image, as base64. */
  image: 5_000_000,
} as const;

const IMAGES = ["image/png", "image/jpeg"];

/** The outputs of a run as an agent is told them: texts without colours, and images. */
export function agentOutputs(outputs: readonly CellOutput[]): readonly Output[] {
  const told: Output[] = [];
  let room: number = AGENT_LIMITS.text;
  let images = 0;
  const leftOut = { characters: 0, images: 0 };
  for (const each of outputs.flatMap(parts)) {
    if (each.kind === "image") {
      const fits = images < AGENT_LIMITS.images && each.base64.length <= AGENT_LIMITS.image;
      if (fits) {
        images++;
        told.push(each);
      } else leftOut.images++;
      continue;
    }
    const text = each.text.slice(0, room);
    room -= text.length;
    leftOut.characters += each.text.length - text.length;
    if (text !== "") told.push({ kind: "text", text });
  }
  const notes = [
    leftOut.characters > 0 ? `${leftOut.characters.toLocaleString("en")} characters` : "",
    leftOut.images > 0 ? `${leftOut.images} images` : "",
  ].filter((note) => note !== "");
  if (notes.length === 0) return told;
  return [
    ...told,
    { kind: "text", text: `[Left out because it is too long: ${notes.join(", ")}]` },
  ];
}

function parts(output: CellOutput): readonly Output[] {
  switch (output.output_type) {
    case "stream":
      return [{ kind: "text", text: plain(output.text) }];
    case "error": {
      const { ename, evalue, traceback } = output;
      const lines = traceback.length > 0 ? traceback : [`${ename}: ${evalue}`];
      return [{ kind: "text", text: plain(lines.join("\n")) }];
    }
    default:
      return shown(output.data);
  }
}

/** An image if it has one, else its plain text: a table has that beside its HTML. */
function shown(data: MimeBundle): readonly Output[] {
  for (const mimeType of IMAGES) {
    const base64 = textOf(data[mimeType]).replace(/\s/g, "");
    if (base64 !== "") return [{ kind: "image", mimeType, base64 }];
  }
  const types = ["text/plain", "text/markdown", "text/latex", "text/html"];
  const text = types.map((type) => textOf(data[type])).find((found) => found !== "");
  if (text !== undefined) return [{ kind: "text", text: plain(text) }];
  const names = Object.keys(data).join(", ");
  return names === "" ? [] : [{ kind: "text", text: `[Shown to the user: ${names}]` }];
}

/** A notebook file may hold a text as a list of lines. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join("");
  return typeof value === "string" ? value : "";
}

const plain = (text: string): string => stripVTControlCharacters(text);
