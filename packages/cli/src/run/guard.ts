import { spawn } from "node:child_process";

/**
 * Reads one signal and one process per line. If the end comes before "done", whoever wrote them was
 * killed: the processes get their signals, the last one first.
 */
const SCRIPT = `
watched=
while read -r line; do
  if [ "$line" = done ]; then exit 0; fi
  watched="$line $watched"
done
set -- $watched
while [ $# -ge 2 ]; do kill -s "$1" "$2"; shift 2; done`;

/**
 * A small process beside this one, which ends what we started should we be killed: a process that is
 * killed can do nothing any more.
 */
export class Guard implements Disposable {
  /** In a session of its own, so that no key in the terminal reaches it. */
  readonly #shell =
    process.platform === "win32"
      ? null
      : spawn("/bin/sh", ["-c", SCRIPT], { detached: true, stdio: ["pipe", "ignore", "ignore"] });

  constructor() {
    // Without a shell there is no guard; what we started ends with us in every other case.
    this.#shell?.on("error", () => {});
    this.#shell?.stdin.on("error", () => {});
  }

  watch(pid: number | undefined, signal: "HUP" | "TERM"): void {
    if (pid !== undefined) this.#shell?.stdin.write(`${signal} ${pid}\n`);
  }

  [Symbol.dispose](): void {
    this.#shell?.stdin.end("done\n");
  }
}
