import { relative } from "node:path";
import {
  AtMentionedParams,
  DiagnosticsChangedParams,
  isWithin,
  Notification,
  printable,
  SelectionReply,
} from "@lockstep/protocol";
import { isObject } from "../tap/json.js";
import type { ToolsParams, WatchedEvent } from "./watched-event.js";

/** A word for what happened, and what there is to say of it. */
export interface Described {
  readonly label: string;
  readonly text: string;
  /** What the editor shows now; absent where this tells nothing of it. */
  readonly showing?: string;
}

/** A selection is shown in one line. */
const LONGEST = 60;
const MOST_FILES = 5;

/** An event in words, with paths as seen from here. Nothing in it can redraw a terminal. */
export function describeEvent({ event, params }: WatchedEvent, cwd: string): Described {
  const described = inWords(event, params, cwd);
  const { label, text, showing } = described;
  return {
    label: printable(label),
    text: printable(text),
    ...(showing === undefined ? {} : { showing: printable(showing) }),
  };
}

function inWords(event: string, params: unknown, cwd: string): Described {
  switch (event) {
    case "connected":
    case "restored":
      return { label: event, text: editorIn(params) };
    case "lost":
      return { label: event, text: "the editor left; waiting for it to come back", showing: "" };
    case "tools":
      return { label: event, text: toolsIn(params as ToolsParams) };
    case Notification.selectionChanged:
      return selection("selection", params, cwd);
    case Notification.didChangeActiveEditor:
      return selection("file", params, cwd);
    case Notification.atMentioned:
      return { label: "mention", text: mentionIn(params, cwd) };
    case Notification.diagnosticsChanged:
      return { label: "problems", text: problemsIn(params, cwd) };
    default:
      return { label: event, text: params === undefined ? "" : cut(JSON.stringify(params)) };
  }
}

function editorIn(params: unknown): string {
  const { name, version, protocolVersion, port } = isObject(params) ? params : {};
  return `${name} ${version} on port ${port}, protocol ${protocolVersion}`;
}

function toolsIn({ tools, added, removed }: ToolsParams): string {
  if (added.length === tools.length) return `${tools.length}: ${tools.join(" ")}`;
  const changes = [...added.map((name) => `+${name}`), ...removed.map((name) => `-${name}`)];
  return `${tools.length}: ${changes.join(" ")}`;
}

function selection(label: string, params: unknown, cwd: string): Described {
  const { data } = SelectionReply.safeParse(params);
  if (!data) return { label, text: NOT_UNDERSTOOD };
  const path = seenFrom(data.filePath ?? "", cwd);
  const { start, end } = data.selection ?? {};
  const chosen = data.text ?? "";
  if (!start || !end || chosen === "") {
    const showing = start ? `${path}:${start.line + 1}` : path;
    return { label, text: showing, showing };
  }
  const lines = start.line === end.line ? "" : `-${end.line + 1}`;
  const showing = `${path}:${start.line + 1}${lines}`;
  return { label, text: `${showing}  ${cut(JSON.stringify(chosen))}`, showing };
}

function mentionIn(params: unknown, cwd: string): string {
  const { data } = AtMentionedParams.safeParse(params);
  if (!data) return NOT_UNDERSTOOD;
  const { filePath, lineStart, lineEnd } = data;
  const path = seenFrom(filePath, cwd);
  if (typeof lineStart !== "number") return path;
  const last = lineEnd ?? lineStart;
  return `${path}:${lineStart + 1}${last === lineStart ? "" : `-${last + 1}`}`;
}

function problemsIn(params: unknown, cwd: string): string {
  const { data } = DiagnosticsChangedParams.safeParse(params);
  if (!data) return NOT_UNDERSTOOD;
  const { uris, uri, diagnostics } = data;
  if (uri && diagnostics) return `${pathOf(uri, cwd)}: ${counts(diagnostics)}`;
  const files = (uris ?? []).map((one) => pathOf(one, cwd));
  const more = files.length > MOST_FILES ? ` and ${files.length - MOST_FILES} more` : "";
  return `changed in ${files.slice(0, MOST_FILES).join(", ")}${more}`;
}

/** How many of each kind, in the editor's own words for them. */
function counts(diagnostics: readonly { readonly severity?: unknown }[]): string {
  if (diagnostics.length === 0) return "none";
  const kinds = new Map<string, number>();
  for (const { severity } of diagnostics) {
    const kind = typeof severity === "string" ? severity : "problem";
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return [...kinds].map(([kind, count]) => `${count} ${kind}`).join(", ");
}

function pathOf(uri: string, cwd: string): string {
  return seenFrom(uri.startsWith("file://") ? decoded(uri.slice("file://".length)) : uri, cwd);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function seenFrom(path: string, cwd: string): string {
  return isWithin(path, cwd) ? relative(cwd, path) || "." : path;
}

const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

const NOT_UNDERSTOOD = "(not what the protocol defines)";
