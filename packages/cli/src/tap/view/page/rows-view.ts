import type { Row } from "../page-data.js";
import { element, shownText } from "./element.js";
import { clock, duration, ROLES, SENDERS } from "./words.js";

/** The height of a row, which the style has as well. */
const ROW = 28;
/** Rows above and below what is seen, so that scrolling shows no gaps. */
const MARGIN = 12;

/** The list of frames: only the rows that are near the screen are in the page. */
export class RowsView {
  readonly node: HTMLElement;
  readonly #rows: readonly Row[];
  readonly #space = element("div", { class: "space", role: "presentation" });
  /** Whether more than one agent came, or one more than once. */
  readonly several: boolean;
  #shown: readonly number[] = [];
  #selected = -1;
  #frame = 0;

  constructor(rows: readonly Row[], onSelect: (index: number) => void) {
    this.#rows = rows;
    this.several =
      new Set(rows.map(({ connection }) => connection).filter((one) => one > 0)).size > 1;
    this.node = element(
      "div",
      { class: "rows", role: "listbox", tabindex: "0", "aria-label": "Frames" },
      this.#space,
    );
    this.node.addEventListener("scroll", () => this.#soon(), { passive: true });
    new ResizeObserver(() => this.#soon()).observe(this.node);
    this.#space.addEventListener("click", (event) => {
      const row = event.target instanceof Element ? event.target.closest(".row") : null;
      if (row instanceof HTMLElement) onSelect(Number(row.dataset.index));
    });
  }

  show(shown: readonly number[], selected: number): void {
    this.#shown = shown;
    this.#space.style.height = `${shown.length * ROW}px`;
    this.select(selected);
  }

  select(index: number): void {
    this.#selected = index;
    const place = this.#shown.indexOf(index);
    if (place >= 0) this.#reveal(place);
    this.#draw();
  }

  #reveal(place: number): void {
    const { scrollTop, clientHeight } = this.node;
    const top = place * ROW;
    if (top < scrollTop) this.node.scrollTop = top;
    else if (top + ROW > scrollTop + clientHeight) this.node.scrollTop = top + ROW - clientHeight;
  }

  #soon(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    const { scrollTop, clientHeight } = this.node;
    const first = Math.max(0, Math.floor(scrollTop / ROW) - MARGIN);
    const last = Math.min(this.#shown.length, Math.ceil((scrollTop + clientHeight) / ROW) + MARGIN);
    const nodes: HTMLElement[] = [];
    for (let place = first; place < last; place++) {
      const index = this.#shown[place] ?? -1;
      const row = this.#rows[index];
      if (row) nodes.push(this.#row(row, index, place));
    }
    this.#space.replaceChildren(...nodes);
    const current = this.#space.querySelector("[aria-selected=true]");
    if (current) this.node.setAttribute("aria-activedescendant", current.id);
    else this.node.removeAttribute("aria-activedescendant");
  }

  #row(row: Row, index: number, place: number): HTMLElement {
    const selected = index === this.#selected;
    const paired = !selected && this.#rows[this.#selected]?.pair === index;
    const message = element(
      "span",
      { class: `message role-${row.role}` },
      element("span", { class: "unseen" }, `${SENDERS[row.from]} ${ROLES[row.role]} `),
      element("b", {}, shownText(row.label)),
      element("span", { class: "glance" }, shownText(row.detail)),
    );
    const lane = row.from === "ide" ? "ide" : row.from === "agent" ? "agent" : "tap";
    const waited = row.role === "answer" || row.role === "failure" ? row.ms : undefined;
    const node = element(
      "div",
      {
        class: `row from-${lane}${selected ? " selected" : ""}${paired ? " paired" : ""}`,
        role: "option",
        id: `row-${index}`,
        "aria-selected": String(selected),
        "aria-setsize": String(this.#shown.length),
        "aria-posinset": String(place + 1),
        "data-index": String(index),
      },
      element("span", { class: "clock" }, clock(row.at)),
      ...(this.several ? [element("span", { class: "connection" }, `#${row.connection}`)] : []),
      element("span", { class: "lane" }, message),
      element("span", { class: "waited" }, waited === undefined ? "" : duration(waited)),
    );
    node.style.transform = `translateY(${place * ROW}px)`;
    return node;
  }
}
