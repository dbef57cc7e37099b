/** An agent or script on whatever editor is running: asks, listens, and proposes an edit. */
import { writeFile } from "node:fs/promises";
import { chooseIde, connect, findIdes } from "@lockstep/client";

const ide = chooseIde(await findIdes());
await using connection = await connect(ide, { reconnect: true });

for (const { path, isDirty } of await connection.tools.getOpenEditors()) {
  console.log(isDirty ? "unsaved" : "saved", path);
}

connection.on("selection_changed", ({ filePath, text }) => console.log(filePath, text));

const file = "/home/ada/project/a.ts";
const answer = await connection.tools.openDiff({
  old_file_path: file,
  new_file_contents: "export const a = 2;\n",
  tab_name: "a.ts (proposed)",
});
// The editor never writes the file: a yes is for the agent to carry out.
if (answer.kind === "saved") await writeFile(file, answer.text);
