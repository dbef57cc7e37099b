import type { WireAgent } from "../wire-agent.js";

/** Asks one small thing after the other for as long as something else goes on. */
export async function longestWaitDuring(
  agent: WireAgent,
  ongoing: Promise<unknown>,
): Promise<{ readonly asked: number; readonly longestMs: number }> {
  let over = false;
  const end = () => {
    over = true;
  };
  const outcome = ongoing.finally(end);
  outcome.catch(() => {});
  let asked = 0;
  let longestMs = 0;
  while (!over) {
    const began = performance.now();
    const { isError } = await agent.call("getWorkspaceFolders");
    if (isError) throw new Error("The well-behaved agent was not served");
    longestMs = Math.max(longestMs, performance.now() - began);
    asked++;
  }
  await outcome;
  return { asked, longestMs };
}
