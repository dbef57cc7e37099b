import { lazy } from "solid-js";

/*
 * The views that the shell gives a place. The frame does not wait for them: those that are always
 * there are fetched along with it, the others when they are first shown.
 */
const editor = import("../editor/index.js");
const files = import("../files/index.js");
const agents = import("../agents/index.js");
const languages = import("../languages/index.js");
/** When those are here that are always there, or are known not to come. */
export const partsArrived = Promise.allSettled([editor, files, agents, languages]);
const problems = () => import("../problems/index.js");
const places = () => import("../languages/places-panel.js");
const review = () => import("../review/index.js");
const turns = () => import("../turns/index.js");
const terminal = () => import("../terminal/index.js");
const notebook = () => import("../notebook/index.js");

export const EditorPane = lazy(async () => ({ default: (await editor).EditorPane }));
export const EditorStatus = lazy(async () => ({ default: (await editor).EditorStatus }));
export const FileTree = lazy(async () => ({ default: (await files).FileTree }));
export const SearchPanel = lazy(async () => ({ default: (await files).SearchPanel }));
export const QuickOpen = lazy(async () => ({ default: (await files).QuickOpen }));
export const UnshownFile = lazy(async () => ({ default: (await files).UnshownFile }));
export const AgentsPanel = lazy(async () => ({ default: (await agents).AgentsPanel }));
export const AgentStatus = lazy(async () => ({ default: (await agents).AgentStatus }));
export const SharingStatus = lazy(async () => ({ default: (await agents).SharingStatus }));
export const QuestionDialog = lazy(async () => ({ default: (await agents).QuestionDialog }));
export const ProblemStatus = lazy(async () => ({ default: (await languages).ProblemStatus }));
export const LanguageStatus = lazy(async () => ({ default: (await languages).LanguageStatus }));
export const LanguageLayer = lazy(async () => ({ default: (await languages).LanguageLayer }));
export const ProblemsPanel = lazy(async () => ({ default: (await problems()).ProblemsPanel }));
export const PlacesPanel = lazy(async () => ({ default: (await places()).PlacesPanel }));
export const ReviewView = lazy(async () => ({ default: (await review()).ReviewView }));
export const ReviewQueue = lazy(async () => ({ default: (await review()).ReviewQueue }));
export const TurnView = lazy(async () => ({ default: (await turns()).TurnView }));
export const TurnsPanel = lazy(async () => ({ default: (await turns()).TurnsPanel }));
export const NotebookView = lazy(async () => ({ default: (await notebook()).NotebookView }));
export const TerminalPanel = lazy(async () => ({ default: (await terminal()).TerminalPanel }));

/** Once the page is at rest, so that the first proposal and the first terminal show at once. */
export function fetchTheRest(): void {
  const fetchAll = () => void Promise.allSettled([review(), turns(), terminal()]);
  if ("requestIdleCallback" in window) requestIdleCallback(fetchAll);
  else setTimeout(fetchAll, 500);
}

let edits = { hasUnsentEdits: () => false, areEditsComing: () => false };
void editor.then((module) => {
  edits = module;
});
/** Whether this window has edits that the workbench does not have yet. */
export const hasUnsentEdits = (): boolean => edits.hasUnsentEdits();
/** Whether some of them are on their way. */
export const areEditsComing = (): boolean => edits.areEditsComing();
