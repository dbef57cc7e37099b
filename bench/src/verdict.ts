/** A promise of the design, and how it went. */
export interface Verdict {
  readonly promise: string;
  readonly found: string;
  readonly kept: boolean;
}
