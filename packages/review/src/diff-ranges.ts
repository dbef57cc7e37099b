/**
 * The changes that make `after` of `before`, as fours of numbers: the lines `from` to before `to` of
 * `before` become the lines `start` to before `end` of `after`. In order, with at least one unchanged
 * line between any two. As few lines as possible, but for texts that differ so much that it would take
 * too long to find out: there the changes are good, not always the least.
 *
 * `progress` hears fractions of the work from 0 to 1.
 *
 * It uses nothing outside of itself, not even an import: its source can be handed to a thread that
 * has no other way to our code.
 */
export function diffRanges(
  before: readonly string[],
  after: readonly string[],
  progress: (fraction: number) => void = () => {},
): Int32Array {
  /** Steps away from the least way through a square after which a good way is good enough. */
  const PATIENCE = 1_000;

  let head = 0;
  const shorter = Math.min(before.length, after.length);
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (
    tail < shorter - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  ) {
    tail++;
  }
  progress(0.1);

  const oldLength = before.length - head - tail;
  const newLength = after.length - head - tail;
  // Equal lines get equal numbers; a line that only one side has can be in no match.
  const numbers = new Map<string, number>();
  const counts: number[] = [];
  const oldNumbers = new Int32Array(oldLength);
  for (let at = 0; at < oldLength; at++) {
    const line = before[head + at] as string;
    let number = numbers.get(line);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(line, number);
      counts.push(0);
    }
    oldNumbers[at] = number;
  }
  progress(0.3);
  const oldGone = new Uint8Array(oldLength).fill(1);
  const newCome = new Uint8Array(newLength).fill(1);
  const newPlaces = new Int32Array(newLength);
  const ys = new Int32Array(newLength);
  let m = 0;
  for (let at = 0; at < newLength; at++) {
    const number = numbers.get(after[head + at] as string);
    if (number === undefined) continue;
    counts[number] = 1;
    newPlaces[m] = at;
    ys[m++] = number;
  }
  const oldPlaces = new Int32Array(oldLength);
  const xs = new Int32Array(oldLength);
  let n = 0;
  for (let at = 0; at < oldLength; at++) {
    const number = oldNumbers[at] as number;
    if (counts[number] === 0) continue;
    oldPlaces[n] = at;
    xs[n++] = number;
  }
  progress(0.5);

  // Myers, dividing at the middle of the way. A diagonal is x - y; both arrays say how far along x
  // the ways from the beginning and from the end have come on each.
  const shift = m + 1;
  const forward = new Int32Array(n + m + 3);
  const backward = new Int32Array(n + m + 3);
  const work: number[] = [0, n, 0, m];
  let matched = 0;
  let told = 0;
  const match = (x: number, y: number): void => {
    oldGone[oldPlaces[x] as number] = 0;
    newCome[newPlaces[y] as number] = 0;
    matched++;
  };
  while (work.length > 0) {
    let toY = work.pop() as number;
    let y = work.pop() as number;
    let toX = work.pop() as number;
    let x = work.pop() as number;
    while (x < toX && y < toY && xs[x] === ys[y]) match(x++, y++);
    while (x < toX && y < toY && xs[toX - 1] === ys[toY - 1]) match(--toX, --toY);
    const share = Math.floor((20 * matched) / Math.max(1, Math.min(n, m)));
    if (share > told) {
      told = share;
      progress(0.5 + share / 40);
    }
    if (x === toX || y === toY) continue;
    const [middleX, middleY] = middle(x, toX, y, toY);
    work.push(middleX, toX, middleY, toY, x, middleX, y, middleY);
  }

  /** A point on a way through the square, with something to do on both sides of it. */
  function middle(x: number, toX: number, y: number, toY: number): readonly [number, number] {
    const least = x - toY;
    const most = toX - y;
    const first = x - y;
    const last = toX - toY;
    const odd = ((first - last) & 1) !== 0;
    let low = first;
    let high = first;
    let backLow = last;
    let backHigh = last;
    forward[first + shift] = x;
    backward[last + shift] = toX;
    for (let cost = 1; ; cost++) {
      if (low > least) forward[--low - 1 + shift] = -1;
      else low++;
      if (high < most) forward[++high + 1 + shift] = -1;
      else high--;
      for (let d = high; d >= low; d -= 2) {
        const below = forward[d - 1 + shift] as number;
        const above = forward[d + 1 + shift] as number;
        let at = below < above ? above : below + 1;
        while (at < toX && at - d < toY && xs[at] === ys[at - d]) at++;
        forward[d + shift] = at;
        if (odd && d >= backLow && d <= backHigh && (backward[d + shift] as number) <= at) {
          return [at, at - d];
        }
      }
      if (backLow > least) backward[--backLow - 1 + shift] = 0x7fffffff;
      else backLow++;
      if (backHigh < most) backward[++backHigh + 1 + shift] = 0x7fffffff;
      else backHigh--;
      for (let d = backHigh; d >= backLow; d -= 2) {
        const below = backward[d - 1 + shift] as number;
        const above = backward[d + 1 + shift] as number;
        let at = below < above ? below : above - 1;
        while (at > x && at - d > y && xs[at - 1] === ys[at - d - 1]) at--;
        backward[d + shift] = at;
        if (!odd && d >= low && d <= high && at <= (forward[d + shift] as number)) {
          return [at, at - d];
        }
      }
      if (cost >= PATIENCE) return furthest(toX, toY, low, high);
    }
  }

  /** Where the ways from the beginning have come furthest, when the middle is too far off. */
  function furthest(
    toX: number,
    toY: number,
    low: number,
    high: number,
  ): readonly [number, number] {
    let best = -1;
    let bestX = 0;
    let bestY = 0;
    for (let d = low; d <= high; d += 2) {
      const at = Math.min(forward[d + shift] as number, toX);
      const across = Math.min(at - d, toY);
      if (at + across <= best) continue;
      best = at + across;
      bestX = across === at - d ? at : across + d;
      bestY = bestX - d;
    }
    return [bestX, bestY];
  }

  const ranges: number[] = [];
  let x = 0;
  let y = 0;
  while (x < oldLength || y < newLength) {
    if (oldGone[x] === 0 && newCome[y] === 0) {
      x++;
      y++;
      continue;
    }
    const from = x;
    const start = y;
    while (oldGone[x] === 1) x++;
    while (newCome[y] === 1) y++;
    ranges.push(head + from, head + x, head + start, head + y);
  }
  progress(1);
  return Int32Array.from(ranges);
}
