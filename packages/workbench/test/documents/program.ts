import { createInterface } from "node:readline";
import { fileUri } from "@lockstep/protocol";
import { DEFAULTS } from "../../src/contract/settings.js";
import { Documents } from "../../src/documents/documents.js";
import { initialState } from "../../src/state/initial-state.js";
import { Store } from "../../src/state/store.js";
import { SharedTexts } from "../../src/texts/shared-texts.js";
import type { Order, Place } from "./process.js";

/** Documents in a process of their own, which does what its lines of input say. */
const { folder, stateDir, uid } = JSON.parse(process.argv[2] ?? "") as Place;
if (uid !== undefined && process.getuid?.() === 0) {
  process.setgroups?.([]);
  process.setgid?.(uid);
  process.setuid?.(uid);
}

const store = new Store(initialState(folder));
const documents = await Documents.open(
  { store, folders: [folder], stateDir, report: () => {}, broadcast: () => {} },
  new SharedTexts(),
  () => DEFAULTS,
);

async function obey({ kind, path, text = "" }: Order): Promise<unknown> {
  const uri = fileUri(path);
  const length = documents.get(uri)?.shared.text.length ?? 0;
  if (kind === "show") return documents.show(uri, false);
  if (kind === "type") return documents.edit(uri, { from: 0, to: length, insert: text });
  if (kind === "save") return documents.save(uri);
  // Two texts in turn, as fast as they can be written, until somebody ends it.
  for (let round = 0; ; round++) {
    const insert = String(round % 10).repeat(text.length);
    documents.edit(uri, { from: 0, to: documents.get(uri)?.shared.text.length ?? 0, insert });
    await documents.save(uri);
  }
}

console.log("{}");
for await (const line of createInterface(process.stdin)) {
  const order = JSON.parse(line) as Order;
  const problem = await obey(order).then(
    () => null,
    (fault: Error) => fault.message,
  );
  const info = documents.get(fileUri(order.path))?.info ?? null;
  const notices = Object.values(store.state.notices).map((notice) => notice.text);
  console.log(JSON.stringify({ problem, info, notices }));
}
