const LOOPBACK = ["127.0.0.1", "localhost", "::1"];

/**
 * What an agent in a terminal of the editor needs to connect by itself. A proxy variable would send
 * even loopback traffic away, so loopback joins the exceptions, in both spellings that programs read.
 */
export function terminalEnvironment(
  port: number,
  base: Readonly<NodeJS.ProcessEnv>,
): Record<string, string> {
  const exceptions = [base.NO_PROXY, base.no_proxy]
    .flatMap((list) => (list ?? "").split(","))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  const merged = [...new Set([...exceptions, ...LOOPBACK])].join(",");
  return {
    CLAUDE_CODE_SSE_PORT: String(port),
    ENABLE_IDE_INTEGRATION: "true",
    NO_PROXY: merged,
    no_proxy: merged,
  };
}
