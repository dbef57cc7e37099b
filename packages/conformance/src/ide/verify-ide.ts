import { judge, type Result } from "../check.js";
import { IDE_CHECKS } from "./checks/index.js";
import { type IdeSubject, IdeUnderTest } from "./ide-under-test.js";

/**
 * Checks an editor against every clause that can be seen from outside, one after the other. Makes
 * files named `lockstep-verify-…` in its workspace for a moment, and opens some of them.
 *
 * @example
 * for await (const { clause, title, verdict } of verifyIde({ lockFile })) {
 *   console.log(clause, title, verdict.kind);
 * }
 */
export async function* verifyIde(
  subject: IdeSubject,
  wanted: (clause: string) => boolean = () => true,
): AsyncGenerator<Result> {
  for (const { clause, title, check } of IDE_CHECKS) {
    if (!wanted(clause)) continue;
    const verdict = await judge(async () => {
      await using ide = new IdeUnderTest(subject);
      await check(ide);
    });
    yield { clause, title, verdict };
  }
}
