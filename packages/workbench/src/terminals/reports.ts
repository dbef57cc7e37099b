const ESCAPE = "\u001b";
const BELL = "\u0007";

/** Device attributes, cursor position, modes; then colours and settings as strings. */
const REPORT = [
  `${ESCAPE}\\[[?>=]?[\\d;]*[cRnt]`,
  `${ESCAPE}\\[\\?[\\d;]+\\$y`,
  `${ESCAPE}[\\]P][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)`,
].join("|");
const REPORTS = new RegExp(`^(?:${REPORT})+$`);

/** Whether this is what a terminal answers by itself when a program asks it, and not a person's. */
export const isReport = (data: string): boolean => REPORTS.test(data);
