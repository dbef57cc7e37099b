import { Notification } from "@lockstep/protocol";
import { expect, NotChecked, seen } from "../../check.js";
import { isObject, type Json } from "../../message.js";
import type { IdeUnderTest } from "../ide-under-test.js";
import type { WireAgent } from "../wire-agent.js";
import type { IdeCheck } from "./ide-check.js";
import { openProbe, PROBE } from "./probe.js";

/** What comes sooner after ide_connected is lost by Claude Code. */
const DEAF_MS = 100;

export const notifications: readonly IdeCheck[] = [
  {
    clause: "C45",
    title: "selection_changed has text, path and positions, none of them null",
    async check(ide) {
      const agent = await withOpenFile(ide);
      await nextSelection(agent);
      await openProbe(agent, await ide.file(PROBE.text), PROBE.word);
      await nextSelection(agent, PROBE.word);
      const all = agent.arrivals.flatMap(({ message }) =>
        isSelection(message) ? [message.params] : [],
      );
      if (all.length === 0) throw new NotChecked("the editor pushed no selection");
      for (const params of all) expectSelection(params);
    },
  },
  {
    clause: "C46",
    title: "The first selection is pushed when the agent listens, not at once",
    async check(ide) {
      await withOpenFile(ide);
      const agent = await ide.open();
      const connected = await agent.introduce();
      await nextSelection(agent);
      const push = agent.arrivals.find(({ message }) => isSelection(message));
      if (!push) throw new NotChecked("the editor pushed no selection");
      const after = Math.round(push.at - connected);
      expect(after >= DEAF_MS, `a selection came ${after} ms after ide_connected`);
    },
  },
];

async function withOpenFile(ide: IdeUnderTest): Promise<WireAgent> {
  const agent = await ide.connectFor("openFile");
  await openProbe(agent, await ide.file(PROBE.text));
  return agent;
}

const isSelection = (message: unknown): message is Json =>
  isObject(message) && message.method === Notification.selectionChanged;

/** Any, or that of a text. */
const nextSelection = (agent: WireAgent, text?: string) =>
  agent.next(
    (message) =>
      isSelection(message) &&
      (text === undefined || (isObject(message.params) && message.params.text === text)),
  );

function expectSelection(params: unknown): void {
  expect(isObject(params), `params is ${seen(params)}`);
  const { text, filePath, selection } = params;
  expect(typeof text === "string", `text is ${seen(text)}`);
  expect(typeof filePath === "string", `filePath is ${seen(filePath)}`);
  expect(isObject(selection), `selection is ${seen(selection)}`);
  for (const position of [selection.start, selection.end]) {
    const numbers =
      isObject(position) && Number.isInteger(position.line) && Number.isInteger(position.character);
    expect(numbers, `a position is ${seen(position)}`);
  }
}
