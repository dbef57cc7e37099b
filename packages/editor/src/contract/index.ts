import type { Clause } from "./clause.js";
import { documentClauses } from "./documents.js";
import { peopleClauses } from "./people.js";
import { reviewClauses } from "./reviews.js";

export type { Clause } from "./clause.js";
export type { Person, Subject } from "./subject.js";

/**
 * What the engine expects of every editor. Run each clause that the editor has the abilities for on
 * a fresh subject, with any test runner.
 *
 * @example
 * for (const clause of editorContract) {
 *   it(clause.sentence, async () => {
 *     await using subject = await openMyEditor();
 *     await clause.check(subject);
 *   });
 * }
 */
export const editorContract: readonly Clause[] = [
  ...documentClauses,
  ...peopleClauses,
  ...reviewClauses,
];
