import { createSignal } from "solid-js";

/** Whether the find panel shows its second row; the same for all documents of this window. */
export const [replaceShown, setReplaceShown] = createSignal(false);
