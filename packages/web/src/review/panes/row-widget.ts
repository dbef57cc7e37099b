import { WidgetType } from "@codemirror/view";
import { withMarks } from "../../editor/special-characters.js";

/** Empty room of a height, so that both panes stay level. */
export class Spacer extends WidgetType {
  readonly #height: number;
  readonly #kind: string;

  constructor(height: number, kind: "bar" | "fill" = "fill") {
    super();
    this.#height = height;
    this.#kind = kind;
  }

  override eq(other: Spacer): boolean {
    return this.#height === other.#height && this.#kind === other.#kind;
  }

  override toDOM(): HTMLElement {
    const dom = document.createElement("div");
    this.#draw(dom);
    return dom;
  }

  override updateDOM(dom: HTMLElement): boolean {
    this.#draw(dom);
    return true;
  }

  override get estimatedHeight(): number {
    return this.#height;
  }

  #draw(dom: HTMLElement): void {
    dom.className = `review-spacer review-spacer-${this.#kind}`;
    dom.style.setProperty("height", `${this.#height}px`);
  }
}

/** Lines up to which a block of lines that are not in the text is drawn. */
const MOST_DRAWN = 400;

/** How many rows {@link drawLines} makes. */
export const drawnRows = (lines: readonly string[]): number =>
  lines.length > MOST_DRAWN ? MOST_DRAWN + 1 : lines.length;

/** Lines that are not in the text: what was removed, or what the proposal had. */
export function drawLines(lines: readonly string[], className: string): HTMLElement {
  const block = document.createElement("div");
  block.className = `review-lines ${className}`;
  for (const line of lines.slice(0, MOST_DRAWN)) {
    const row = document.createElement("div");
    row.className = "review-lines-row";
    row.append(...(line === "" ? ["\u200b"] : withMarks(line)));
    block.append(row);
  }
  if (lines.length > MOST_DRAWN) {
    const more = document.createElement("div");
    more.className = "review-lines-row review-lines-more";
    more.textContent = `and ${(lines.length - MOST_DRAWN).toLocaleString("en")} more lines`;
    block.append(more);
  }
  return block;
}
