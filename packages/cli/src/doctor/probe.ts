import { connect, type Ide, IdeError } from "@lockstep/client";
import { requestUpgrade, type UpgradeReply } from "@lockstep/conformance";
import type { ProbeFact } from "./facts.js";

const PATIENCE_MS = 3_000;

/** Connects as an agent does, and tries what a stranger would. */
export async function probe(ide: Ide): Promise<ProbeFact> {
  const [talk, open, openToPages] = await Promise.all([
    converse(ide),
    letsIn({ port: ide.port }),
    letsIn({ port: ide.port, token: ide.token(), origin: "https://lockstep.invalid" }),
  ]);
  return { ...talk, open, openToPages };
}

type Talk = Omit<ProbeFact, "open" | "openToPages">;

async function converse(ide: Ide): Promise<Talk> {
  const began = performance.now();
  try {
    // Only that its process seems gone has not kept us from asking.
    const connection = await connect({ ...ide, problems: [] }, { timeoutMs: PATIENCE_MS });
    try {
      const { name, version, protocolVersion } = connection.server;
      const asked = performance.now();
      const tools = await connection.listTools({ timeoutMs: PATIENCE_MS });
      return {
        refused: null,
        tokenAccepted: true,
        server: `${name} ${version}`.trim(),
        protocolVersion,
        tools: tools.map(({ name }) => name),
        roundTripMs: performance.now() - asked,
      };
    } finally {
      await connection.close();
    }
  } catch (error) {
    const { message } = error as Error;
    const wrong = error instanceof IdeError && error.code === "wrong-token";
    const slow = performance.now() - began >= PATIENCE_MS;
    return {
      refused: slow ? `It did not answer within ${PATIENCE_MS / 1_000} s.` : message,
      tokenAccepted: wrong ? false : null,
      server: "",
      protocolVersion: "",
      tools: [],
      roundTripMs: null,
    };
  }
}

async function letsIn(request: {
  port: number;
  token?: string;
  origin?: string;
}): Promise<boolean> {
  const reply: UpgradeReply | null = await requestUpgrade({
    ...request,
    patienceMs: PATIENCE_MS,
  }).catch(() => null);
  return reply?.status === 101 && reply.closeCode === null;
}
