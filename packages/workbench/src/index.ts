export { Door, type DoorOptions } from "./door/door.js";
export { isAnotherUsers } from "./door/peer-owner.js";
export { SECRET_HEADER } from "./door/routes.js";
export { WorkbenchError } from "./errors.js";
export { keptWork } from "./kept-work.js";
export { PageClient, type PageClientOptions } from "./page-client.js";
export { Shadow } from "./turns/shadow.js";
export { type ServingAgents, Workbench, type WorkbenchOptions } from "./workbench.js";
