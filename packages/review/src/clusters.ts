/** Lines from `from` to before `to`, of whatever text is meant. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Two kinds of ranges of one text that touch each other, and what they cover together. */
export interface Cluster<A extends Range, B extends Range> extends Range {
  readonly as: readonly A[];
  readonly bs: readonly B[];
}

/**
 * Groups ranges that overlap or meet without a line between them, in order. Meeting counts: of two
 * changes at one place nobody can say which comes first.
 */
export function clusters<A extends Range, B extends Range>(
  as: readonly A[],
  bs: readonly B[],
): readonly Cluster<A, B>[] {
  const all = [
    ...as.map((range) => ({ range, as: [range], bs: [] as B[] })),
    ...bs.map((range) => ({ range, as: [] as A[], bs: [range] })),
  ].sort((x, y) => x.range.from - y.range.from || x.range.to - y.range.to);
  const found: Cluster<A, B>[] = [];
  for (const { range, as: a, bs: b } of all) {
    const last = found.at(-1);
    if (last && range.from <= last.to) {
      const to = Math.max(last.to, range.to);
      found[found.length - 1] = {
        from: last.from,
        to,
        as: [...last.as, ...a],
        bs: [...last.bs, ...b],
      };
    } else {
      found.push({ from: range.from, to: range.to, as: a, bs: b });
    }
  }
  return found;
}
