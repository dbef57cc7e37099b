import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { PageData } from "./page-data.js";

/** The mark of Lockstep's pages. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0d7377"/><path d="M9 8v16h6" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/><path d="M23 24V8h-6" fill="none" stroke="#fff" stroke-opacity=".6" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

/**
 * A page that holds everything it shows, in one file. It runs its own script and nothing else, and
 * talks to nobody: what is recorded cannot become a part of it.
 */
export async function pageHtml(data: PageData): Promise<string> {
  // Beside this code once it is built.
  const [script, style] = await Promise.all([
    readFile(new URL("./tap-page.js", import.meta.url), "utf8"),
    readFile(new URL("./tap-page.css", import.meta.url), "utf8"),
  ]);
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join("; ")}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Recording · Lockstep</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<script type="application/json" id="recording">${embedded(data)}</script>
<script>${script}</script>
</body>
</html>
`;
}

const hashOf = (text: string): string =>
  `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** JSON that ends no element and begins no comment, whatever is in it. */
function embedded(data: PageData): string {
  return JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
