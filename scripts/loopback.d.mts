/** Why no command can be run in a namespace with only loopback; undefined when it can. */
export function whyNotLoopback(): { kernel: boolean; reason: string } | undefined;
/** Runs the command in there; resolves to its exit code, 128 + n when signal n ended it. */
export function runInLoopback(command: readonly string[]): Promise<number>;
