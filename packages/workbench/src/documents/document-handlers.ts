import type { documentCalls } from "../contract/documents.js";
import type { Handlers } from "../windows/router.js";
import type { Documents } from "./documents.js";

/** What the page may ask of the documents. */
export function documentHandlers(documents: Documents): Handlers<typeof documentCalls> {
  return {
    "tab.open": ({ uri, preview }) => documents.showAny(uri, preview),
    "tab.close": async ({ uri, discard }) => {
      const end = await documents.close(uri, discard);
      return end === "dirty" ? "dirty" : "closed";
    },
    "tab.keep": ({ uri }) => documents.keepTab(uri),
    "tab.move": ({ uri, to }) => documents.moveTab(uri, to),
    "document.new": () => ({ uri: documents.create() }),
    "document.save": ({ uri, as, overwrite = false }) =>
      as === undefined ? documents.save(uri, overwrite) : documents.saveAs(uri, as, overwrite),
    "document.saveAll": async () => ({ failed: await documents.saveAll() }),
    "document.revert": ({ uri }) => documents.revert(uri),
    "document.settle": ({ uri, choice }) => documents.settle(uri, choice),
    "document.setLineEnds": ({ uri, lineEnds }) => documents.setLineEnds(uri, lineEnds),
  };
}
