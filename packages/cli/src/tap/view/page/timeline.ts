import type { PageData } from "../page-data.js";
import { DetailsView } from "./details-view.js";
import { element, shownText } from "./element.js";
import { labels, NO_FILTER, visible } from "./filter.js";
import { RowsView } from "./rows-view.js";
import { duration } from "./words.js";
import "./timeline.css";

/** The page of one recording, which is in the document as JSON. */
function start(data: PageData, app: HTMLElement): void {
  const { rows } = data;
  let filter = NO_FILTER;
  let shown = visible(rows, filter);
  let selected = -1;

  const text = element("input", {
    class: "input",
    type: "search",
    placeholder: "Filter by text",
    "aria-label": "Filter by text",
  });
  const label = element(
    "select",
    { class: "input", "aria-label": "Filter by method" },
    element("option", { value: "" }, "All methods"),
    ...labels(rows).map(([name, count]) =>
      element("option", { value: name }, shownText(`${name} (${count})`)),
    ),
  );
  const pings = element("input", { type: "checkbox" });
  const count = element("span", { class: "count", role: "status" });
  const list = new RowsView(rows, (index) => select(index));
  const details = new DetailsView((index) => go(index));

  const select = (index: number) => {
    selected = index;
    list.select(index);
    details.show(rows[index]);
  };
  const refresh = () => {
    shown = visible(rows, filter);
    count.textContent =
      shown.length === rows.length
        ? `${rows.length} frames`
        : `${shown.length} of ${rows.length} frames`;
    empty.hidden = shown.length > 0;
    if (!shown.includes(selected)) select(shown[0] ?? -1);
    list.show(shown, selected);
  };
  /** To a frame that a filter may hide. */
  const go = (index: number) => {
    if (!shown.includes(index)) {
      text.value = "";
      label.value = "";
      filter = { ...NO_FILTER, pings: pings.checked || isHidden(index) };
      pings.checked = filter.pings;
      refresh();
    }
    select(index);
    list.node.focus();
  };
  const isHidden = (index: number) => !visible(rows, NO_FILTER).includes(index);
  const change = () => {
    filter = { text: text.value, label: label.value, pings: pings.checked };
    refresh();
  };
  text.addEventListener("input", change);
  label.addEventListener("change", change);
  pings.addEventListener("change", change);

  const empty = element("p", { class: "nothing" }, "No frame fits the filter. Esc takes it away.");
  const listing = element(
    "section",
    { class: list.several ? "listing several" : "listing", "aria-label": "Timeline" },
    element(
      "div",
      { class: "lanes", "aria-hidden": "true" },
      element("span", {}, "Time"),
      ...(list.several ? [element("span")] : []),
      element(
        "span",
        { class: "lane-names" },
        element("b", {}, "Agent"),
        element("b", {}, shownText(data.ide || "Editor")),
      ),
      element("span", {}, "Took"),
    ),
    list.node,
    empty,
  );
  app.replaceChildren(
    element(
      "header",
      { class: "bar" },
      element("h1", {}, "Recording"),
      element("span", { class: "about" }, about(data)),
      text,
      label,
      element("label", { class: "pings" }, pings, "Pings"),
      count,
    ),
    element("main", { class: "panes" }, listing, details.node),
    element(
      "footer",
      { class: "keys" },
      ...KEYS.map(([key, what]) => element("span", {}, element("kbd", {}, key), what)),
    ),
  );

  const step = (by: number) => {
    const place = shown.indexOf(selected) + by;
    const index = shown[Math.max(0, Math.min(shown.length - 1, place))];
    if (index !== undefined) select(index);
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const writing = event.target === text || event.target === label;
    if (event.key === "Escape") {
      text.value = "";
      label.value = "";
      change();
      list.node.focus();
    } else if (writing) {
      if (event.key === "Enter" || (event.target === text && event.key === "ArrowDown")) {
        event.preventDefault();
        list.node.focus();
      }
      return;
    } else if (event.key === "/") text.focus();
    else if (event.key === "p") {
      const pair = rows[selected]?.pair;
      if (pair !== undefined) go(pair);
    } else if (event.key === "j") step(1);
    else if (event.key === "k") step(-1);
    else if (document.activeElement === list.node && MOVES[event.key]) step(MOVES[event.key] ?? 0);
    else return;
    event.preventDefault();
  });
  refresh();
  list.node.focus();
}

const MOVES: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 20,
  PageUp: -20,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

const KEYS: readonly (readonly [string, string])[] = [
  ["↑ ↓", "frame"],
  ["p", "request or answer"],
  ["/", "filter"],
  ["Esc", "all"],
];

function about({ startedAt, command, folders, rows, torn }: PageData): string {
  const time = new Date(startedAt);
  const length = rows.at(-1)?.at ?? 0;
  return shownText(
    [
      Number.isNaN(time.getTime()) ? "" : time.toLocaleString(),
      duration(length),
      command.join(" "),
      folders.join(", "),
      torn ? "cut off at its end" : "",
    ]
      .filter((part) => part !== "")
      .join(" · "),
  );
}

/** The colours of the system, also when they change. */
function followTheme(): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    document.documentElement.dataset.theme = dark.matches ? "dark" : "light";
  };
  dark.addEventListener("change", apply);
  apply();
}

const app = document.getElementById("app");
const recording = document.getElementById("recording")?.textContent;
followTheme();
if (app && recording) start(JSON.parse(recording), app);
