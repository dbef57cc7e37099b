import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Log } from "./log.js";

const TOKEN = "0b0f1a52-3c1e-4a53-9d2e-6f1f7c1f2a11";

it("a log holds no token of a lock file that somebody looks at, as a message tells of it", () => {
  const folder = mkdtempSync(join(tmpdir(), "lockstep-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "log");
  const lock = JSON.stringify({ authToken: TOKEN, transport: "ws" });
  {
    using log = new Log({ verbose: false, file });
    log.note("lock", lock);
    log.note("received", JSON.stringify({ method: "selection_changed", params: { text: lock } }));
  }
  const written = readFileSync(file, "utf8");
  expect(written).not.toContain(TOKEN);
  expect(written.match(/\[token\]/g)).toHaveLength(2);
});
