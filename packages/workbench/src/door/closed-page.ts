/** The mark of the page's icon. */
const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0d7377"/><path d="M9 8v16h6" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/><path d="M23 24V8h-6" fill="none" stroke="#fff" stroke-opacity=".6" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

const ICON = `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(MARK)}">`;

/**
 * What a browser sees that has no key, or whose key is too old. No script, and nothing that it sent.
 * Colours and sizes are those of the page, which it cannot have.
 */
export const CLOSED_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Lockstep: open it again</title>
${ICON}
<style>
:root { --ground: #f7f7f5; --surface: #fff; --sunken: #efefec; --line: #e2e2dd; --ink: #1f2328; --ink-2: #57606a; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #16181b; --surface: #1b1e22; --sunken: #121416; --line: #2b3036; --ink: #dfe3e8; --ink-2: #a3adb8; }
}
* { box-sizing: border-box; margin: 0; }
body { min-height: 100vh; display: grid; place-items: center; padding: 24px; background: var(--ground);
  color: var(--ink-2); font: 13px/1.55 system-ui, -apple-system, "Segoe UI", "Inter", "DejaVu Sans", sans-serif; }
main { width: 100%; max-width: 440px; padding: 24px; background: var(--surface); border: 1px solid var(--line);
  border-radius: 10px; }
header { display: flex; align-items: center; gap: 12px; margin-bottom: 16px; }
svg { flex: none; width: 32px; height: 32px; }
h1 { color: var(--ink); font-size: 15px; line-height: 1.3; font-weight: 600; }
pre { margin: 12px 0; padding: 8px 12px; background: var(--sunken); border-radius: 6px; color: var(--ink);
  font: 13px/1.5 ui-monospace, "SF Mono", "JetBrains Mono", "Cascadia Code", "DejaVu Sans Mono", monospace;
  user-select: all; }
</style>
</head>
<body>
<main>
<header>${MARK.replace("<svg", '<svg aria-hidden="true"')}<h1>This browser needs a new address</h1></header>
<p>Lockstep is running, but it does not know this browser: the address was used before, or it is too
old. Start Lockstep again, in the folder of your project:</p>
<pre>lockstep</pre>
<p>That opens the editor which is running there. Unsaved work is kept.</p>
</main>
</body>
</html>
`;

/**
 * Goes on to the page. A link on another site brought the browser here, and it would keep its new
 * cookie back from a redirect; from this page it does not.
 */
export const ONWARD_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=/">
<meta name="color-scheme" content="light dark">
<title>Lockstep</title>
${ICON}
</head>
<body></body>
</html>
`;
