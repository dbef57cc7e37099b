// An agent that keeps every clause: connects as its environment says, and stays.
import { chooseIde, connect, findIdes } from "@lockstep/client";

const connection = await connect(chooseIde(await findIdes()), { reconnect: true });
const ask = () => connection.listTools();
connection.on("notifications/tools/list_changed", ask);
connection.on("restored", ask);
await ask();
await connection.closed;
