import { basename } from "node:path";
import { ErrorCode } from "@lockstep/protocol";
import { expect, NotChecked, seen } from "../../check.js";
import { isObject, type Json } from "../../message.js";
import type { IdeUnderTest } from "../ide-under-test.js";
import type { WireAgent } from "../wire-agent.js";
import type { IdeCheck } from "./ide-check.js";
import { PROBE } from "./probe.js";

/** What leads out of a workspace, to a file that every Unix has. */
const WAYS_OUT = ["../../../../../../../../etc/hostname", "/../../../../../../../etc/hostname"];

export const vault: readonly IdeCheck[] = [
  {
    clause: "C63",
    title: "readFile and listFiles, where an editor has them, answer plain results",
    async check(ide) {
      const agent = await connectFor("readFile", ide);
      const name = basename(await ide.file(PROBE.text));
      const { result: text, error } = await agent.request("readFile", { path: name });
      expect(text === PROBE.text, `readFile answered ${seen(error ?? text)}`);
      const { result: names } = await agent.request("listFiles", {});
      const listed = Array.isArray(names) && names.includes(name);
      expect(listed, `a file of the workspace is not among ${seen(names)}`);
    },
  },
  {
    clause: "C64",
    title: "A path that leads out of the workspace is refused",
    async check(ide) {
      const agent = await connectFor("readFile", ide);
      for (const path of WAYS_OUT) {
        const { result } = await agent.request("readFile", { path });
        expect(result === undefined, `readFile of ${path} answered ${seen(result)}`);
      }
    },
  },
];

async function connectFor(method: string, ide: IdeUnderTest): Promise<WireAgent> {
  const agent = await ide.connect();
  const { error } = await agent.request(method, { path: "lockstep-verify-no-such-file" });
  if (isMissing(error)) throw new NotChecked(`the editor does not have ${method}`);
  return agent;
}

function isMissing(error: unknown): boolean {
  return isObject(error) && (error as Json).code === ErrorCode.methodNotFound;
}
