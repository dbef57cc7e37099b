import type { Row } from "../page-data.js";
import { element, shownText } from "./element.js";
import { clock, duration, ROLES, SENDERS, sizeOf } from "./words.js";

/** One frame in full. */
export class DetailsView {
  readonly node = element("section", { class: "details", "aria-label": "Frame", tabindex: "0" });
  readonly #onPair: (index: number) => void;

  constructor(onPair: (index: number) => void) {
    this.#onPair = onPair;
  }

  show(row: Row | undefined): void {
    if (!row) {
      this.node.replaceChildren(
        element("p", { class: "nothing" }, "Choose a frame to see what is in it."),
      );
      return;
    }
    this.node.replaceChildren(
      this.#heading(row),
      facts(row),
      ...(row.cut > 0 ? [cutNote(row)] : []),
      element("pre", { class: "body" }, ...highlighted(pretty(row))),
    );
    this.node.scrollTop = 0;
  }

  #heading(row: Row): HTMLElement {
    const heading = element(
      "header",
      { class: "details-head" },
      element("h2", {}, shownText(row.label)),
      element("span", { class: `badge role-${row.role}` }, ROLES[row.role]),
    );
    if (row.pair !== undefined) {
      const isAnswer = row.role === "answer" || row.role === "failure";
      const { pair } = row;
      const go = element(
        "button",
        { class: "button button-s button-plain", type: "button" },
        isAnswer ? "Go to the request" : "Go to the answer",
        element("kbd", {}, "p"),
      );
      go.addEventListener("click", () => this.#onPair(pair));
      heading.append(go);
    }
    return heading;
  }
}

function facts(row: Row): HTMLElement {
  const list: readonly (readonly [string, string])[] = [
    ["From", SENDERS[row.from]],
    ["At", clock(row.at)],
    ["Time", row.time.slice("2026-11-15T".length)],
    ...(row.ms === undefined ? [] : [["Answered after", duration(row.ms)] as const]),
    ["Size", sizeOf(row.size)],
    ["Connection", String(row.connection)],
    ["Line", String(row.line)],
  ];
  return element(
    "dl",
    { class: "facts" },
    ...list.map(([name, value]) =>
      element("div", {}, element("dt", {}, name), element("dd", {}, shownText(value))),
    ),
  );
}

function cutNote(row: Row): HTMLElement {
  const text = `Only the beginning is shown; ${sizeOf(row.cut)} more are in line ${row.line} of the recording.`;
  return element("p", { class: "cut" }, text);
}

/** Indented where it is JSON, and as it is where not. */
function pretty({ text, cut }: Row): string {
  if (cut > 0) return shownText(text);
  try {
    return shownText(JSON.stringify(JSON.parse(text), null, 2));
  } catch {
    return shownText(text);
  }
}

/** Longer texts are shown in one colour: tens of thousands of elements would take seconds. */
const LONGEST_COLOURED = 100_000;

const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function highlighted(text: string): readonly (Node | string)[] {
  if (text.length > LONGEST_COLOURED) return [text];
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKENS)) {
    const [whole, quoted, colon, word] = match;
    parts.push(text.slice(end, match.index));
    const kind = quoted ? (colon ? "key" : "string") : word ? "word" : "number";
    parts.push(element("span", { class: `json-${kind}` }, quoted ?? whole));
    if (colon) parts.push(colon);
    end = match.index + whole.length;
  }
  parts.push(text.slice(end));
  return parts;
}
