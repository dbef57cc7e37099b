// A language server that behaves as badly as its first argument says. What it is told goes to the
// file that its second argument names, a method per line.
import { appendFileSync, closeSync } from "node:fs";

const [how, log] = process.argv.slice(2);
let buffer = Buffer.alloc(0);

const frame = (message) => {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
};
const send = (message) => process.stdout.write(frame(message));

const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
const diagnostics = (count, text) =>
  Array.from({ length: count }, (_, index) => ({
    range,
    severity: 1,
    message: `${text} ${index}`,
  }));
const publish = (uri, items) =>
  send({ method: "textDocument/publishDiagnostics", params: { uri, diagnostics: items } });

const capabilities = {
  textDocumentSync: {
    openClose: true,
    change: ["closes its output", "slow"].includes(how) ? 1 : 2,
    save: true,
  },
  hoverProvider: true,
  completionProvider: { resolveProvider: true },
  definitionProvider: true,
  documentSymbolProvider: true,
  renameProvider: true,
  codeActionProvider: { resolveProvider: true },
  signatureHelpProvider: {},
  executeCommandProvider: { commands: ["edit"] },
  ...(how === "wide"
    ? { diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: true } }
    : {}),
  ...(["silent-pull", "refreshes", "pulls", "loads", "has not loaded", "outdated", "slow"].includes(
    how,
  )
    ? { diagnosticProvider: { interFileDependencies: true } }
    : {}),
};

const NONSENSE = [5, "x", [[]], { items: [null, 7, { label: 3 }] }, { contents: { a: 1 } }, null];
let asked = 0;
let other = "";

function hear({ id, method, params }) {
  if (log) appendFileSync(log, `${method ?? "answer"}\n`);
  if (method === "initialize") {
    if (how === "mute") return;
    if (how === "refuses") return send({ id, error: { code: -32603, message: "No licence" } });
    return send({ id, result: { capabilities } });
  }
  if (how === "slow" && /did(?:Open|Change)$/.test(method)) return keep(params);
  if (how === "late" && /did(?:Open|Change)$/.test(method)) return publishLate(params.textDocument);
  if (method === "textDocument/didOpen") return opened(params.textDocument.uri);
  if (method === "shutdown" && how !== "immortal") return send({ id, result: null });
  if (method === "exit" && how !== "immortal") process.exit(0);
  if (id === undefined || method === undefined) return;
  if (how === "hangs" || how === "silent-pull" || how === "closes its output") return;
  if (how === "refreshes") {
    send({ id: `refresh ${asked++}`, method: "workspace/diagnostic/refresh" });
    return send({ id, result: { kind: "full", items: [] } });
  }
  if (how === "pulls")
    return send({ id, result: { kind: "full", items: diagnostics(1, "wrong") } });
  if (how === "loads" || how === "has not loaded") return load(id);
  if (how === "slow" && method === "textDocument/diagnostic")
    return void setTimeout(() => send({ id, result: wrongLines(params.textDocument.uri) }), 250);
  if (how === "outdated" && asked++ % 3 < 2)
    return send({ id, error: { code: -32801, message: "content modified" } });
  if (how === "outdated") return send({ id, result: { contents: "known" } });
  if (how === "dies when asked") process.exit(3);
  if (how === "nonsense") return send({ id, result: NONSENSE[asked++ % NONSENSE.length] });
  if (how === "edits") return edits(id, method, params);
  if (how === "wide" && method === "textDocument/diagnostic")
    return send({ id, result: { kind: "full", items: [] } });
  if (how === "wide" && method === "workspace/diagnostic") {
    const items = diagnostics(1, "unseen");
    return send({ id, result: { items: [{ uri: other, kind: "full", version: null, items }] } });
  }
  if (how === "indexes")
    send({ method: "$/progress", params: { token: "t", value: { kind: "end" } } });
  send({ id, result: null });
}

function opened(uri) {
  other = new URL("b.lua", uri).href;
  if (how === "indexes") {
    const value = { kind: "begin", title: "Indexing", message: "4/10", percentage: 40 };
    send({ id: 1, method: "window/workDoneProgress/create", params: { token: "t" } });
    send({ method: "$/progress", params: { token: "t", value } });
  }
  if (how === "crashes") {
    process.stderr.write("something is wrong with me\n");
    process.exit(1);
  }
  if (how === "garbage") process.stdout.write("Hello, I am not a message.\r\n\r\n");
  if (how === "not JSON") process.stdout.write("Content-Length: 5\r\n\r\n{oops");
  if (how === "huge") process.stdout.write("Content-Length: 99999999999\r\n\r\n{");
  if (how === "endless header") process.stdout.write("x".repeat(100_000));
  if (how === "nonsense") {
    publish(uri, [null, 4, { message: 5 }, { range, message: "the only good one" }]);
    publish(7, {});
    send({ id: "nobody asked", result: 1 });
    process.stdout.write(frame({ method: 12 }));
    process.stdout.write("Content-Length: 1\r\n\r\n5");
    send({ method: "$/progress", params: { token: {}, value: 3 } });
    send({ id: 1, method: "client/registerCapability", params: "all" });
    send({ id: 2, method: "workspace/configuration", params: {} });
    send({ id: 3, method: "no/such/method" });
  }
  if (how === "closes its output") {
    closeSync(1);
    setInterval(() => {}, 1_000);
  }
  if (how === "deaf") {
    process.stdin.pause();
    setInterval(() => {}, 1_000);
  }
  if (how === "floods") flood(uri);
  if (how === "edits") {
    const edit = { changes: { [uri]: [{ range, newText: "UNASKED" }] } };
    send({ id: 9, method: "workspace/applyEdit", params: { edit } });
  }
}

