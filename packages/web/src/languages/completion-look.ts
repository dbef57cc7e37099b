import type { Completion } from "@codemirror/autocomplete";
import type { ServerCompletion } from "./completion-list.js";
import { kindMark } from "./kind-mark.js";

/** What stands before and behind the label of an option. */
export const optionLook = [
  {
    position: 20,
    render: ({ type }: Completion): Node => kindMark(type?.split(" ")[0] ?? ""),
  },
  {
    position: 60,
    render: (completion: ServerCompletion): Node | null => {
      if (!completion.labelDetail) return null;
      const detail = document.createElement("span");
      detail.className = "complete-detail";
      detail.textContent = completion.labelDetail;
      return detail;
    },
  },
];
