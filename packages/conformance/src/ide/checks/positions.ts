import { Notification } from "@lockstep/protocol";
import { expect, NotChecked, seen } from "../../check.js";
import { isObject, type Json } from "../../message.js";
import type { IdeUnderTest } from "../ide-under-test.js";
import type { WireAgent } from "../wire-agent.js";
import type { IdeCheck } from "./ide-check.js";
import { openProbe, PROBE } from "./probe.js";

export const positions: readonly IdeCheck[] = [
  {
    clause: "C27",
    title: "Lines count from 0",
    async check(ide) {
      for (const { source, start, end } of await selections(ide)) {
        const lines = [start.line, end.line];
        const right = lines.every((line) => line === PROBE.start.line);
        expect(right, `${source} says ${seen(lines)} of line ${PROBE.start.line}`);
      }
    },
  },
  {
    clause: "C28",
    title: "Columns count UTF-16 units from 0",
    async check(ide) {
      for (const { source, start, end } of await selections(ide)) {
        const columns = [start.character, end.character];
        const expected = [PROBE.start.character, PROBE.end.character];
        const right = columns.every((column, index) => column === expected[index]);
        expect(right, `${source} says ${seen(columns)} of ${seen(expected)}`);
      }
    },
  },
];

interface Told {
  readonly source: string;
  readonly start: Json;
  readonly end: Json;
}

/** Selects the word, and collects every way in which the editor then says where it is. */
async function selections(ide: IdeUnderTest): Promise<readonly Told[]> {
  const agent = await ide.connectFor("openFile");
  const path = await ide.file(PROBE.text);
  await openProbe(agent, path, PROBE.word);
  const told = [...(await asked(agent)), ...(await pushed(agent, path))];
  if (told.length === 0) throw new NotChecked("the editor tells no selection");
  return told;
}

async function asked(agent: WireAgent): Promise<readonly Told[]> {
  const tool = (await agent.toolNames()).find((name) => name === "getCurrentSelection");
  if (!tool) return [];
  const [text = ""] = await agent.callTool(tool);
  return read(tool, JSON.parse(text));
}

async function pushed(agent: WireAgent, path: string): Promise<readonly Told[]> {
  const message = await agent.next(
    ({ method, params }) =>
      method === Notification.selectionChanged &&
      isObject(params) &&
      params.filePath === path &&
      params.text === PROBE.word,
  );
  return message ? read(Notification.selectionChanged, message.params) : [];
}

function read(source: string, value: unknown): readonly Told[] {
  const selection = isObject(value) ? value.selection : undefined;
  if (!isObject(selection) || !isObject(selection.start) || !isObject(selection.end)) return [];
  return [{ source, start: selection.start, end: selection.end }];
}
