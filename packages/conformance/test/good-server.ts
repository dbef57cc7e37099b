import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemoryEditor, toLf } from "@lockstep/editor";
import { filePath } from "@lockstep/protocol";
import { disk, serve } from "@lockstep/server";
import type { Decision, IdeSubject } from "../src/index.js";

export interface GoodServer extends AsyncDisposable {
  readonly home: string;
  readonly subject: IdeSubject & { readonly decide: NonNullable<IdeSubject["decide"]> };
}

/** Our own server on a workspace of its own, and somebody who decides what a check asks for. */
export async function goodServer(): Promise<GoodServer> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "lockstep-conformance-")));
  const folder = join(home, "project");
  await mkdir(folder);
  const editor = new InMemoryEditor({
    folders: [folder],
    store: (uri, text) => disk.write(filePath(uri) ?? "", text),
    load: async (uri) => {
      const text = await disk.read(filePath(uri) ?? "");
      return text === null ? null : toLf(text);
    },
  });
  const server = await serve(editor, { configDir: home, stateDir: join(home, "state") });
  const decide = async (decision: Decision, tabName: string) => {
    const proposal = editor.proposals.find(({ label }) => label === tabName);
    if (!proposal) throw new Error(`nothing called ${tabName} is proposed`);
    editor[decision](proposal.id);
  };
  return {
    home,
    subject: { lockFile: server.lockFiles[0]!, decide, patienceMs: 2_000 },
    async [Symbol.asyncDispose]() {
      await server.stop();
      await rm(home, { recursive: true });
    },
  };
}
