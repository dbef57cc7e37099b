import { PROTOCOL_VERSIONS } from "@lockstep/protocol";

/** Those that Claude Code knows: one more than we do. */
const VERSIONS: readonly unknown[] = ["2024-10-07", ...PROTOCOL_VERSIONS];

/** Why Claude Code hangs up on an editor that answers initialize so; null if it does not. */
export function whyHangsUp(answer: unknown): string | null {
  if (!isObject(answer)) return "It does not introduce itself.";
  const { protocolVersion, capabilities, serverInfo } = answer;
  if (!VERSIONS.includes(protocolVersion))
    return `It answers with the protocol version ${JSON.stringify(protocolVersion) ?? "of nothing"}, which Claude Code does not know.`;
  if (!isObject(capabilities)) return "It does not say its capabilities.";
  const odd = Object.keys(capabilities).find((name) => !isObject(capabilities[name]));
  if (odd !== undefined) return `Its capability ${odd} is no JSON object.`;
  const named = isObject(serverInfo) && ["name", "version"].every((key) => isText(serverInfo[key]));
  return named ? null : "It does not say its name and version (serverInfo).";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const isText = (value: unknown): boolean => typeof value === "string";