/** Takes longer to say something than an agent waits before it writes. */
function publishLate({ uri, version }) {
  const items = diagnostics(1, `version ${version}`);
  const params = { uri, version, diagnostics: items };
  setTimeout(() => send({ method: "textDocument/publishDiagnostics", params }), 600);
}

/** Finds a line wrong that says that it is. */
const kept = new Map();
function keep({ textDocument: { uri, text }, contentChanges }) {
  kept.set(uri, contentChanges ? contentChanges.at(-1).text : text);
}
function wrongLines(uri) {
  const items = (kept.get(uri) ?? "").split("\n").flatMap((message, line) => {
    const start = { line, character: 0 };
    return message.includes("wrong")
      ? [{ range: { start, end: start }, severity: 1, message }]
      : [];
  });
  return { kind: "full", items };
}

/** Knows of nothing until it has loaded, which it begins when it is asked first. */
let loading = "not yet";
function load(id) {
  const items = loading === "done" ? diagnostics(1, "wrong") : [];
  const progress = (value) =>
    how === "loads"
      ? send({ method: "$/progress", params: { token: "load", value } })
      : send({ method: "experimental/serverStatus", params: { quiescent: value.kind === "end" } });
  if (loading === "not yet") {
    loading = "now";
    progress({ kind: "begin", title: "Loading" });
    setTimeout(() => {
      loading = "done";
      progress({ kind: "end" });
    }, 500);
  }
  send({ id, result: { kind: "full", items } });
}

let number = 0;
function flood(uri) {
  for (;;) {
    number++;
    const items = diagnostics(1_000, `flood ${number}`);
    publish(`${uri}${number % 5_000}`, items);
    if (!publish(uri, items)) break;
  }
  process.stdout.once("drain", () => flood(uri));
}

/** Wants to edit outside of the workspace, a version that is gone, and over itself. */
function edits(id, method, params) {
  const { uri } = params.textDocument ?? {};
  if (method === "textDocument/rename") {
    const edit = (target, start, end, version = null) => ({
      textDocument: { uri: target, version },
      edits: [
        {
          range: { start: { line: 0, character: start }, end: { line: 0, character: end } },
          newText: "NEW",
        },
      ],
    });
    const wishes = {
      outside: [edit(new URL("../outside.lua", uri).href, 0, 1)],
      version: [edit(uri, 0, 1, 99)],
      overlap: [edit(uri, 0, 3), edit(uri, 1, 2)],
      beyond: [
        {
          textDocument: { uri, version: null },
          edits: [
            {
              range: { start: { line: 50, character: 0 }, end: { line: 50, character: 1 } },
              newText: "NEW",
            },
          ],
        },
      ],
      overwrite: [{ kind: "create", uri, options: { overwrite: true } }],
      create: [{ kind: "create", uri }],
      files: [
        { kind: "create", uri: `${uri}.made.lua` },
        edit(`${uri}.made.lua`, 0, 0),
        edit(uri, 0, 1),
      ],
    };
    return send({ id, result: { documentChanges: wishes[params.newName] } });
  }
  if (method === "textDocument/codeAction")
    return send({ id, result: [{ title: "Edit", command: "edit", arguments: [uri] }] });
  if (method === "workspace/executeCommand") {
    const edit = { changes: { [params.arguments[0]]: [{ range, newText: "ASKED" }] } };
    send({ id: 10, method: "workspace/applyEdit", params: { edit } });
  }
  send({ id, result: null });
}

process.stdin.on("data", (chunk) => {
  buffer = Buffer.concat([buffer, chunk]);
  for (;;) {
    const end = buffer.indexOf("\r\n\r\n");
    if (end < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(buffer.toString("latin1", 0, end))?.[1]);
    if (buffer.length < end + 4 + length) return;
    const body = buffer.toString("utf8", end + 4, end + 4 + length);
    buffer = buffer.subarray(end + 4 + length);
    hear(JSON.parse(body));
  }
});
if (how === "immortal") {
  process.on("SIGTERM", () => {});
  setInterval(() => {}, 1_000);
} else {
  process.stdin.on("end", () => process.exit(0));
}
