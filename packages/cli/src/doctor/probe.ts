import { connect, type Ide, IdeError } from "@lockstep/client";
import { requestUpgrade, type UpgradeReply } from "@lockstep/conformance";
import { SUBPROTOCOL } from "@lockstep/protocol";
import type { ProbeFact } from "./facts.js";
import { whyHangsUp } from "./introduction.js";

const PATIENCE_MS = 3_000;

/** Connects as an agent does, and tries what a stranger would. */
export async function probe(ide: Ide): Promise<ProbeFact> {
  const stranger = { port: ide.port, address: ide.host };
  const agent = ide.token() === "" ? stranger : { ...stranger, token: ide.token() };
  const [talk, asAgent, asStranger, asPage] = await Promise.all([
    converse(ide),
    upgrade(agent),
    upgrade(stranger),
    upgrade({ ...agent, origin: "https://lockstep.invalid" }),
  ]);
  // We are content without one.
  const unchosen = asAgent?.status === 101 && asAgent.subprotocol !== SUBPROTOCOL;
  const refused = talk.refused ?? (unchosen ? NO_SUBPROTOCOL : null);
  return { ...talk, refused, open: letsIn(asStranger), openToPages: letsIn(asPage) };
}

const NO_SUBPROTOCOL = `It does not choose the subprotocol ${SUBPROTOCOL}, and Claude Code hangs up.`;

type Talk = Omit<ProbeFact, "open" | "openToPages">;

async function converse(ide: Ide): Promise<Talk> {
  const began = performance.now();
  let introduction: unknown;
  try {
    // What is wrong with its lock file has not kept us from asking.
    const connection = await connect(
      { ...ide, problems: [] },
      {
        timeoutMs: PATIENCE_MS,
        onMessage: (direction, text) => {
          if (direction === "received") introduction ??= resultIn(text);
        },
      },
    );
    try {
      const { name, version, protocolVersion } = connection.server;
      const asked = performance.now();
      // An agent that gets no list of tools stays all the same.
      const tools = await connection.listTools({ timeoutMs: PATIENCE_MS }).catch(() => null);
      return {
        refused: whyHangsUp(introduction),
        tokenAccepted: true,
        server: `${name} ${version}`.trim(),
        protocolVersion,
        tools: tools?.map(({ name }) => name) ?? null,
        roundTripMs: tools && performance.now() - asked,
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
      tools: null,
      roundTripMs: null,
    };
  }
}

/** The result in a message; nothing where it is none. */
function resultIn(text: string): unknown {
  try {
    return JSON.parse(text)?.result;
  } catch {
    return undefined;
  }
}

interface Wish {
  readonly port: number;
  readonly address?: string | undefined;
  readonly token?: string;
  readonly origin?: string;
}

/** Null where it came to no answer. */
function upgrade(wish: Wish): Promise<UpgradeReply | null> {
  return requestUpgrade({ ...wish, patienceMs: PATIENCE_MS }).catch(() => null);
}

const letsIn = (reply: UpgradeReply | null): boolean =>
  reply?.status === 101 && reply.closeCode === null;
