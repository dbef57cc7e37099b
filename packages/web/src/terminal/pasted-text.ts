/** Control characters, but for those that lay text out. */
const KEYS = /[^\P{Cc}\t\n\r]/gu;

/**
 * What is pasted is text and never keys: a web page can put an escape sequence on the clipboard that
 * tells the shell that the paste is over, and a command behind it.
 */
export const pastedText = (text: string): string => text.replace(KEYS, "");
