/** How the agent reads a variable that is a switch: other words than these say neither. */
export const isSwitchedOn = (value: string | undefined): boolean => ON.has(wordOf(value));
export const isSwitchedOff = (value: string | undefined): boolean => OFF.has(wordOf(value));

const ON = new Set(["1", "true", "yes", "on"]);
const OFF = new Set(["0", "false", "no", "off"]);

const wordOf = (value = ""): string => value.trim().toLowerCase();
