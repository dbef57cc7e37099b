import { type Component, lazy } from "solid-js";

/**
 * The views that the shell gives a place. Each is fetched when it is first shown, so that the frame
 * is there at once.
 */
type Part = Record<string, Component<Record<string, unknown>>>;
const folders = import.meta.glob<Part>("../{editor,review,files,agents,terminal}/index.{ts,tsx}");

function part<Props extends object>(folder: string, name: string): Component<Props> {
  const load = folders[`../${folder}/index.ts`] ?? folders[`../${folder}/index.tsx`];
  return lazy(async () => {
    const found = load ? (await load())[name] : undefined;
    return { default: (found ?? (() => null)) as unknown as Component<Props> };
  });
}

export const EditorPane = part<{ readonly uri: string }>("editor", "EditorPane");
export const EditorStatus = part<object>("editor", "EditorStatus");
export const ReviewView = part<{ readonly id: string }>("review", "ReviewView");
export const ReviewQueue = part<object>("review", "ReviewQueue");
export const FileTree = part<object>("files", "FileTree");
export const SearchPanel = part<object>("files", "SearchPanel");
export const QuickOpen = part<object>("files", "QuickOpen");
export const AgentsPanel = part<object>("agents", "AgentsPanel");
export const AgentStatus = part<object>("agents", "AgentStatus");
export const SharingStatus = part<object>("agents", "SharingStatus");
export const QuestionDialog = part<object>("agents", "QuestionDialog");
export const TerminalPanel = part<object>("terminal", "TerminalPanel");
