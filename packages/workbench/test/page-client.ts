export { PageClient } from "../src/page-client.js";
