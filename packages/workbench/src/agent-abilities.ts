import { basename } from "node:path";
import type { Abilities, Call, OpenRequest, OpenText, Selection, Tab } from "@lockstep/editor";
import { filePath, type Uri } from "@lockstep/protocol";
import type { Agents } from "./agents/agents.js";
import type { Documents } from "./documents/documents.js";
import type { Files } from "./files/files.js";
import type { AgentRuns } from "./kernels/agent-runs.js";
import type { Kernels } from "./kernels/kernels.js";
import type { OpenNotebooks } from "./kernels/open-notebooks.js";
import type { Languages } from "./languages/languages.js";
import type { Notebooks } from "./notebooks/notebooks.js";
import type { AgentConsents } from "./permissions/agent-consents.js";
import type { Permissions } from "./permissions/permissions.js";
import type { Reviews } from "./reviews/reviews.js";
import type { SettingsStore } from "./settings/settings.js";
import type { Store } from "./state/store.js";
import type { Terminals } from "./terminals/terminals.js";
import type { SharedTexts } from "./texts/shared-texts.js";
import type { Turns } from "./turns/turns.js";
import { rangeIn } from "./windows/marked-range.js";
import type { Windows } from "./windows/windows.js";

/** What a workbench is made of. */
export interface Parts {
  readonly windows: Windows;
  readonly texts: SharedTexts;
  readonly settings: SettingsStore;
  readonly documents: Documents;
  readonly files: Files;
  readonly terminals: Terminals;
  readonly agents: Agents;
  readonly reviews: Reviews;
  readonly permissions: Permissions;
  readonly consents: AgentConsents;
  readonly openNotebooks: OpenNotebooks;
  readonly kernels: Kernels;
  readonly agentRuns: AgentRuns;
  readonly languages: Languages;
  readonly notebooks: Notebooks;
  readonly turns: Turns;
}

/** What agents can do with a workbench: the Editor port, made of its parts. */
export function agentAbilities(
  {
    windows,
    documents,
    agents,
    reviews,
    languages,
    consents,
    agentRuns,
    openNotebooks,
    notebooks,
    turns,
  }: Parts,
  store: Store,
): Abilities {
  return {
    selection: async () => selection(),
    tabs: async () => documents.list().map(({ uri }) => tab(uri)),
    text: ({ uri }) => text(uri),
    open,
    close: ({ uri }, call) => close(uri, call),
    save: ({ uri }) => documents.save(uri),
    format: (request, call) => languages.format(request, call),
    diagnostics: (request) => languages.diagnostics(request),
    execute:
      openNotebooks.list.length > 0 ? (input, call) => agentRuns.execute(input, call) : undefined,
    confirm: (question, call) =>
      question.lasting
        ? consents.ask(question, question.lasting, call)
        : agents.confirm(question, call),
    review: (proposal, call) => reviews.review(proposal, call),
    activity: (event) => {
      agents.activity(event);
      if (event.kind === "connected" || event.kind === "turn") languages.warm();
      if (event.kind === "turn") turns.checkpoint(event.agent);
    },
  };

  function selection(): Selection | null {
    const uri = windows.active;
    const document = uri && documents.get(uri);
    if (!document) return null;
    const marked = windows.marked(uri);
    const cell = notebooks.place(uri, marked.cell);
    const all = cell?.text ?? document.shared.text;
    const { range, from, to } = rangeIn(all, marked);
    const text = all.sliceString(from, to);
    return { uri, range, text, ...(cell ? { cell: { index: cell.index, id: cell.id } } : {}) };
  }

  function tab(uri: Uri): Tab {
    const document = documents.get(uri);
    if (!document) throw new Error(`${uri} has a tab but is not open`);
    const { info, shared } = document;
    const active = uri === windows.active;
    const marked = windows.marked(uri);
    // Lines of a cell are not lines of the file.
    const isInCell = marked.cell !== null;
    const { range, reversed } = rangeIn(shared.text, marked);
    return {
      uri,
      label: info.label,
      languageId: info.languageId,
      lineCount: shared.text.lines,
      active,
      dirty: info.dirty,
      preview: store.state.tabs.some((each) => each.uri === uri && each.preview),
      ...(active && !isInCell ? { selection: { ...range, reversed } } : {}),
    };
  }

  async function text(uri: Uri): Promise<OpenText | null> {
    const path = filePath(uri);
    // An agent that has just written the file is quicker than the watcher.
    if (documents.get(uri) && path !== null) await documents.noticeDisk([path]);
    const document = documents.get(uri);
    return document ? { text: document.shared.toString(), dirty: document.info.dirty } : null;
  }

  async function open({ uri, range, focus, preview }: OpenRequest): Promise<void> {
    const { active } = windows;
    // A tab that opens behind the person's back does not become the active one.
    if (!focus && active !== null) windows.activate(active);
    await documents.show(uri, preview);
    windows.reveal(uri, focus, range);
  }

  async function close(uri: Uri, call: Call): Promise<"closed" | "kept" | "absent"> {
    const closed = await documents.close(uri, false);
    if (closed !== "dirty") return closed;
    const name = basename(filePath(uri) ?? uri);
    const detail = `${call.agent.name} wants to close ${name}, which has unsaved edits. They would be lost.`;
    const agreed = await agents.confirm({ title: `Close ${name} without saving?`, detail }, call);
    if (!agreed || call.signal.aborted) return "kept";
    return (await documents.close(uri, true)) === "absent" ? "absent" : "closed";
  }
}
