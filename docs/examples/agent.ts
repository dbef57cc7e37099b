/** An agent or script that asks whatever editor is running what is open in it. */
import { chooseIde, connect, findIdes } from "@lockstep/client";

const ide = chooseIde(await findIdes());
await using connection = await connect(ide, {
  onNotification: (method, params) => console.log(method, params),
});
const { content } = await connection.call("getOpenEditors");
for (const item of content) if (item.type === "text") console.log(item.text);
