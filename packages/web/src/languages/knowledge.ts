import "../problems/problems.css";
import "./languages.css";
import type { Extension } from "@codemirror/state";
import { tooltips } from "@codemirror/view";
import { followProblems } from "../problems/follow-problems.js";
import { problemMarks } from "../problems/problem-marks.js";
import { bulb } from "./bulb.js";
import { followChanges } from "./changes-since.js";
import { completing } from "./completion.js";
import { definitionLinks } from "./definition.js";
import { hovering } from "./hover.js";
import { infoTooltip } from "./info-tooltip.js";
import { renaming } from "./rename.js";
import { signatures } from "./signature.js";

/** Where tooltips are: the text is cut off at its edges, and what lies over it must not be. */
const host = document.createElement("div");
host.className = "language-over";
(document.querySelector("main") ?? document.body).append(host);

// The list of completions scrolls: it can be reached by key like all that does.
new MutationObserver(() => {
  for (const list of host.querySelectorAll<HTMLElement>('[role="listbox"]')) list.tabIndex = 0;
}).observe(host, { childList: true, subtree: true });

/** What a document's text shows of what language servers know, and what can be asked about it. */
export const knowledge: Extension = [
  tooltips({ parent: host, position: "fixed" }),
  followChanges,
  problemMarks,
  followProblems,
  bulb,
  infoTooltip,
  hovering,
  signatures,
  completing,
  definitionLinks,
  renaming,
];
