const UNITS = ["bytes", "KB", "MB", "GB", "TB"];

/** A size as people say it: "312 bytes", "12.4 KB", "50 MB". */
export function sizeWords(bytes: number): string {
  if (bytes === 1) return "1 byte";
  const power = bytes < 1024 ? 0 : Math.min(4, Math.floor(Math.log2(bytes) / 10));
  const count = bytes / 1024 ** power;
  return `${count >= 100 || power === 0 ? Math.round(count) : Number(count.toFixed(1))} ${UNITS[power]}`;
}
