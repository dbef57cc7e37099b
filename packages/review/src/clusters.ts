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
 * changes at one place nobody can say which comes first. Both lists are in order already.
 */
export function clusters<A extends Range, B extends Range>(
  as: readonly A[],
  bs: readonly B[],
): readonly Cluster<A, B>[] {
  const found: { from: number; to: number; as: A[]; bs: B[] }[] = [];
  const clusterOf = ({ from, to }: Range) => {
    const last = found.at(-1);
    if (last && from <= last.to) {
      last.to = Math.max(last.to, to);
      return last;
    }
    const cluster = { from, to, as: [], bs: [] };
    found.push(cluster);
    return cluster;
  };
  let a = 0;
  let b = 0;
  for (;;) {
    const nextA = as[a];
    const nextB = bs[b];
    if (nextA && (!nextB || isBefore(nextA, nextB))) {
      clusterOf(nextA).as.push(nextA);
      a++;
    } else if (nextB) {
      clusterOf(nextB).bs.push(nextB);
      b++;
    } else {
      return found;
    }
  }
}

function isBefore(a: Range, b: Range): boolean {
  return a.from < b.from || (a.from === b.from && a.to <= b.to);
}
