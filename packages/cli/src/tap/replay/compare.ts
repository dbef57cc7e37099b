import { isObject, type JsonObject, parseJson } from "../json.js";

/** Where two values differ, as a path through their fields, and what stands there. */
export interface Mismatch {
  readonly path: string;
  readonly recorded: unknown;
  readonly now: unknown;
}

/** What differs from one run to the next although nothing has changed. */
const FLEETING: ReadonlySet<string> = new Set([
  "id",
  "pid",
  "version",
  "protocolVersion",
  "time",
  "timestamp",
]);

/** Deeper than anything that the protocol says, and less deep than what exhausts the stack. */
const DEEPEST = 200;

/** Compares what was answered then with what is answered now. Texts that are JSON count as what they say. */
export function compare(recorded: unknown, now: unknown): readonly Mismatch[] {
  return [...mismatches(recorded, now, "", 0)];
}

function* mismatches(
  recorded: unknown,
  now: unknown,
  path: string,
  depth: number,
): Generator<Mismatch> {
  if (Object.is(recorded, now)) return;
  if (depth > DEEPEST) return yield { path, recorded: "(too deep to compare)", now: "" };
  if (typeof recorded === "string" && typeof now === "string") {
    const [left, right] = [structure(recorded), structure(now)];
    if (left && right) return yield* mismatches(left, right, path, depth + 1);
    return yield { path, recorded, now };
  }
  if (Array.isArray(recorded) && Array.isArray(now)) {
    for (let index = 0; index < Math.max(recorded.length, now.length); index++)
      yield* mismatches(recorded[index], now[index], `${path}[${index}]`, depth + 1);
    return;
  }
  if (isObject(recorded) && isObject(now)) {
    for (const key of keysOf(recorded, now))
      yield* mismatches(
        own(recorded, key),
        own(now, key),
        path ? `${path}.${key}` : key,
        depth + 1,
      );
    return;
  }
  yield { path, recorded, now };
}

function keysOf(one: JsonObject, other: JsonObject): readonly string[] {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].filter((key) => !FLEETING.has(key));
}

const own = (value: JsonObject, key: string): unknown =>
  Object.hasOwn(value, key) ? value[key] : undefined;

function structure(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const value = parseJson(text);
  return typeof value === "object" && value !== null ? value : undefined;
}
