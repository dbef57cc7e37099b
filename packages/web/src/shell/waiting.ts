import type { ProposalInfo } from "@lockstep/workbench/contract";
import { replica } from "../replica/state.js";

/** The proposals that an agent waits for, the longest waiting first. */
export const waitingProposals = (): readonly ProposalInfo[] =>
  Object.values(replica()?.proposals ?? {})
    .filter(({ kind }) => kind === "waiting")
    .sort((a, b) => a.since - b.since);
