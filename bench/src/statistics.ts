/** The value that `share` of the samples do not exceed, by nearest rank: always one of them. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = Float64Array.from(samples).sort();
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  const value = sorted[rank - 1];
  if (value === undefined) throw new RangeError("There is no percentile of no samples");
  return value;
}

export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}
