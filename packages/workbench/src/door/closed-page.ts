/** What a browser sees that has no key, or whose key is too old. No script, and nothing it sent. */
export const CLOSED_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Lockstep: open it again</title>
<style>
:root { --paper: #f7f7f8; --card: #fff; --line: #dfe1e6; --ink: #1c1e24; --soft: #5a6070; --code: #eef0f3; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #16181d; --card: #1d2026; --line: #31353e; --ink: #e4e6eb; --soft: #a0a6b4; --code: #282c34; }
}
* { box-sizing: border-box; margin: 0; }
body { min-height: 100vh; display: grid; place-items: center; padding: 24px; background: var(--paper);
  color: var(--ink); font: 14px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { width: 100%; max-width: 460px; padding: 32px; background: var(--card); border: 1px solid var(--line);
  border-radius: 10px; }
h1 { margin-bottom: 8px; font-size: 18px; line-height: 1.3; font-weight: 600; }
p { color: var(--soft); }
pre { margin: 16px 0; padding: 10px 14px; background: var(--code); border-radius: 6px; color: var(--ink);
  font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
</style>
</head>
<body>
<main>
<h1>This page needs a new address</h1>
<p>Lockstep is running, but this browser has no key to it: the address was used before, or it is too
old. Run this in the folder of your project:</p>
<pre>lockstep</pre>
<p>It opens the editor that is running there. Unsaved work is kept.</p>
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
</head>
<body></body>
</html>
`;
